"""What a folder of ``--out`` holds, read without changing it.

A folder may be read while a referee plays there. The records of games are checked: one that was
changed by hand, and is no game any more, is left out and counted.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from c4_protocol.events import GameEnded
from c4_protocol.reports import MatchReport, TournamentReport
from c4_protocol.variant import Variant

from c4_referee.stats.solved import Solved


@dataclass(frozen=True)
class StoredBot:
    """A bot of a stored contest.

    ``name`` is its name in reports, which differs from those of all other bots. ``command`` has the
    words of its command line.
    """

    name: str
    command: tuple[str, ...]
    fingerprint: str
    withdrawn: bool = False


@dataclass(frozen=True)
class RunSummary:
    """What the last run of a contest stored at its end.

    ``ended`` is the time in UTC, such as ``2026-11-22 15:04:05``. ``report`` is the report that the
    run printed. ``conditions`` describe for people how it was played: texts by name, for example
    ``time``, ``openings``, ``judge``.
    """

    ended: str
    report: MatchReport | TournamentReport
    conditions: dict[str, str]


@dataclass(frozen=True)
class StoredContest:
    """A contest of a folder.

    ``identity`` is the JSON object that identifies it (``storage.archive``), and ``began`` the time
    of its start in UTC. ``bots`` are in the order of their places. ``games`` are in the order of
    their numbers, with the bots' names in reports. No two games have the same number. ``damaged``
    are the row ids of results that are not games. ``last_run`` is ``None`` if the contest has not
    ended yet, or was stored by an earlier version. ``solved`` are the positions whose values are
    known, by ``stats.solved.position_key``.
    """

    variant: Variant
    identity: dict[str, Any]
    began: str
    bots: tuple[StoredBot, ...]
    games: tuple[GameEnded, ...]
    damaged: tuple[int, ...] = ()
    last_run: RunSummary | None = None
    solved: Mapping[str, Solved] = field(default_factory=dict)
