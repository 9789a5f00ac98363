"""A site for tests in a browser: a tournament, random games, and games full of hostile texts."""

import subprocess
import sys
from dataclasses import replace
from itertools import count, islice
from pathlib import Path
from random import Random

import orjson
from c4_protocol.records.events import FaultRecord, GameEnded
from c4_protocol.rules.notation import moves_text
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STANDARD, Variant
from c4_referee.records.storage.store import Entrant, Store
from commands import SCRIPTS
from games import game_of
from kept import KEYS

MISBEHAVING = Path(__file__).parents[1] / "bots" / "misbehaving.py"

TOURNAMENT, RANDOM, HOSTILE, FREE = "1", "2", "3", "4"
"""Folders of the contests in the site."""

CUP = f"""
name = "Evening cup"
system = "round-robin"
openings = "random:6"
time_ms = 60000
concurrency = 1
give_up = 0
[bots.windows]
command = "c4-bot --plays windows --depth 2 --info"
[bots.needed]
command = "c4-bot --plays needed --depth 8"
[bots.sloppy]
command = {orjson.dumps([sys.executable, "-S", "-E", str(MISBEHAVING), "exits_later"]).decode()}
"""

MARKUP = "</script></title><script>console.error(1)</script><img src=x onerror=console.error(2)>"
EVIL = f"{MARKUP}'\"&amp;{{{{7*7}}}}\x1b[2J\x00\u202eevil\u2066\ud7ff<!--"
"""Text that tries to become a part of the page, to reverse it, and to hide what follows."""
LONG = "W" * 10_000
RANDOM_GAMES, MIN_PLIES, SAME_PLIES = 8, 36, 10
"""Number of random games, minimum number of their moves, and number of moves that are the same."""
SITE = '50% "#1?" & <b>'
"""Name of the folder of the site."""
TUNED, TUNING = "tuned", ("--runs", "1", "--depth", "1", "--population", "6", "--elite", "2")
"""Folder, beside the site, of an experiment of c4-tune, and its options."""
SINGLE = "one game.html"
"""Name of the file, beside the site, that holds the first game of the tournament."""


def make_site(folder: Path) -> None:
    """Make the folder ``SITE`` with the pages of all contests, which are in ``played``."""
    played = folder / "played"
    (folder / "cup.toml").write_text(CUP, encoding="utf-8")
    run("c4-referee", "tournament", "cup.toml", "--out", played, cwd=folder)
    for name, games in (
        ("Random games", random_games()),
        (EVIL, hostile_games()),
        ("Free placement", [free_game()]),
    ):
        store(played / "arena.sqlite", name, games)
    site = ("--out", folder / SITE, "--analysis-seconds", "600")
    run("c4-referee", "report", played, *site, cwd=folder)
    game = ("--contest", "1", "--game", "1", "--out", folder / SINGLE)
    run("c4-referee", "report", played, *game, cwd=folder)
    run("c4-tune", "experiment", *TUNING, "--out", folder / TUNED, cwd=folder)


def run(command: str, *arguments: str | Path, cwd: Path) -> None:
    """Run one of our commands to its end."""
    words = [SCRIPTS / command, *arguments]
    done = subprocess.run(words, cwd=cwd, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()


def store(database: Path, name: str, games: list[GameEnded]) -> None:
    """Store games of two bots as a contest."""
    first = Entrant(games[0].first, orjson.dumps(["sh", EVIL]).decode(), "1")
    second = Entrant(games[0].second, "not JSON", "2")
    with Store(database) as base:
        settings = orjson.dumps({"name": name, "system": "match"}).decode()
        contest = base.enter(name, settings, [first, second])
        for number, game in enumerate(games):
            key = KEYS[0]._replace(repetition=number)
            base.issue(contest, key)
            base.commit(contest, key, orjson.dumps(game))


def random_moves(seed: int, variant: Variant = STANDARD) -> tuple[str, Position]:
    """Return the moves of a random game, and its final position.

    The first moves are those of all games, because early positions take long to solve.
    """
    first, draw, position, cells = Random(0), Random(seed), Position(variant), list[int]()
    while not position.is_over:
        cells.append((first if len(cells) < SAME_PLIES else draw).choice(position.moves))
        position = position.play(cells[-1])
    return moves_text(variant, cells), position


def random_games() -> list[GameEnded]:
    """Return the records of long random games on the standard board."""
    games = (random_moves(seed) for seed in count(1))
    long = ((moves, final) for moves, final in games if len(moves) >= MIN_PLIES)
    return [random_game(number, *game) for number, game in enumerate(islice(long, RANDOM_GAMES), 1)]


def random_game(number: int, moves: str, final: Position, **more: object) -> GameEnded:
    """Return the record of a game."""
    ending = "line" if final.winner else "full board"
    usual = {"game": number, "winner": final.winner, "ending": ending, "ms": [1.0] * len(moves)}
    return game_of(moves, variant=final.variant, **usual | more)


def free_game() -> GameEnded:
    """Return the record of a random game without gravity, which cannot be solved."""
    return random_game(1, *random_moves(1, Variant(5, 5, 4, gravity=False)), ms=[])


def hostile_games() -> list[GameEnded]:
    """Return games whose texts are hostile: one that is played, one forfeited, two not played.

    The third has moves that are no moves, so it is damaged. The fourth is void.
    """
    bots = {"first": EVIL, "second": LONG}
    moves, final = random_moves(100)
    texts = [EVIL, LONG] * len(moves)
    played = random_game(1, moves, final, ending="line", **bots)
    fault = FaultRecord(EVIL, "bad line", "forfeit", 2, 1.0, 1.0, EVIL, EVIL + LONG)
    lost = game_of("44", game=2, winner=2, ending="forfeit", fault=fault, **bots,
                   ms=[1.0, 1e6], stderr={EVIL: f"{EVIL}\n{LONG}", LONG: EVIL})  # fmt: skip
    void = game_of("", game=4, ending="void", fault=fault, notes=[fault] * 3, **bots)
    return [
        replace(played, remarks=texts[: len(moves)]),
        lost,
        game_of(EVIL, game=3, ending="line", **bots),
        void,
    ]
