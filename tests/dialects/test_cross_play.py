"""Bots of all dialects play each other, and the dialect changes no move."""

import subprocess
from contextlib import suppress
from itertools import combinations
from pathlib import Path

import pytest
from c4_protocol import dialects
from c4_protocol.program.errors import VariantError
from c4_protocol.rules.variant import Variant
from commands import SCRIPTS
from effort import sampled
from stored import stored_games

PLAYERS = {
    "needed": "--plays needed --depth 3",
    "sequences": "--plays sequences --depth 2",
    "windows": "--plays windows --depth 3",
}
"""Players whose moves depend on the position only."""


def speakers(variant: str) -> list[str]:
    """Return the dialects that can describe games of a variant."""
    found = []
    for name in dialects.referee_names():
        with suppress(VariantError):
            dialects.referee_end(name).check_variant(Variant.parse(variant))
            found.append(name)
    return found


def tournament(folder: Path, variant: str, bots: dict[str, tuple[str, str]]) -> list[dict]:
    """Play a round robin on the empty board, and return the games.

    ``bots`` maps a name to the options of ``c4-bot`` and the dialect that it speaks.
    """
    tables = [
        f'[bots.{name}]\ncommand = "c4-bot --dialect {dialect} {options}"\ndialect = "{dialect}"\n'
        for name, (options, dialect) in bots.items()
    ]
    settings = 'system = "round-robin"\ntime_ms = 20000\nopenings = "none"\nconcurrency = 1\n'
    settings += f'variant = "{variant}"\n'
    path = folder / "dialects.toml"
    path.write_text(settings + "".join(tables), encoding="utf-8")
    command = [SCRIPTS / "c4-referee", "tournament", path, "--out", folder / "out", "--json"]
    done = subprocess.run(command, capture_output=True, check=False, cwd=folder)
    assert (done.returncode, done.stderr) == (0, b"")
    return stored_games(folder / "out")


def courses(games: list[dict], players: dict[str, str]) -> set[tuple[str, str, str, int]]:
    """Return the games as first player, second player, moves and winner."""
    return {
        (players[game["first"]], players[game["second"]], game["moves"], game["winner"])
        for game in games
    }


@pytest.mark.parametrize("variant", sampled(["standard", "codingame"], ["codingame"]))
def test_every_dialect_meets_every_other(tmp_path, variant):
    """In a round robin with one bot for each dialect, no game is forfeited.

    The game of codingame is its own, so that there are two tournaments.
    """
    names = speakers(variant)
    players = list(PLAYERS.values())
    bots = {name: (players[place % 3], name) for place, name in enumerate(names)}
    games = tournament(tmp_path, variant, bots)
    assert {frozenset((game["first"], game["second"])) for game in games} == {
        frozenset(pair) for pair in combinations(names, 2)
    }
    assert [(game["fault"], game["notes"]) for game in games] == [(None, [])] * len(games)


def test_every_dialect_is_in_a_tournament():
    """The two tournaments have a bot for each dialect that a referee can speak."""
    assert {*speakers("standard"), *speakers("codingame")} == {*dialects.referee_names()}
    assert len(speakers("standard")) >= 6
    assert "codingame" in speakers("codingame")


@pytest.mark.parametrize("variant", sampled(["standard", "codingame"], ["standard"]))
def test_dialect_changes_no_move(tmp_path, variant):
    """Games of the same players have the same moves, whatever dialects they speak.

    Every dialect is spoken in one of the tournaments.
    """
    names = speakers(variant)
    found = []
    for shift in range(0, len(names), min(len(PLAYERS), len(names) - 1)):
        folder = tmp_path / str(shift)
        folder.mkdir()
        bots = {
            player: (options, names[(place + shift) % len(names)])
            for place, (player, options) in enumerate(PLAYERS.items())
        }
        games = tournament(folder, variant, bots)
        found.append(courses(games, {name: name for name in PLAYERS}))
    assert len(found[0]) == 6
    assert all(courses_of_one == found[0] for courses_of_one in found)
