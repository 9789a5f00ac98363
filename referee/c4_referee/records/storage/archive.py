"""Archives: the storage of a contest, in memory or in a folder.

Each entrant of a contest has a *place*, which is its index, from 0, among all entrants that have
ever taken part in the contest. Schedules use this number for the entrant, as a ``Player``. The
archive in a folder is ``storage.folder_archive.FolderArchive``. It is apart from this module,
because it needs a database, and a contest without a folder does not.
"""

from collections.abc import Mapping, Sequence
from typing import Self

from c4_protocol.records.events import GameEnded

from c4_referee.bots.spec import BotSpec
from c4_referee.records.rounds import ChosenRound, GameKey, Meeting, Player, Progress, Roster


class Archive:
    """Context manager for the storage of one contest. This one stores nothing.

    A game is *issued* when it begins. Then it is *committed* with its result, or *rolled back* if
    it has no result. The ``Tournament`` has the results while the contest runs. ``FolderArchive``
    replaces all methods; they raise ``ArenaError`` if the archive cannot be used any more.
    """

    roster: Roster
    """Entrants that take part, in the order in which the contest lists its bots."""
    names: Mapping[Player, str]
    """Names of all entrants for reports, by place, in the order of the places.

    All names are different. An entrant that takes part has its own name here."""
    own_names: Mapping[Player, str]
    """Names of all entrants in the records of their games, by place.

    Two entrants have the same name if a bot was edited. They never meet."""
    give_up: int | None = None
    """Number of first games after which a bot gives up, ``None`` before the first run."""
    absent: frozenset[Player] = frozenset()
    """Entrants that take part, but cannot play in this run."""
    contest: int | None = None
    """Number of the contest in its folder, or ``None`` if there is no folder."""

    def __init__(self, bots: Sequence[BotSpec]) -> None:
        self.roster = Roster.of(len(bots))
        self.names = dict(zip(self.roster.now, (bot.name for bot in bots), strict=True))
        self.own_names = self.names

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Close all files of the archive."""

    def results(self) -> dict[GameKey, GameEnded]:
        """Return the games that earlier runs have committed, with different numbers."""
        return {}

    def leave_out_absent(self) -> None:
        """Let the absent entrants leave the contest, until a run in which they can play."""

    def record(self, progress: Progress) -> None:
        """Store the state of the contest. This is done before the first game is issued."""

    def chosen(self) -> dict[int, ChosenRound]:
        """Return the rounds that earlier runs have chosen, by number, from 0."""
        return {}

    def choose(self, number: int, meetings: Sequence[Meeting], reached: str) -> None:
        """Store the meetings of a round. There are none if a goal is ``reached``, or at the end."""

    def issue(self, game: GameKey) -> None:
        """Record that a game begins."""

    def commit(self, game: GameKey, record: bytes) -> None:
        """Store the result of an issued game as a JSON line. It is stored when this returns."""

    def roll_back(self, game: GameKey) -> None:
        """Delete an issued game."""
