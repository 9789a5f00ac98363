"""Result files of other programs: what is read, and what is reported."""

import csv
import io
import json
from contextlib import suppress

import pytest
from c4_protocol.errors import UsageError
from c4_protocol.text import check_name
from c4_referee.formats import Forfeit, StoredGame, UnreadableLine, reader_for, stored
from c4_referee.formats.delimited import DELIMITERS
from c4_referee.formats.stored import read_results
from hypothesis import given
from hypothesis import strategies as st

HEADER = "first,second,result"
GAME = (
    '{"game":1,"first":"a","second":"b","moves":"1122334","ms":[1.5],"cpu_ms":[1.0],"winner":1,'
    '"ending":"line","fault":null,"notes":[],"stderr":{},"variant":{},"opening":"1",'
    '"event":"game_ended"}'
)
PGN = """\
[Event "an event"]
[Site "?"]
[Round "1"]
[White "a"]
[Black "b"]
[Result "1-0"]
[PlyCount "7"]

1. d1 {+0.12/8 0.31s} d2 2. e1 e2 3. f1
f2 4. g1 {White connects} 1-0

[Event "an event"]
[White "b \\"the bot\\""]
[Black "a"]
[Result "1/2-1/2"]
[FEN "7/7/7/7/7/3xo2 w"]

1/2-1/2
"""


def read(tmp_path, text: str | bytes) -> list:
    """Return the results of a file, followed by its unreadable lines."""
    path = tmp_path / "file"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    complaints: list[UnreadableLine] = []
    found = [*read_results([str(path)], lambda _, bad: complaints.append(bad))]
    return [*found, *complaints]


def lines_read(data: bytes) -> list:
    """Return what the format that recognises the bytes reads, or an empty list if none does."""
    lines = [*enumerate(data.split(b"\n"), 1)]
    reader = reader_for(next((line for _, line in lines if line.strip()), b""))
    return [] if reader is None else [*reader(lines)]


def is_name(text: str) -> bool:
    """Return whether a bot may have this name."""
    with suppress(ValueError):
        return bool(check_name(text))
    return False


def written(format_name: str, first: str, second: str) -> str:
    """Return a file with one game of these bots, as a program would write it."""
    if format_name == "jsonl":
        return json.dumps(json.loads(GAME) | {"first": first, "second": second})
    if format_name == "pgn":
        names = (name.replace("\\", "\\\\").replace('"', '\\"') for name in (first, second))
        return '[White "{}"]\n[Black "{}"]\n[Result "1-0"]\n\n1. d1 1-0\n'.format(*names)
    text = io.StringIO()
    rows = [HEADER.split(","), [first, second, "1-0"]]
    csv.writer(text, delimiter=format_name, lineterminator="\n").writerows(rows)
    return text.getvalue()


@pytest.mark.parametrize("format_name", ["jsonl", "pgn", *DELIMITERS])
@given(
    names=st.lists(
        st.text(min_size=1).filter(is_name) | st.text(" \"',;|[]{}\\%=a").filter(is_name),
        min_size=2,
        max_size=2,
        unique=True,
    )
)
def test_every_name_is_read_as_it_was_written(format_name, names):
    """Every name that a bot may have can be written in each format, and is read unchanged."""
    (game,) = lines_read(written(format_name, *names).encode())
    assert (game.first, game.second) == tuple(names)


