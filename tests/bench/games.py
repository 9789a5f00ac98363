"""Games a second on one processor between bots that are kept alive and do next to nothing.

    python tests/bench/games.py [rounds [games]]

Three ways: the pipes alone, which are given the questions of games played before; games in this
process, by ``referee.game.play``; and a match, with its worker, its events and its report. The
bots are two of ``tests/bots/player.c``; the aim is 2,000 games of about 21 plies. The ways take
turns; numbers are medians.
"""

import select
import statistics
import sys
import tempfile
import time
from contextlib import ExitStack
from os import read, write

from compiled import PLAYER, compiled, stay_on_one_processor
from rich.console import Console
from rich.table import Table

from protocol.dialects import dialect
from protocol.position import Position
from protocol.records import GameEnded
from protocol.variant import STANDARD
from referee.bots import BotSpec
from referee.clock import TimeControl
from referee.contestant import Contestant
from referee.game import play
from referee.match import Match
from referee.process import BotProcess

CONTROL = TimeControl()


def players(program: str) -> tuple[BotSpec, BotSpec]:
    """Two bots that live on from game to game and play differently."""
    commands = {"first": (program, "1"), "second": (program, "2")}
    first, second = (
        BotSpec(name=name, command=command, restart="never") for name, command in commands.items()
    )
    return first, second


def questions_of(game: GameEnded) -> list[tuple[int, bytes]]:
    """Whom a game asked, 0 or 1, and the line."""
    speech, asked = dialect("jsonl"), []
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
        write(processes[seat].stdin, line)
        polls[seat].poll(1000)
        read(processes[seat].stdout, 4096)
    return time.perf_counter() - began


def in_this_process(games: int, contestants: list[Contestant]) -> tuple[float, list[GameEnded]]:
    """Seconds for so many games without a worker, and the games."""
    first, second = contestants
    events = []
    began = time.perf_counter()
    for number in range(games):
        events += play(number, STANDARD, (first, second), (CONTROL, CONTROL))
    taken = time.perf_counter() - began
    return taken, [event for event in events if isinstance(event, GameEnded)]


def in_a_match(games: int, bots: tuple[BotSpec, BotSpec]) -> float:
    """Seconds for so many games, from the end of one before them: start-up is not counted."""
    ends = []

    def handle(event: dict[str, object], line: bytes) -> None:
        if event["event"] == "game_ended":
            ends.append(time.perf_counter())

    Match(bots, games + 1, control=CONTROL, concurrency=1).play([handle])
    return ends[-1] - ends[0]


def measure(program: str, rounds: int, games: int) -> dict[str, list[float]]:
    """Seconds by way, one of each round."""
    bots = players(program)
    taken: dict[str, list[float]] = {"the pipes alone": [], "game.play": [], "Match.play": []}
    with ExitStack() as stack:
        contestants = [stack.enter_context(Contestant(bot)) for bot in bots]
        processes = [stack.enter_context(BotProcess(bot.command)) for bot in bots]
        for _ in range(rounds):
            seconds, played = in_this_process(games, contestants)
            questions = [question for game in played for question in questions_of(game)]
            taken["the pipes alone"].append(pipes_alone(questions, processes))
            taken["game.play"].append(seconds)
            taken["Match.play"].append(in_a_match(games, bots))
    return taken


def main(rounds: int = 7, games: int = 2000) -> None:
    """Measures and prints."""
    stay_on_one_processor()
    with tempfile.TemporaryDirectory() as folder:
        taken = measure(compiled(PLAYER.read_text(encoding="utf-8"), folder), rounds, games)
    table = Table(title=f"games on one processor, medians of {rounds} times {games}")
    for title in ("way", "us a game", "games a second", "of the pipes"):
        table.add_column(title, justify="left" if title == "way" else "right")
    for name, seconds in taken.items():
        ratio = statistics.median(
            pipes / own for pipes, own in zip(taken["the pipes alone"], seconds, strict=True)
        )
        game = statistics.median(seconds) / games
        table.add_row(name, f"{game * 1e6:.0f}", f"{1 / game:,.0f}", f"{ratio:.2f}")
    Console().print(table)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
