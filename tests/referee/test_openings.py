"""Openings: each of them once, fit to begin a game with, and the same for the same seed."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.errors import UsageError
from protocol.notation import position_from_moves
from protocol.position import completing_cells
from protocol.variant import LINE8, STANDARD, Variant
from referee.openings import find_openings


@given(st.integers(2, 12), st.integers(0, 99), st.sampled_from((STANDARD, LINE8, Variant(9, 7, 5))))
def test_random_openings_are_fit_and_different(plies: int, seed: int, variant: Variant) -> None:
    """So many plies, after which the game goes on; no two alike, also not in the mirror."""
    found = find_openings(f"random:{plies}", variant, 12, seed)
    positions = [position_from_moves(moves, variant) for moves in found]
    for position in positions:
        assert position.ply == plies
        assert not position.is_over
        assert not completing_cells(position.own, variant) & position.playable
    stones = {position.stones for position in positions}
    assert len(stones | {position.mirrored().stones for position in positions}) >= len(found)
    assert len({frozenset((p.stones, p.mirrored().stones)) for p in positions}) == len(found)


def test_the_seed_draws_the_openings() -> None:
    """The same seed draws the same ones, in the same order however many are asked for."""
    first = find_openings("random:4", STANDARD, 50, 1)
    assert find_openings("random:4", STANDARD, 20, 1) == first[:20]
    assert find_openings("random:4", STANDARD, 50, 2) != first


def test_all_openings_there_are_are_found() -> None:
    """One ply has four on seven columns, two plies have 25; mirror images count once."""
    assert len(find_openings("random:1", STANDARD, 4)) == 4
    assert len(find_openings("random:2", STANDARD, 25)) == 25
    with pytest.raises(
        UsageError, match="there are 25 different ones, which make 50 games, not 52"
    ):
        find_openings("random:2", STANDARD, 26)


@pytest.mark.parametrize("spec", ["random:", "random:0", "random:42", "random:x", "random:-1"])
def test_impossible_plies_are_refused(spec: str) -> None:
    """The message says what can be asked for."""
    with pytest.raises(UsageError, match="say random:N, N plies from 1 to 41"):
        find_openings(spec, STANDARD, 1)


def test_a_file_is_used_in_its_order(tmp_path: Path) -> None:
    """Move strings, a line each; blank lines and comments are not openings."""
    path = tmp_path / "openings.txt"
    path.write_text("# mine\n44\n\n4453  # a favourite\n12\n")
    assert find_openings(str(path), STANDARD, 3) == ["44", "4453", "12"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("44\n48\n", r"line 2: move 2 \('8'\): the last column is 7"),
        ("121212\n", "line 1: after 121212 the game is over, or won at once"),
        ("1212121\n", "line 1: after 1212121 the game is over, or won at once"),
        ("12\n\n76\n", "line 3: the same opening as in line 1"),
        ("44\n", "there are 1 different ones, which make 2 games, not 4"),
    ],
)
def test_bad_files_are_refused(tmp_path: Path, text: str, reason: str) -> None:
    """The file, the line and the reason are told."""
    path = tmp_path / "openings.txt"
    path.write_text(text)
    with pytest.raises(UsageError, match=reason):
        find_openings(str(path), STANDARD, 2)


def test_a_source_that_is_none(tmp_path: Path) -> None:
    """Neither a kind of opening nor a file."""
    with pytest.raises(UsageError, match=r"no source random:N, and no file"):
        find_openings(str(tmp_path / "nothing"), STANDARD, 1)
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="no file"):
        find_openings(str(tmp_path / "binary"), STANDARD, 1)