def test_our_own_games_are_read(tmp_path):
    """A ``game_ended`` line is a result with its fault. Other events are ignored."""
    forfeit = GAME.replace(
        '"fault":null', '"fault":{"bot":"b","fault":"late","policy":"forfeit","ply":3}'
    ).replace('"line"', '"forfeit"')
    events = ['{"event":"game_started","game":1}', GAME, '{"event":"match_ended"}', "", forfeit]
    assert read(tmp_path, "\r\n".join(events)) == [
        StoredGame("a", "b", 1, "1122334", "line", opening="1"),
        StoredGame("a", "b", 1, "1122334", "forfeit", Forfeit("b", "late"), "1"),
    ]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "not JSON"),
        ("[1]", "not an event"),
        ('{"event":3}', "not an event"),
        ('{"event":"game_ended"}', "first: Field required"),
        (GAME.replace('"winner":1', '"winner":3'), "winner: "),
        (GAME.replace('"first":"a"', '"first":"b"'), "'b' plays against itself"),
        (GAME.replace('"first":"a"', '"first":""'), "'' cannot be a name"),
        (GAME.replace('"first":"a"', '"first":"a\\u001b[2J"'), "cannot be a name"),
        (GAME.replace('"moves":"1122334",', ""), "moves: Field required"),
        (GAME.replace("null", '{"bot":"b","fault":"\\u202e"}'), "cannot be a fault"),
        (GAME[:90], "not JSON"),
    ],
)
def test_wrong_lines_of_our_own_are_reported(tmp_path, line, reason):
    """A wrong line is reported with its number, and the games around it are read."""
    first, last, bad = read(tmp_path, f"{GAME}\n{line}\n{GAME}\n")
    assert first == last == StoredGame("a", "b", 1, "1122334", "line", opening="1")
    assert bad.number == 2
    assert reason in bad.reason
    assert "\n" not in bad.reason


def test_pgn_is_read(tmp_path):
    """In a PGN, White goes first. Comments, move numbers and glyphs are ignored."""
    assert read(tmp_path, PGN) == [
        StoredGame("a", "b", 1, " d1 d2 e1 e2 f1 f2 g1"),
        StoredGame('b "the bot"', "a", 0, None, opening="7/7/7/7/7/3xo2 w"),
    ]


def test_games_without_moves_or_blanks_between_are_separated(tmp_path):
    """In a PGN, a repeated tag begins a new game.

    ``*`` means a void game, and a loss on time is a forfeit.
    """
    tags = '[White "{}"]\n[Black "{}"]\n[Result "{}"]\n'
    text = tags.format("a", "b", "*") + tags.format("b", "a", "0-1")
    text += '[Termination "time forfeit"]\n' + tags.format("a", "b", "0-1") + "1... 0-1"
    assert read(tmp_path, text) == [
        StoredGame("a", "b", 0, None, "void"),
        StoredGame("b", "a", 2, None, "forfeit", Forfeit("b", "time forfeit")),
        StoredGame("a", "b", 2, None),
    ]


def test_same_moves_from_another_position_are_another_game(tmp_path):
    """Games with different FENs are different, even with equal moves."""
    tags = '[White "a"]\n[Black "b"]\n[Result "1-0"]\n[FEN "{}"]\n\n1. d1 1-0\n\n'
    one, other = read(tmp_path, tags.format("x") + tags.format("o"))
    assert one.moves != other.moves


@pytest.mark.parametrize(
    ("text", "number", "reason"),
    [
        ('[White "a"]\n[Result "1-0"]\n\n1-0\n', 1, "no tag Black"),
        ('[White "a"]\n[Black "b"]\n', 1, "no tag Result"),
        ('[White "a"]\n[Black "b"]\n[Result "won"]\n', 1, "'won' is not a result"),
        ('[White "a"]\n[Black "a"]\n[Result "1-0"]\n', 1, "'a' plays against itself"),
        ('[White "a"]\n[Black "b\n[Black "b"]\n[Result "1-0"]\n', 2, "is not a tag"),
        (f"{PGN}\n" + '[White "a"]\n[Black "b"]\n', 20, "no tag Result"),
    ],
)
def test_wrong_pgn_is_reported(tmp_path, text, number, reason):
    """A wrong PGN is reported with the line of the tag, or the line where the game begins."""
    bad = [found for found in read(tmp_path, text) if isinstance(found, UnreadableLine)]
    assert [found.number for found in bad] == [number]
    assert reason in bad[0].reason


