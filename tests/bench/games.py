"""Games a second on one processor between bots that are kept alive and do next to nothing.

    python tests/bench/games.py [rounds [games]]

The pipes alone are given the questions of games played before; ``game.play`` plays in this process;
a match has its worker and its report, and tells every event if anybody listens. Where there is
another processor, one more match keeps its worker and its bots on that, and the referee on this.
The bots are two of ``tests/bots/player.c``; the aim is 2,000 games of about 21 plies. The ways take
turns; numbers are medians.
"""

import os
import select
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack

from c4_protocol.dialects import referee_end
from c4_protocol.events import GameEnded
from c4_protocol.position import Position
from c4_protocol.variant import STANDARD
from c4_referee.bots.clock import TimeControl
from c4_referee.bots.contestant import Contestant
from c4_referee.bots.process import BotProcess
from c4_referee.bots.spec import BotSpec
from c4_referee.contest.contest import Contest
from c4_referee.play.game import play
from c4_referee.play.ledger import EventHandler
from c4_referee.play.tournament import Tournament
from compiled import PLAYER, compiled, stay_on_one_processor
from rich.console import Console
from rich.table import Table

CONTROL = TimeControl()
PIPES, GAME, MATCH = "the pipes alone", "game.play", "Match.play"
TOLD, APART = "Match.play, all events", "Match.play, referee apart"
WAYS = (PIPES, GAME, MATCH, TOLD, APART)


def players(program: str) -> tuple[BotSpec, BotSpec]:
    """Two bots that live on from game to game and play differently."""
    commands = {"first": (program, "1"), "second": (program, "2")}
    first, second = (
        BotSpec(name=name, command=command, restart="never") for name, command in commands.items()
    )
    return first, second


def questions_of(game: GameEnded) -> list[tuple[int, bytes]]:
    """Whom a game asked, 0 or 1, and the line."""
    speech, asked = referee_end("jsonl"), []
    position = Position(STANDARD)
    for name in game.moves:
        line = speech.write_precept(position, CONTROL.move_ms)
        asked.append((position.player - 1, line))
        position = position.play(position.check(int(name) - 1))
    return asked


def pipes_alone(questions: list[tuple[int, bytes]], processes: list[BotProcess]) -> float:
    """Seconds for asking all that, with no regard to the answers."""
    polls = []
    for process in processes:
        polls.append(select.poll())
        polls[-1].register(process.stdout, select.POLLIN)
    began = time.perf_counter()
    for seat, line in questions:
        os.write(processes[seat].stdin, line)
        polls[seat].poll(1000)
        os.read(processes[seat].stdout, 4096)
    return time.perf_counter() - began


def in_this_process(games: int, contestants: list[Contestant]) -> tuple[float, list[GameEnded]]:
    """Seconds for so many games without a worker, and the games."""
    first, second = contestants
    ended: list[GameEnded] = []
    began = time.perf_counter()
    for number in range(games):
        events = play(number, STANDARD, (first, second), (CONTROL, CONTROL))
        ended += (event for event in events if isinstance(event, GameEnded))
    return time.perf_counter() - began, ended


def in_a_match(
    games: int,
    bots: tuple[BotSpec, BotSpec],
    handlers: Sequence[EventHandler] = (),
    cpus: tuple[int, ...] = (),
) -> float:
    """Seconds for so many games, from the end of one before them: start-up is not counted."""
    ends: dict[int, float] = {}

    def progress(tournament: Tournament) -> None:
        ends[tournament.done] = time.perf_counter()

    match = Contest.match(*bots, games + 1, control=CONTROL, cpus=cpus)
    match.play(handlers, progress=progress)
    return ends[games + 1] - ends[1]


def listen(line: bytes) -> None:
    """Wants to know all, and does nothing about it."""


def measure(
    program: str, rounds: int, games: int, other: tuple[int, ...]
) -> dict[str, list[float]]:
    """Seconds by way, one of each round; ``other`` is another processor, if there is one."""
    bots = players(program)
    taken: dict[str, list[float]] = {name: [] for name in WAYS[: None if other else -1]}
    with ExitStack() as stack:
        contestants = [stack.enter_context(Contestant(bot)) for bot in bots]
        processes = [stack.enter_context(BotProcess(bot.command)) for bot in bots]
        for _ in range(rounds):
            seconds, played = in_this_process(games, contestants)
            questions = [question for game in played for question in questions_of(game)]
            taken[PIPES].append(pipes_alone(questions, processes))
            taken[GAME].append(seconds)
            taken[MATCH].append(in_a_match(games, bots))
            taken[TOLD].append(in_a_match(games, bots, [listen]))
            if other:
                taken[APART].append(in_a_match(games, bots, cpus=other))
    return taken


def other_processors() -> tuple[int, ...]:
    """One that ``stay_on_one_processor`` leaves, or none."""
    if not hasattr(os, "sched_getaffinity"):
        return ()
    return tuple(sorted(os.sched_getaffinity(0))[:-1][:1])


def main(rounds: int = 7, games: int = 2000) -> None:
    """Measures and prints."""
    other = other_processors()
    stay_on_one_processor()
    with tempfile.TemporaryDirectory() as folder:
        program = compiled(PLAYER.read_text(encoding="utf-8"), folder)
        taken = measure(program, rounds, games, other)
    table = Table(title=f"games on one processor, medians of {rounds} times {games}")
    for title in ("way", "us a game", "games a second", "of the pipes"):
        table.add_column(title, justify="left" if title == "way" else "right")
    for name, seconds in taken.items():
        ratio = statistics.median(
            pipes / own for pipes, own in zip(taken[PIPES], seconds, strict=True)
        )
        game = statistics.median(seconds) / games
        table.add_row(name, f"{game * 1e6:.0f}", f"{1 / game:,.0f}", f"{ratio:.2f}")
    Console().print(table)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
