"""Result files of other programs: what is read, and what is reported."""

import csv
import io
import json
from contextlib import suppress
from dataclasses import asdict, replace

import pytest
from c4_protocol.program.errors import UsageError
from c4_protocol.records.events import VariantRecord
from c4_protocol.rules.variant import LINE8, Variant
from c4_referee.formats import Forfeit, StoredGame, UnreadableLine, variant_name
from c4_referee.formats.delimited import DELIMITERS
from c4_referee.storage import game_files
from c4_referee.storage.game_files import read_results
from hypothesis import given
from hypothesis import strategies as st
from result_files import lines_read, read

HEADER = "first,second,result"
GAME = (
    '{"game":1,"first":"a","second":"b","moves":"1122334","ms":[1.5],"cpu_ms":[1.0],"winner":1,'
    '"ending":"line","fault":null,"notes":[],"stderr":{},"variant":{},"opening":"1",'
    '"event":"game_ended"}'
)
PLAYED = StoredGame("a", "b", 1, "1122334", "line", opening="1", ms=(1.5,))
"""The game in the line ``GAME``."""

RESULTS = ("1/2-1/2", "1-0", "0-1")
"""Texts of results, by the seat of the winner."""
comments = st.lists(
    st.text().map(lambda text: "{" + text.replace("}", "") + "}") | st.just('; [White "x"]\n'),
    min_size=3,
    max_size=3,
)


def write_jsonl(games: list[StoredGame], _: list[str]) -> str:
    """Return our own records of games."""
    records = (
        asdict(game)
        | {"event": "game_ended", "moves": game.moves or ""}
        | {"variant": asdict(VariantRecord.of(Variant.parse(game.variant)))}
        for game in games
    )
    return "\n".join(map(json.dumps, records))


def write_pgn(games: list[StoredGame], comments: list[str]) -> str:
    """Return games in PGN, with comments before, between and after the moves."""
    text = ""
    for game in games:
        result = "*" if game.ending == "void" else RESULTS[game.winner]
        tags = {"White": game.first, "Black": game.second, "Result": result, "FEN": game.opening}
        tags |= {"Variant": game.variant, "Termination": game.fault.fault if game.fault else "?"}
        for name, value in tags.items():
            escaped = value.replace("\\", "\\\\").replace('"', '\\"')
            text += f'[{name} "{escaped}"]\n'
        before, between, after = comments
        moves = f" {between} ".join(f"1. {move}" for move in (game.moves or "").split())
        text += f"{before}\n{moves} {after} {result}\n\n"
    return text


