"""Referee that runs bots against each other as separate programs and reports which is better.

``play_match`` plays a match and returns a ``MatchReport``, ``play_tournament`` plays what a file
describes, and ``read_games`` reads stored games. ``c4_referee.testing`` has bots for
tests. All other modules are internal. The commands are ``c4-referee`` and ``c4-tune``. On Windows,
the first use of a name raises ``ImportError``. The import of the package does not, because each
run of pytest imports it for its fixtures.

>>> from c4_referee import play_match
>>> report = play_match("c4-bot", "c4-bot --plays random --seed 1", games=2, seconds=0.2)
>>> report.wins, report.draws, report.losses
(2, 0, 0)
"""

from c4_protocol.program.lazy import lazy_names

__all__ = [
    "BotSpec",
    "GameEnded",
    "MatchReport",
    "TournamentReport",
    "play_match",
    "play_tournament",
    "read_games",
]

TYPE_CHECKING = False  # not from typing, because importing typing takes longer than this package
if TYPE_CHECKING:
    from c4_protocol.records.reports import MatchReport, TournamentReport

    from c4_referee.api import play_match, play_tournament
    from c4_referee.bots.spec import BotSpec
    from c4_referee.games import GameEnded, read_games
else:
    __getattr__, __dir__ = lazy_names(__name__, __all__, "system", "bots.spec", "games", "api")
