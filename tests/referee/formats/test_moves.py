"""Move strings, one on each line, and tables that have only moves."""

import pytest
from c4_referee.formats import StoredGame, moves
from result_files import read


def test_lines_are_games(tmp_path):
    """Each line is a game, whose result the rules give. An unfinished game is void."""
    assert read(tmp_path, "1212121\n\n 2 1 2 1 2 1 2\r\n44") == [
        StoredGame("first", "second", 1, "1212121"),
        StoredGame("first", "second", 1, "2121212"),
        StoredGame("first", "second", 0, "44", "void"),
    ]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("4444444", "move 7 ('4'): the column is full"),
        ("12121213", "move 8 ('3') comes after the end of the game"),
        ("48", "move 2 ('8'): the last column is 7"),
        ("4 1-0", "not a column"),
    ],
)
def test_lines_that_are_no_game_are_reported(tmp_path, line, reason):
    """A line with wrong moves is reported, and the other lines are read."""
    *games, bad = read(tmp_path, f"44\n{line}\n44\n")
    assert len(games) == 2
    assert bad.number == 2
    assert reason in bad.reason


@pytest.mark.parametrize("line", [b"44 3", b"7", b"1 2 3"])
def test_columns_are_recognised(line):
    """A line of columns from 1 is a move string."""
    assert moves.recognises(line)


@pytest.mark.parametrize("line", [b"", b"0", b"4a", b"48", b"4 -2", b"1. d1", b"hello"])
def test_other_lines_are_not_recognised(line):
    """Any other text is not a move string."""
    assert not moves.recognises(line)


def test_tables_may_have_moves_only(tmp_path):
    """Without the column of results, the rules give them. Names and variants are optional."""
    assert read(tmp_path, "moves\n1212121\n44\n") == [
        StoredGame("first", "second", 1, "1212121"),
        StoredGame("first", "second", 0, "44", "void"),
    ]
    text = "first;second;variant;opening;moves\na;b;5x5x3;31;424\nb;a;codingame;;4s\n"
    assert read(tmp_path, text) == [
        StoredGame("a", "b", 0, "31424", "void", opening="31", variant="5x5x3"),
        StoredGame("b", "a", 0, "4s", "void", variant="codingame"),
    ]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("standard,4444444", "the column is full"),
        ("chess,44", "no variant 'chess'"),
        ("standard,e4 e5", "is not where the stone falls"),
    ],
)
def test_rows_without_a_game_are_reported(tmp_path, row, reason):
    """Moves that must give a result have to be moves of a known variant."""
    (bad,) = read(tmp_path, f"variant,moves\n{row}\n")
    assert bad.number == 2
    assert reason in bad.reason
