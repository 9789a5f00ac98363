"""Result files of other programs: what the files in ``files`` cannot show."""

import csv
import io
import json
from contextlib import suppress

import pytest
from c4_protocol.program.errors import UsageError
from c4_protocol.rules.notation import cells_from_moves
from c4_protocol.rules.variant import STANDARD, Variant
from c4_referee.records.formats import (
    StoredGame,
    UnreadableLine,
    driver,
    kaggle,
    moves,
    variant_name,
)
from c4_referee.records.formats.delimited import DELIMITERS
from c4_referee.records.storage import game_files
from c4_referee.records.storage.game_files import read_results
from hypothesis import given
from hypothesis import strategies as st
from other_records import kaggle_replay
from result_files import lines_read, read

HEADER = "first,second,result"
TAGS = '[White "{}"]\n[Black "b"]\n[Result "{}"]\n[Variant "{}"]\n\n'
OTHER_TEXTS = {
    driver: [
        *(b"", b"hello", b"{}", b'{"event":"grid"}', b"-------\n" * 9, b"1 2 1 2\n" * 9),
        *(b". . .\n" * 9, b". . . .\n. . . .\n"),
    ],
    moves: [b"", b"0", b"4a", b"48", b"4 -2", b"1. d1", b"hello"],
}
"""Texts that are not of a format, such as rulers, full rows at the top and small blocks."""


@pytest.mark.parametrize(
    ("module", "text"), [(module, text) for module, texts in OTHER_TEXTS.items() for text in texts]
)
def test_other_texts_are_not_recognised(module, text):
    """A text that is not of a format is not recognised."""
    assert not module.recognises(text)


def test_long_texts_are_not_repeated_in_reasons(tmp_path):
    """The reason for an unreadable line shows only the start of a long text."""
    long = "x" * 10_000
    record = {"event": "game_ended", "first": "a", "second": "b", "moves": "", "winner": 1}
    fault = json.dumps(record | {"fault": {"bot": long, "fault": "late"}})
    for text in (
        TAGS.format("a", long, ""),
        TAGS.format("a", "*", long),
        f"{HEADER}\na,b,{long}",
        fault,
    ):
        found = read(tmp_path, text)
        assert found
        assert all(isinstance(bad, UnreadableLine) and len(bad.reason) < 200 for bad in found)


@given(st.text(max_size=20) | st.text("17x6 LINEline8") | st.from_type(Variant).map(str))
def test_name_of_a_variant_names_it(text):
    """The name of a variant, as it is shown, names the same variant."""
    with suppress(ValueError):
        name = variant_name(text)
        assert name
        assert name.isprintable()
        assert variant_name(name) == name


def test_folder_of_a_match_is_read(tmp_path):
    """For a folder, its file ``games.jsonl`` is read."""
    (tmp_path / "games.jsonl").write_text("44\n")
    assert len([*read_results([str(tmp_path)], print)]) == 1


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        (["missing"], "cannot read .*missing: No such file"),
        ([""], r"cannot read .*games\.jsonl: No such file"),
        (["loop"], "cannot read .*loop: Too many levels"),
        (["here", "here/games.jsonl"], "are the same file"),
    ],
)
def test_files_that_are_missing_or_named_twice_are_refused(tmp_path, names, reason):
    """A missing file, a link to itself, and a file that is named twice are refused in one line."""
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "games.jsonl").write_text("44\n")
    with pytest.raises(UsageError, match=reason):
        [*read_results([str(tmp_path / name) for name in names], print)]


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


def test_damaged_document_is_one_line(tmp_path, monkeypatch):
    """A damaged or very long document of many lines is reported once, in the right line."""
    text = kaggle_replay(STANDARD, cells_from_moves("1212121", STANDARD), indent=2)
    lines = text.split("\n")
    lines[9] = "?"
    (bad,) = read(tmp_path, "\n\n" + "\n".join(lines))
    assert bad.number == 12
    assert bad.reason.startswith("not JSON")
    monkeypatch.setattr(kaggle, "MAX_DOCUMENT_BYTES", 1000)
    assert read(tmp_path, text) == [UnreadableLine(1, "the document is longer than 1000 bytes")]


@pytest.mark.parametrize("text", ["{", "}", ";", '[a "', '"', "(", "{;", "}{"])
def test_very_long_lines_of_pgn_are_read(text):
    """A line with a million braces, semicolons, quotes or brackets is read without delay."""
    tags = TAGS.format("a", "1-0", "").rstrip()
    for found in lines_read(f"{tags}\n{text * 1_000_000}\n".encode()):
        assert isinstance(found, StoredGame | UnreadableLine)


@given(st.binary(max_size=200))
def test_any_file_is_recognised_or_not(data):
    """Any bytes are read or refused without an exception."""
    lines_read(data)
