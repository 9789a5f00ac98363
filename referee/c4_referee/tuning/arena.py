"""Plays games between players with given weights, and remembers the results.

Players are deterministic: two players in the same seats always play the same game from the same
opening. So no game has to be played twice.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from importlib.metadata import entry_points
from typing import Any, NamedTuple

from c4_protocol.program.errors import UsageError

from c4_referee.tuning.optimizers import Weights

TUNED_PLAYER = "sequences"
"""Name of the player whose weights are tuned."""
GAMES_ENTRY_POINT, PROVIDER_NAME = "c4_arena.games", "bot"
"""Group and name of the entry point: a function that plays games in this process."""
GAMES_IN_BATCH = 128
"""Maximum number of games in one call of the entry point. Ctrl-C takes effect between calls."""
MAX_DEPTH = 20
"""Maximum depth of a search in plies. The first move of a game would take days with more."""


def check_range(option: str, value: int, minimum: int, maximum: int, unit: str = "") -> None:
    """Raise ``UsageError`` if the value of an option is not from ``minimum`` to ``maximum``."""
    if not minimum <= value <= maximum:
        raise UsageError(f"--{option}: {minimum} to {maximum}{unit}, not {value}")


TuningPlayer = Weights | str
"""Weights of ``TUNED_PLAYER``, or the name of another player."""


class TuningGame(NamedTuple):
    """A game to play: the players in seats 1 and 2, and the opening as text of its moves."""

    first: TuningPlayer
    second: TuningPlayer
    opening: str = ""


class TuningResult(NamedTuple):
    """Result of a game.

    ``moves`` is the text of all moves, including the opening. ``winner`` is the winner's seat, or 0
    for a draw. ``positions`` is the number of positions that both searches visited.
    """

    moves: str
    winner: int
    positions: int


PlayGames = Callable[..., Iterable[tuple[str, int, int]]]
"""Function that the entry point names: ``play(players, games, variant=STANDARD, threads=1)``.

A player is a name and the parameters that differ from this player's defaults. A game is the index
of its first player in ``players``, the index of its second player, and its opening. The function
returns the results of the games in the same order, with the fields of ``TuningResult``.
"""


def reduce_weights(player: TuningPlayer) -> TuningPlayer:
    """Return the smallest whole weights in the same proportion. A name is returned unchanged.

    A player with these weights plays the same games. Multiplying all weights does not change the
    order of moves, because scores of proven wins and losses lie outside the range of evaluations.
    """
    if isinstance(player, str):
        return player
    divisor = math.gcd(*player) or 1
    return tuple(weight // divisor for weight in player)


class Arena:
    """Player of games that remembers their results and plays ``threads`` games at the same time.

    All searches have the same ``depth`` in plies. If ``faithful`` is true, players have the faults
    of the papers that describe them. Raises ``UsageError`` for a depth below 1 or above
    ``MAX_DEPTH``.
    """

    def __init__(self, depth: int, *, faithful: bool = False, threads: int = 1) -> None:
        check_range("depth", depth, 1, MAX_DEPTH, " plies")
        self._parameters = {"depth": depth, "faithful": faithful}
        self._threads = threads
        self._play: PlayGames = load_provider(GAMES_ENTRY_POINT)
        self._known: dict[TuningGame, TuningResult] = {}

    def remember(self, game: TuningGame, result: TuningResult) -> None:
        """Add the result of a game, so that this game is not played again."""
        self._known[game] = result

    def play(
        self, games: Sequence[TuningGame]
    ) -> tuple[list[TuningResult], dict[TuningGame, TuningResult]]:
        """Return the results of all games in order, and the new games with their results.

        New games are those that were not remembered and had to be played. Their players are given
        by reduced weights (see ``reduce_weights``).
        """
        wanted = [
            TuningGame(reduce_weights(first), reduce_weights(second), opening)
            for first, second, opening in games
        ]
        unknown = [game for game in dict.fromkeys(wanted) if game not in self._known]
        new: dict[TuningGame, TuningResult] = {}
        for start in range(0, len(unknown), GAMES_IN_BATCH):
            batch = unknown[start : start + GAMES_IN_BATCH]
            new |= zip(batch, self._play_batch(batch), strict=True)
        self._known |= new
        return [self._known[game] for game in wanted], new

    def _play_batch(self, games: Sequence[TuningGame]) -> list[TuningResult]:
        players = list(dict.fromkeys(player for game in games for player in game[:2]))
        index = {player: number for number, player in enumerate(players)}
        named = [
            (player, self._parameters)
            if isinstance(player, str)
            else (TUNED_PLAYER, self._parameters | {"weights": player})
            for player in players
        ]
        results = self._play(
            named,
            [(index[first], index[second], opening) for first, second, opening in games],
            threads=self._threads,
        )
        return [TuningResult(*result) for result in results]


def load_provider(group: str) -> Any:  # noqa: ANN401 - the group says what it is
    """Return what the entry point of a group names; raise ``UsageError`` if there is none."""
    for point in entry_points(group=group, name=PROVIDER_NAME):
        return point.load()
    raise UsageError(f"no entry point '{PROVIDER_NAME}' of {group}: reinstall c4-arena")
