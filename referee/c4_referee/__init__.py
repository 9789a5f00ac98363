"""Referee that runs bots against each other as separate programs and reports which is better.

``play_match`` plays a match and returns a ``MatchReport``. ``c4_referee.testing`` has bots for
tests. All other modules are internal. The commands are ``c4-referee`` and ``c4-tune``.

>>> from c4_referee import play_match
>>> report = play_match("c4-bot --plays needed", "c4-bot --level 1", games=2, seconds=0.2)
>>> report.wins, report.draws, report.losses
(2, 0, 0)
"""

from c4_protocol.program.lazy import lazy_names

__all__ = ["BotSpec", "GameEnded", "MatchReport", "play_match"]

TYPE_CHECKING = False  # not from typing, because importing typing takes longer than this package
if TYPE_CHECKING:
    from c4_protocol.records.events import GameEnded
    from c4_protocol.records.reports import MatchReport

    from c4_referee.api import play_match
    from c4_referee.bots.spec import BotSpec
else:
    __getattr__, __dir__ = lazy_names(__name__, __all__, "bots.spec", "api")
