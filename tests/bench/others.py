"""Time of a game in other projects.

Everywhere, two bots in Python play the leftmost free column, so all games are the same 19 moves.
Only c4-bot, where it is named, plays other ones. The projects take turns, each in a Python of its
own. Times are processor time of all processes. The last column has the time that passes.
"""

import statistics
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from _shared import in_turns, show

BOT = """
import json, sys
for line in sys.stdin:
    grid = json.loads(line)["grid"]
    column = next(x for x, cells in enumerate(grid) if cells[0] == 0)
    print(json.dumps({"move": column}), flush=True)
"""
PREPARE = {
    "c4-arena, programs": "from c4_referee import play_match",
    "c4-arena, functions": "from c4_referee import play_match",
    "c4-arena, a function and c4-bot": "from c4_referee import play_match",
    "kaggle-environments": "from kaggle_environments import make",
    "PettingZoo": "from pettingzoo.classic import connect_four_v3",
    "OpenSpiel": "import pyspiel",
}
"""Imports of the program that plays in each project."""
PLAY = {
    "c4-arena, programs": """
bot = [sys.executable, "bot.py"]
play_match(shlex.join(bot), shlex.join(bot), games)
""",
    "c4-arena, functions": """
first, second = (lambda board: board.legal_moves[0]), (lambda board: board.legal_moves[0])
play_match(first, second, games)
""",
    "c4-arena, a function and c4-bot": """
play_match(lambda board: board.legal_moves[0], "c4-bot --level 1 --seed 5", games)
""",
    "kaggle-environments": """
agent = lambda observation: observation.board.index(0)
for _ in range(games):
    make("connectx").run([agent, agent])
""",
    "PettingZoo": """
environment = connect_four_v3.env()
for _ in range(games):
    environment.reset()
    for _ in environment.agent_iter():
        observation, _, is_over, *_ = environment.last()
        environment.step(None if is_over else int(observation["action_mask"].argmax()))
""",
    "OpenSpiel": """
game = pyspiel.load_game("connect_four")
for _ in range(games):
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
""",
}
"""Games of this program."""
TIMED = """
import resource, shlex, sys, time
def now():
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime
games, began = int(sys.argv[1]), now()
{}
prepared, clock = now(), time.perf_counter()
{}
print(prepared - began, now() - prepared, time.perf_counter() - clock)
"""


def seconds(python: str, name: str, folder: str, games: int) -> tuple[float, float, float]:
    """Return the seconds of the imports, of a game, and those that pass in a game."""
    script = TIMED.format(PREPARE[name], PLAY[name])
    command = [python, "-W", "ignore", "-c", script, str(games)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    imports, played, passed = map(float, done.stdout.splitlines()[-1].split())
    return imports, played / games, passed / games


def rows(pythons: dict[str, str], rounds: int, games: int) -> Iterator[tuple[object, ...]]:
    """Yield the row of each project."""
    with TemporaryDirectory() as folder:
        Path(folder, "bot.py").write_text(BOT, encoding="utf-8")
        ways = {name: partial(seconds, pythons[name], name, folder, games) for name in pythons}
        for name, runs in in_turns(ways, rounds).items():
            medians = map(statistics.median, zip(*runs, strict=True))
            yield name, *(seconds * 1000 for seconds in medians)


def main(*pythons: str, rounds: int = 5, games: int = 20) -> None:
    """Measure this Python, and others: ``OpenSpiel=PYTHON``, and so on."""
    own = {name: sys.executable for name in PREPARE if name.startswith("c4-arena")}
    others = dict(each.split("=", 1) for each in pythons)
    columns = {"project": "", "import (ms)": ".0f", "a game (ms)": ".3g", "passed (ms)": ".3g"}
    show(f"medians of {rounds} rounds", columns, rows(own | others, rounds, games))
