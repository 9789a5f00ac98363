"""Bots of all dialects play each other, and the dialect changes no move."""

import subprocess
from contextlib import suppress
from pathlib import Path

import pytest
from c4_protocol import dialects
from c4_protocol.program.errors import VariantError
from c4_protocol.rules.variant import Variant
from commands import SCRIPTS
from effort import sampled
from stored import stored_games

pytestmark = pytest.mark.slow

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


@pytest.mark.parametrize("variant", sampled(["standard", "codingame"], ["standard"]))
def test_dialect_changes_no_move(tmp_path, variant):
    """Games of the same players have the same moves, whatever dialects they speak.

    Every dialect of the game is spoken in one of the tournaments, and no game is forfeited.
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
        assert [(game["fault"], game["notes"]) for game in games] == [(None, [])] * 6
        found.append({(game["first"], game["second"], game["moves"]) for game in games})
    assert all(games == found[0] for games in found)
