"""Games per second between bots that do almost nothing.

All processes run on one processor, and each bot process plays all games. Four ways are measured:
the pipes alone, with the questions of games that were played before; the referee alone, in this
process; a match with its worker and its report; and the same games in UCI.
The second table has whole commands, c4-referee match from start to end: half as many games between
bots that play all of them, and a tenth as many between bots that are started for each game.
The bots are two of tests/bots/player.c. The ways take turns. Figures are medians.
"""

import os
import select
import statistics
import subprocess
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from _shared import (
    PLAYER,
    REFEREE,
    c_program,
    in_turns,
    median_ratio,
    processor_seconds_of,
    seconds_of,
    show,
    stay_on_one_processor,
)
from c4_protocol.dialects import DEFAULT_DIALECT, referee_end
from c4_protocol.records.events import GameEnded
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STANDARD
from c4_referee.bots.clock import TimeControl
from c4_referee.bots.contain.process import BotProcess
from c4_referee.bots.spec import BotSpec
from c4_referee.bots.talk.contestant import Contestant
from c4_referee.contest.contest import Contest
from c4_referee.contest.play.game import play
from c4_referee.contest.play.jobs import Job

CONTROL = TimeControl()
PIPES, MATCH = "the pipes alone", "a match"
Bots = tuple[BotSpec, BotSpec]


def two_bots(
    *command: str, dialect: str = DEFAULT_DIALECT, restart: str = "never", sandbox: bool = False
) -> Bots:
    """Return two bots that play differently. Each bot process plays all games, or one."""
    one = BotSpec("first", (*command, "1"), dialect=dialect, restart=restart, sandbox=sandbox)
    return one, replace(one, name="second", command=(*command, "2"))


def questions_of(game: GameEnded) -> list[tuple[int, bytes]]:
    """Return the lines of a game, each with the index of the bot that reads it."""
    speech, asked = referee_end("jsonl"), []
    position = Position(STANDARD)
    for name in game.moves:
        line = speech.write_precept(position, CONTROL.move_ms)
        asked.append((position.player - 1, line))
        position = position.play(position.check(int(name) - 1))
    return asked


def ask_all(questions: list[tuple[int, bytes]], processes: list[BotProcess]) -> None:
    """Send all questions to the bots, and read the answers without checking them."""
    polls = [select.poll() for _ in processes]
    for poll, process in zip(polls, processes, strict=True):
        poll.register(process.stdout, select.POLLIN)
    for index, line in questions:
        os.write(processes[index].stdin, line)
        polls[index].poll(1000)
        os.read(processes[index].stdout, 4096)


def play_here(games: int, contestants: list[Contestant]) -> list[GameEnded]:
    """Play games without a worker, and return their results."""
    ended: list[GameEnded] = []
    for number in range(games):
        events = play(Job(number, 0, 1), STANDARD, tuple(contestants), (CONTROL, CONTROL))
        ended += (event for event in events if isinstance(event, GameEnded))
    return ended


def match_seconds(
    games: int, bots: Bots, used: list[float] | None = None, **where: str | int
) -> float:
    """Return the seconds that a match takes after its first game, which includes the start-up.

    The seconds of processor time of this process are appended to ``used``.
    """
    ends: list[tuple[float, float]] = []

    def note_end(_game: GameEnded) -> None:
        ends.append((time.perf_counter(), time.process_time()))

    Contest.match(*bots, games + 1, control=CONTROL, **where).play(on_game=note_end)
    if used is not None:
        used.append(ends[-1][1] - ends[0][1])
    return ends[-1][0] - ends[0][0]


def ways_of(program: str, games: int, stack: ExitStack) -> dict[str, Callable[[], float]]:
    """Return the ways to play."""
    bots = two_bots(program)
    contestants = [stack.enter_context(Contestant(bot)) for bot in bots]
    processes = [stack.enter_context(BotProcess(bot.command)) for bot in bots]
    questions = [asked for game in play_here(games, contestants) for asked in questions_of(game)]
    return {
        PIPES: lambda: seconds_of(lambda: ask_all(questions, processes)),
        "the referee alone": lambda: seconds_of(lambda: play_here(games, contestants)),
        MATCH: lambda: match_seconds(games, bots),
        "a match in uci": lambda: match_seconds(games, two_bots(program, dialect="uci")),
    }


def commands_of(program: str, games: int, folder: Path) -> dict[str, Callable[[], float]]:
    """Return matches as commands, each with its processor time in all processes."""
    ways: dict[str, Callable[[], float]] = {}
    for name, number, restart in (
        ("bots kept alive", max(games // 2, 2), "never"),
        ("bots started for each", max(games // 10, 2), "game"),
    ):
        bots = folder / f"{restart}.toml"
        form = f'[bots.{{}}]\ncommand = "{program} {{}}"\nrestart = "{restart}"\n'
        bots.write_text(form.format("a", 1) + form.format("b", 2))
        options = ("--games", str(number), "--no-accuracy", "--no-sandbox", "--concurrency", "1")
        command = [REFEREE, "match", "a", "b", "--bots", str(bots), *options]
        start = partial(subprocess.run, command, capture_output=True, check=True)
        ways[f"{number} games, {name}"] = partial(processor_seconds_of, start)
    return ways


def main(rounds: int = 7, games: int = 2000) -> None:
    """Play ``games`` games in each way, in each of ``rounds`` rounds."""
    stay_on_one_processor()
    with c_program(PLAYER.read_text(encoding="utf-8")) as program, ExitStack() as stack:
        taken = in_turns(ways_of(program, games, stack), rounds)
        with TemporaryDirectory() as folder:
            commands = in_turns(commands_of(program, games, Path(folder)), rounds)
    rows = []
    for name, seconds in taken.items():
        game = statistics.median(seconds) / games
        ratios = median_ratio(taken[PIPES], seconds), median_ratio(seconds, taken[MATCH])
        rows.append((name, game * 1e6, 1 / game, *ratios))
    columns = {"way": "", "us a game": ".0f", "games a second": ",.0f"}
    columns |= {"of the pipes": ".2f", "time of a match": ".2f"}
    show(f"games on one processor, medians of {rounds} times {games}", columns, rows)
    whole = [(name, statistics.median(seconds)) for name, seconds in commands.items()]
    show("c4-referee match from start to end", {"match": "", "processor s": ".2f"}, whole)