def write_table(games: list[StoredGame], delimiter: str) -> str:
    """Return games as a table."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
    writer.writerow([*HEADER.split(","), "moves", "opening", "variant"])
    for game in games:
        result = "*" if game.ending == "void" else RESULTS[game.winner]
        moves, variant = game.moves or "", game.variant
        writer.writerow([game.first, game.second, result, moves, game.opening, variant])
    return text.getvalue()


def written(format_name: str, games: list[StoredGame], comments: list[str]) -> str:
    """Return a file with games, as a program would write it."""
    if format_name in DELIMITERS:
        return write_table(games, format_name)
    return (write_jsonl if format_name == "jsonl" else write_pgn)(games, comments)


games = st.builds(
    lambda names, winner, moves, opening, variant, kind: StoredGame(
        *names,
        0 if kind == "void" else winner,
        " ".join(moves),
        kind if kind == "void" or winner else "",
        Forfeit(names[2 - winner], "time forfeit") if kind == "forfeit" and winner else None,
        opening,
        variant,
    ),
    st.lists(
        st.text("aé四 \"';,|[]{}%", min_size=1).map(str.strip).filter(bool),
        min_size=2,
        max_size=2,
        unique=True,
    ),
    st.integers(0, 2),
    st.lists(st.sampled_from(["a1", "b12", "h7", "4"]), min_size=1),
    st.sampled_from(["", "44", "xo {"]),
    st.sampled_from(["standard", "8x7x4", "9x7x5", "line8"]),
    st.sampled_from(["", "void", "forfeit"]),
)


@pytest.mark.parametrize("format_name", ["jsonl", "pgn", *DELIMITERS])
@given(games=st.lists(games, min_size=1, max_size=4), comments=comments)
def test_games_are_read_as_they_were_written(format_name, games, comments):
    """Games that are written in each format are read unchanged.

    Tables have no forfeits. In PGN and tables, the moves are read with the opening before them.
    PGN may have remarks, too.
    """
    expected = games
    if format_name != "jsonl":
        expected = [replace(game, moves=f"{game.opening} {game.moves}") for game in games]
    if format_name in DELIMITERS:
        void = {"void": "void"}
        expected = [
            replace(game, fault=None, ending=void.get(game.ending, "")) for game in expected
        ]
    found = lines_read(written(format_name, games, comments).encode())
    assert [replace(game, remarks=()) for game in found] == expected


def test_our_own_games_are_read(tmp_path):
    """A ``game_ended`` line is a result with its fault. Other events are ignored."""
    forfeit = GAME.replace(
        '"fault":null', '"fault":{"bot":"b","fault":"late","policy":"forfeit","ply":3}'
    ).replace('"line"', '"forfeit"')
    talking = GAME.replace('"opening"', '"remarks":["depth 14","","",""],"opening"')
    events = ['{"event":"game_started","game":1}', talking, '{"event":"match_ended"}', "", forfeit]
    assert read(tmp_path, "\r\n".join(events)) == [
        replace(PLAYED, remarks=("depth 14", "", "", "")),
        replace(PLAYED, ending="forfeit", fault=Forfeit("b", "late", ply=3)),
    ]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "not JSON"),
        ("[1]", "not an event"),
        ('{"event":3}', "not an event"),
        ('{"event":"game_ended"}', "first: Field required"),
        (GAME.replace('"winner":1', '"winner":3'), "winner: "),
        (GAME.replace('"moves":"1122334",', ""), "moves: Field required"),
        (GAME.replace("null", '{"bot":"b","fault":"\\u202e"}'), "cannot be a fault"),
        (GAME[:90], "not JSON"),
        (GAME.replace("null", '{"bot":"c","fault":"late"}'), "'c' does not play in the game"),
        (GAME.replace('"variant":{}', '"variant":"8x7"'), "variant: Input should be an object"),
        (GAME.replace('"variant":{}', '"variant":{"width":99}'), "variant: a board is 1 to 52"),
        (GAME.replace('"variant":{}', '"variant":{"width":true}'), "width is a whole number"),
        (GAME.replace('"variant":{}', '"variant":{"gravity":1}'), "gravity is true or false"),
        (GAME.replace("[1.5]", '["soon"]'), "ms.0: Input should be a valid number"),
    ],
)
def test_wrong_lines_of_our_own_are_reported(tmp_path, line, reason):
    """A wrong line is reported with its number, and the games around it are read."""
    first, last, bad = read(tmp_path, f"{GAME}\n{line}\n{GAME}\n")
    assert first == last == PLAYED
    assert bad.number == 2
    assert reason in bad.reason
    assert "\n" not in bad.reason


@pytest.mark.parametrize("winner", ["true", "false", "1.0", "0.0", '"1"', "null", "3", "-1", "[]"])
def test_winner_is_a_whole_number(tmp_path, winner):
    """A winner is 0, 1 or 2, and no value that only equals one of them."""
    (bad,) = read(tmp_path, GAME.replace('"winner":1', f'"winner":{winner}'))
    reason = f"winner: {winner} is not a winner: write 1 or 2, or 0 if nobody won"
    assert bad == UnreadableLine(1, reason)


def test_long_texts_are_not_repeated_in_reasons(tmp_path):
    """The reason for an unreadable line shows only the start of a long text."""
    long = "x" * 10_000
    tags = '[White "{}"]\n[Black "b"]\n[Result "{}"]\n[Variant "{}"]\n\n'
    pgn = [tags.format(*texts) for texts in (("a", long, ""), ("a", "*", long))]
    fault = GAME.replace("null", f'{{"bot":"{long}","fault":"late"}}')
    for text in (*pgn, f"{HEADER}\na,b,{long}", fault):
        found = read(tmp_path, text)
        assert found
        assert all(isinstance(bad, UnreadableLine) and len(bad.reason) < 200 for bad in found)


@pytest.mark.parametrize(
    ("text", "number"),
    [(b"first,second,result\na,b,1\na,\xff,1", 3), (GAME.encode() + b'\n{"\xff":1}', 2)],
)
def test_lines_that_are_not_utf8_are_reported(tmp_path, text, number):
    """A line that is not UTF-8 is reported as such."""
    _, bad = read(tmp_path, text)
    assert bad.number == number
    assert bad.reason.startswith("the line is not UTF-8 text")


@pytest.mark.parametrize("text", [f"{HEADER}\na,b,1".encode("utf-16"), b"first,second,result,\xe4"])
def test_file_that_is_not_utf8_is_refused(tmp_path, text):
    """A file of no known format that is not UTF-8 either is refused with both reasons."""
    with pytest.raises(UsageError, match=r"line 1: no known format .* it is not UTF-8 text"):
        read(tmp_path, text)


VARIANTS = {
    "": "standard",
    "standard": "standard",
    "Standard": "standard",
    "7x6": "standard",
    " 8X7 ": "8x7x4",
    "8x7x4": "8x7x4",
    "9x7x5": "9x7x5",
    "line8": "line8",
    "Pop  Out": "Pop Out",
    "99x99": "99x99",
}
"""Names of variants in files, and the names for which they stand."""


@pytest.mark.parametrize("written", VARIANTS)
def test_variants_are_read(tmp_path, written):
    """PGN and tables name variants. The names of other programs' games stay as they are."""
    pgn = f'[White "a"]\n[Black "b"]\n[Result "1-0"]\n[Variant "{written}"]\n\n1. d1 1-0\n'
    table = f"{HEADER},variant\na,b,1,{written}\n"
    found = [*read(tmp_path, pgn), *read(tmp_path, table)]
    assert [game.variant for game in found] == [VARIANTS[written]] * 2