def test_pgn_may_be_of_the_standards_own_character_set(tmp_path):
    """A file that is not UTF-8 is read as ISO 8859-1."""
    text = '[White "Müller"]\n[Black "b"]\n[Result "1-0"]\n'
    assert read(tmp_path, text.encode("latin-1")) == read(tmp_path, text)


@pytest.mark.parametrize("delimiter", ",;\t|")
def test_tables_are_read(tmp_path, delimiter):
    """Delimiters, order of columns and spelling of results may vary. Other columns are ignored."""
    rows = [
        "\ufeffDate,Second,First,RESULT,moves,opening",
        '2024,b,"a x",1-0,44,4',
        ",b,a x,0.5,44,",
        ",a x,b,0,,",
        "2024,a x,b,*,,",
    ]
    text = "\n".join(rows).replace(",", delimiter)
    assert read(tmp_path, text) == [
        StoredGame("a x", "b", 1, "4 44", opening="4"),
        StoredGame("a x", "b", 0, " 44"),
        StoredGame("b", "a x", 2, None),
        StoredGame("b", "a x", 0, None, "void"),
    ]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("a,b", "3 columns, but 2 entries"),
        ("a,b,1-0,", "3 columns, but 4 entries"),
        ("a,b,2-0", "'2-0' is not a result"),
        ("a,,1-0", "'' cannot be a name"),
        ("a,a,1-0", "plays against itself"),
        ('a,"b,1-0', "unexpected end of data"),
        (b"a,\xff,1-0", "utf-8"),
    ],
)
def test_wrong_rows_are_reported(tmp_path, row, reason):
    """A wrong row is reported with its line, and the games around it are read."""
    row = row.encode() if isinstance(row, str) else row
    text = b"\n".join([HEADER.encode(), b"a,b,1", row, b"a,b,1-0"])
    first, last, bad = read(tmp_path, text)
    assert first == last == StoredGame("a", "b", 1)
    assert bad.number == 3
    assert reason in bad.reason


@pytest.mark.parametrize("text", ["hello", "first,second\na,b", "result\n1-0", "\n\n1. d4 *"])
def test_unknown_files_are_refused(tmp_path, text):
    """An unknown file is refused with its first line and the known formats."""
    with pytest.raises(UsageError, match=r"line \d.*delimited, jsonl, pgn"):
        read(tmp_path, text)


def test_empty_file_has_no_games(tmp_path):
    """An empty file has no games, and is not an error."""
    assert read(tmp_path, " \n\n") == []


def test_folder_of_a_match_is_read(tmp_path):
    """For a folder, its file ``games.jsonl`` is read."""
    (tmp_path / "games.jsonl").write_text(GAME)
    assert len([*read_results([str(tmp_path)], print)]) == 1


def test_missing_files_and_files_named_twice_are_refused(tmp_path):
    """A missing file, and a file that is named twice, are refused."""
    with pytest.raises(UsageError, match=r"cannot read .*games\.jsonl: No such file"):
        [*read_results([str(tmp_path)], print)]
    (tmp_path / "games.jsonl").write_text(GAME)
    with pytest.raises(UsageError, match="are the same file"):
        [*read_results([str(tmp_path), str(tmp_path / "games.jsonl")], print)]


def test_overlong_lines_are_reported_and_skipped(tmp_path, monkeypatch):
    """A line that is too long is reported and skipped, and later lines have the right numbers."""
    monkeypatch.setattr(stored, "MAX_LINE_BYTES", 1000)
    text = "\n".join([HEADER, "a,b,1", "x" * 5000, "a,b,1", "a,b,3"])
    *games, long, wrong = read(tmp_path, text)
    assert games == [StoredGame("a", "b", 1)] * 2
    assert (long.number, wrong.number) == (3, 5)
    assert "longer than 1000 bytes" in long.reason


@given(st.binary(max_size=200))
def test_any_file_is_recognised_or_not(data):
    """Any bytes are read or refused without an exception."""
    lines_read(data)
