"""Openings: all different, not decided at once, and the same for the same seed."""

from pathlib import Path

import pytest
from c4_bot.book import default_book
from c4_bot.solve.solver import Solver
from c4_protocol.program.errors import JudgeError, UsageError
from c4_protocol.rules.notation import position_from_moves
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import CODINGAME, LINE8, STANDARD, Variant, cells_of
from c4_referee.contest.judging.judge import Judge
from c4_referee.contest.openings import Openings, find_openings
from cores import needs_core
from hypothesis import given
from hypothesis import strategies as st


def even(position: Position) -> int:
    """Return 0 for an even sum of player 1's cells, otherwise 1, as a fake exact value."""
    return sum(cells_of(position.stones[0])) % 2


@given(st.integers(2, 12), st.integers(0, 99), st.sampled_from((STANDARD, LINE8, Variant(9, 7, 5))))
def test_random_openings_are_fit_and_different(plies: int, seed: int, variant: Variant) -> None:
    """Random openings have the right length, leave the game open, and differ, also if mirrored."""
    found = find_openings(f"random:{plies}", variant, 12, seed)
    positions = [position_from_moves(moves, variant) for moves in found]
    for position in positions:
        assert position.ply == plies
        assert not position.is_over
        assert not position.winning_cells
    stones = {position.stones for position in positions}
    assert len(stones | {position.mirrored().stones for position in positions}) >= len(found)
    assert len({frozenset((p.stones, p.mirrored().stones)) for p in positions}) == len(found)


def test_the_seed_draws_the_openings() -> None:
    """The same seed draws the same openings in the same order, for any number of openings."""
    first = find_openings("random:4", STANDARD, 50, 1)
    assert find_openings("random:4", STANDARD, 20, 1) == first[:20]
    assert find_openings("random:4", STANDARD, 50, 2) != first


def test_all_openings_there_are_are_found() -> None:
    """All openings are found: four of one ply and 25 of two plies. Mirror images count once."""
    assert len(find_openings("random:1", STANDARD, 4)) == 4
    assert len(find_openings("random:2", STANDARD, 25)) == 25
    with pytest.raises(
        UsageError, match="there are 25 different ones, which make 50 games, not 52"
    ):
        find_openings("random:2", STANDARD, 26)


@pytest.mark.parametrize("plies", ["", "0", "42", "x", "-1"])
@pytest.mark.parametrize("kind", ["random", "balanced"])
def test_impossible_plies_are_refused(kind: str, plies: str) -> None:
    """An impossible number of plies is refused with the possible numbers."""
    with pytest.raises(UsageError, match=f"say {kind}:N, N plies from 1 to 41"):
        Openings(f"{kind}:{plies}", STANDARD, judge=even).first(1)


def test_a_file_is_used_in_its_order(tmp_path: Path) -> None:
    """A file's openings are used in order, without blank lines and comments, also from Windows."""
    path = tmp_path / "openings.txt"
    text = b"# mine\n44\n\n4453  # a favourite\n12\n"
    for content in (text, b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n")):
        path.write_bytes(content)
        assert find_openings(str(path), STANDARD, 3) == ["44", "4453", "12"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("44\n48\n", r"line 2: move 2 \('8'\): the last column is 7"),
        ("121212\n", "line 1: after 121212 the game is over, or the next move wins"),
        ("1212121\n", "line 1: after 1212121 the game is over, or the next move wins"),
        ("12\n\n76\n", "line 3: the same opening as in line 1"),
        ("44\n", "there are 1 different ones, which make 2 games, not 4"),
    ],
)
def test_bad_files_are_refused(tmp_path: Path, text: str, reason: str) -> None:
    """A bad file is refused with the line and the reason."""
    path = tmp_path / "openings.txt"
    path.write_text(text)
    with pytest.raises(UsageError, match=reason):
        find_openings(str(path), STANDARD, 2)


def test_a_source_that_is_none(tmp_path: Path) -> None:
    """A source that is neither a kind of opening nor a file is refused."""
    with pytest.raises(UsageError, match=r"neither random:N nor balanced:N, and no file"):
        find_openings(str(tmp_path / "nothing"), STANDARD, 1)
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="no file of UTF-8 text"):
        find_openings(str(tmp_path / "binary"), STANDARD, 1)