@given(st.text(max_size=20) | st.text("17x6 LINEline8") | st.from_type(Variant).map(str))
def test_name_of_a_variant_names_it(text):
    """The name of a variant, as it is shown, names the same variant."""
    with suppress(ValueError):
        name = variant_name(text)
        assert name
        assert name.isprintable()
        assert variant_name(name) == name


def test_variant_of_our_own_games_is_read(tmp_path):
    """Our own games have the variant as an object. Without it, they are of the standard game."""
    line8 = asdict(VariantRecord.of(LINE8))
    records = [{}, {"width": 8, "height": 7}, {"gravity": False}, line8, {"width": 7, "of": "us"}]
    lines = [GAME.replace('"variant":{}', f'"variant":{json.dumps(one)}') for one in records]
    lines.append(GAME.replace('"variant":{},', ""))
    names = ["standard", "8x7x4", "7x6x4 free", "line8", "standard", "standard"]
    assert [game.variant for game in read(tmp_path, "\n".join(lines))] == names


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


def test_table_with_plies_has_all_moves(tmp_path):
    """With a number of plies, moves begin with the opening, and no plies are no moves."""
    rows = ["plies,moves,opening,first,second,result", "2,44,4,a,b,1", "0,,4,a,b,1", "3,,4,a,b,1"]
    assert [game.moves for game in read(tmp_path, "\n".join(rows))] == ["44", "", None]


def test_table_with_plies_has_faults(tmp_path):
    """With a number of plies, the loser forfeited a game that has a fault. Others ignore faults."""
    head = "plies,fault,first,second,result"
    rows = [head, "2,late,a,b,1", "2,,a,b,0", "2,late,a,b,*", ",late,a,b,1", "2,\x1b[2J,a,b,1"]
    *games, wrong = read(tmp_path, "\n".join(rows))
    assert [game.fault for game in games] == [Forfeit("b", "late"), None, None, None]
    assert wrong == (6, r"'\x1b[2J' cannot be a fault")


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("a,b", "3 columns, but 2 entries"),
        ("a,b,1-0,", "3 columns, but 4 entries"),
        ("a,b,2-0", "'2-0' is not a result"),
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
    with pytest.raises(UsageError, match=r"line \d.*delimited, driver, jsonl, "):
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


def test_loop_of_links_is_refused(tmp_path):
    """A link to itself is refused with one line."""
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(UsageError, match=r"cannot read .*loop: Too many levels"):
        [*read_results([str(tmp_path / "loop")], print)]


@pytest.mark.parametrize("delimiter", DELIMITERS)
def test_header_may_be_long_and_have_other_delimiters(tmp_path, delimiter):
    """The delimiter is the one that gives the columns, whatever the names of other columns are."""
    header = ["first", "second", "result", "a|b;c", *(f"column {n}" for n in range(200))]
    text = io.StringIO()
    rows = [header, ["a", "b", "1", *[""] * 201]]
    csv.writer(text, delimiter=delimiter, lineterminator="\n").writerows(rows)
    assert read(tmp_path, text.getvalue()) == [StoredGame("a", "b", 1)]


def test_overlong_lines_are_reported_and_skipped(tmp_path, monkeypatch):
    """A line that is too long is reported and skipped, and later lines have the right numbers."""
    monkeypatch.setattr(game_files, "MAX_LINE_BYTES", 1000)
    text = "\n".join([HEADER, "a,b,1", "x" * 5000, "a,b,1", "a,b,3"])
    *games, long, wrong = read(tmp_path, text)
    assert games == [StoredGame("a", "b", 1)] * 2
    assert (long.number, wrong.number) == (3, 5)
    assert "longer than 1000 bytes" in long.reason


@given(st.binary(max_size=200))
def test_any_file_is_recognised_or_not(data):
    """Any bytes are read or refused without an exception."""
    lines_read(data)
