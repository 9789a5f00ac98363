"""Strength of a player on many boards, with several time limits.

Two bots play from random openings of six plies, each opening with both colours. The first is a
player of this installation, the other any command, for example the ``c4-bot`` of another version.
The Elo differences have 95 % intervals, from distinct games. With ``--nodes``, both bots visit that
many positions for each move, so that other work on the machine has no influence on the games.
"""

from collections.abc import Iterator

from _shared import BOT, no_processes_left, show
from c4_protocol.reports import MatchReport
from c4_protocol.variant import Variant
from c4_referee.bots.clock import TimeControl
from c4_referee.bots.spec import BotSpec
from c4_referee.contest.contest import Contest
from c4_referee.report.summary import match_report

NAMES = ("here", "opponent")
BOARDS = ("7x6", "8x7", "9x7", "8x8", "10x8x5")
UNHURRIED_MS = 60_000.0
"""Time for a move of bots whose nodes are limited, in milliseconds."""
COUNTS = ("games", "distinct", "won", "drawn", "lost", "forfeits here", "there")
ELO = ("Elo", "low", "high")


def match(commands: tuple[str, str], board: str, ms: float, games: int, slots: int) -> MatchReport:
    """Play a match of two commands on a board, and return its report."""
    bots = [
        BotSpec(name=name, command=command, restart="never")
        for name, command in zip(NAMES, commands, strict=True)
    ]
    contest = Contest.match(
        *bots,
        games,
        openings="random:6",
        variant=Variant.parse(board),
        control=TimeControl(ms),
        concurrency=slots,
    )
    outcome = contest.play()
    return match_report(NAMES, outcome.tournament, outcome.seconds)


def main(
    *boards: str,
    player: str = "strong",
    opponent: str = f"{BOT} --level 9",
    games: int = 200,
    ms: str = "100",
    nodes: int = 0,
    slots: int = 1,
) -> None:
    """Play ``games`` games on each board with each time of ``ms``, such as 10,100,1000.

    With ``nodes``, times do not matter. ``slots`` games are played at the same time.
    """
    limit = f" --nodes {nodes}" if nodes else ""
    commands = (f"{BOT} --threads 1 --plays {player}{limit}", f"{opponent}{limit}")
    times = [UNHURRIED_MS] if nodes else [*map(float, ms.split(","))]

    def rows() -> Iterator[tuple[object, ...]]:
        for board in boards or BOARDS:
            for time_ms in times:
                found = match(commands, board, time_ms, games, slots)
                counts = (found.games, found.distinct_games, found.wins, found.draws, found.losses)
                faults = (sum(found.forfeits.get(name, {}).values()) for name in NAMES)
                elo = (found.elo, found.elo_low, found.elo_high)
                yield board, None if nodes else time_ms, *counts, *faults, *elo

    columns = {"board": "", "ms": ".0f"} | dict.fromkeys(COUNTS, "d") | dict.fromkeys(ELO, "+.0f")
    with no_processes_left():
        show(f"{player} against {opponent.replace(BOT, 'c4-bot')}", columns, rows())