def test_balance_takes_a_judge() -> None:
    """Balanced openings without a judge are refused at once."""
    with pytest.raises(UsageError, match="no judge knows which are balanced on 8x7x4"):
        Openings("balanced:4", Variant(8, 7))


@pytest.mark.parametrize("plies", [3, 9])
def test_balanced_openings_are_those_of_the_judge(plies: int) -> None:
    """Balanced openings are draws for the judge, all different, and the same for the same seed."""
    found = find_openings(f"balanced:{plies}", STANDARD, 20, 1, even)
    positions = [position_from_moves(moves, STANDARD) for moves in found]
    assert all(position.ply == plies and even(position) == 0 for position in positions)
    assert len({frozenset((p.stones, p.mirrored().stones)) for p in positions}) == 20
    assert find_openings(f"balanced:{plies}", STANDARD, 10, 1, even) == found[:10]
    assert find_openings(f"balanced:{plies}", STANDARD, 20, 2, even) != found


@needs_core
def test_all_balanced_openings_are_found() -> None:
    """On 7x6, all six balanced openings of two plies are found, and more are refused."""
    solver = Solver(STANDARD, book=default_book())
    with Judge() as judge:
        found = find_openings("balanced:2", STANDARD, 6, judge=judge.value)
        with pytest.raises(UsageError, match="there are 6 different ones, which make 12 games"):
            find_openings("balanced:2", STANDARD, 7, judge=judge.value)
    assert [solver.solve(position_from_moves(moves, STANDARD)).low for moves in found] == [0] * 6


def test_openings_that_nobody_can_judge_are_told() -> None:
    """An opening without a value is an error.

    If the opening were left out, the others would differ from run to run.
    """
    with pytest.raises(JudgeError, match="cannot tell in time whether the opening"):
        find_openings("balanced:1", STANDARD, 1, judge=lambda _: None)


def test_openings_are_drawn_as_they_are_needed(tmp_path: Path) -> None:
    """The n-th opening does not depend on the order of requests.

    The judge is not asked about openings that are not needed.
    """
    asked = []

    def judge(position: Position) -> int:
        asked.append(position)
        return 0

    openings = Openings("balanced:4", STANDARD, 3, judge)
    assert not asked
    third = openings.start(2)
    assert len(asked) == 3
    assert third == (openings.first(3)[2], 0)
    assert openings.start(0) == (openings.first(1)[0], 0)
    assert len(asked) == 3
    path = tmp_path / "openings.txt"
    path.write_text("44\n45\n")
    with pytest.raises(UsageError, match="there are 2 different ones, which make 4 games, not 6"):
        Openings(str(path), STANDARD).start(2)


def test_no_openings_are_repetitions() -> None:
    """Without openings, the n-th pair begins at the empty board with repetition n."""
    assert [Openings("none", STANDARD).start(n) for n in (0, 7)] == [("", 0), ("", 7)]
    assert find_openings("none", STANDARD, 2) == ["", ""]


def test_steal_is_one_of_the_openings() -> None:
    """Openings of two plies are those of the plain game, and the steal of each first stone."""
    found = find_openings("random:2", CODINGAME, 46)
    plain = find_openings("random:2", CODINGAME.without_steal, 41)
    assert len([moves for moves in found if moves[1] == "s"]) == 5
    assert len([moves for moves in found if moves[1] != "s"]) == len(plain)
    with pytest.raises(UsageError, match="there are 46 different ones"):
        find_openings("random:2", CODINGAME, 47)


def test_same_stones_with_another_player_to_move_are_another_opening(tmp_path: Path) -> None:
    """A file may hold two openings with the same stones, if the steal changed whose turn it is."""
    path = tmp_path / "openings.txt"
    path.write_text("12\n2s1\n5s\n")
    variant = Variant(7, 6, steal=True)
    assert find_openings(str(path), variant, 3) == ["12", "2s1", "5s"]
    path.write_text("3s\n5s\n")
    with pytest.raises(UsageError, match="line 2: the same opening as in line 1"):
        find_openings(str(path), variant, 2)
    with pytest.raises(UsageError, match="line 1: move 2"):
        find_openings(str(path), STANDARD, 2)
