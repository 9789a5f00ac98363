"""Exports of a stored contest: what people paste, and what other programs read."""

import csv
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import orjson
import pytest
from c4_protocol.program.text import checked_name
from c4_protocol.records.events import FaultRecord, GameEnded
from c4_protocol.records.reports import Standings
from c4_protocol.rules.notation import cells_from_moves, moves_text
from c4_protocol.rules.variant import STANDARD, Variant
from c4_referee.bots.contain.faults import Fault
from c4_referee.records.formats.cells import safe_cell
from c4_referee.records.stats.standings import standings
from c4_referee.records.storage.contests import RunSummary, StoredBot, StoredContest
from c4_referee.records.storage.game_files import read_results
from c4_referee.report.site import exports
from c4_referee.report.terminal.standings_tables import ratings_csv
from contests import random_game
from effort import examples
from games import game_of
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

HOSTILE = [
    "a|b",
    '"]',
    "<script>",
    "*x*",
    "=1+1",
    "[a](b)",
    "a, b",
    "{ ;",
    "%x",
    "\\",
    "- x",
    "1. x",
]


def is_name(text: str) -> bool:
    """Return whether a text can be the name of a bot."""
    try:
        return checked_name(text) == text
    except ValueError:
        return False


NAMES = st.sampled_from(HOSTILE) | st.text(min_size=1, max_size=20).filter(is_name)
VARIANTS = st.sampled_from([STANDARD, *map(Variant.parse, ("4x4", "line8", "12x3x4"))]) | st.just(
    Variant(5, 4, 3, gravity=False, directions=("diagonal",))
)
FAULTS = st.sampled_from(sorted(Fault))


@st.composite
def games(draw: st.DrawFn, names: Sequence[str], variant: Variant, number: int) -> GameEnded:
    """Return a game of any two bots, perhaps forfeited, void, repeated or without moves."""
    first, second = draw(st.permutations(names))[:2]
    game = random_game(draw(st.integers(0, 9)), first, second, variant, draw(st.integers(0, 12)))
    cells = cells_from_moves(game.moves, variant)
    opening = moves_text(variant, cells[: draw(st.integers(0, 4))])
    game = replace(game, game=number, opening=opening, ms=[], cpu_ms=[], stderr={})
    ending = draw(st.sampled_from(("line", "full board", "forfeit", "void", "not played")))
    if ending in {"line", "full board"}:
        winner = draw(st.sampled_from((1, 2))) * (ending == "line")
        return replace(game, ending=ending, winner=winner, fault=None)
    loser = 0 if ending == "void" else draw(st.sampled_from((1, 2)))
    kind, culprit = draw(FAULTS).value, (first, second)[loser - 1]
    fault = FaultRecord(culprit, kind, "forfeit", 0, 1.0, 1.0, 'a "detail", \\x1b')
    moves, winner = ("" if ending == "not played" else game.moves), (3 - loser if loser else 0)
    how = "forfeit" if loser else "void"
    return replace(game, moves=moves, winner=winner, ending=how, fault=fault)


@st.composite
def contests(draw: st.DrawFn) -> StoredContest:
    """Return a contest of up to four bots."""
    names = draw(st.lists(NAMES, min_size=2, max_size=4, unique=True))
    variant = draw(VARIANTS)
    number_of_games = draw(st.integers(1, 12))
    return contest_of(
        names, [draw(games(names, variant, number)) for number in range(1, number_of_games + 1)]
    )


def contest_of(
    names: Sequence[str], played: Sequence[GameEnded], run: RunSummary | None = None
) -> StoredContest:
    """Return the contest of some games."""
    bots = tuple(StoredBot(name, ("true",), "") for name in names)
    variant = played[0].variant.variant() if played else STANDARD
    began = "2026-11-22 15:04:05"
    identity = {"name": "Cup *1*", "system": "swiss"}
    return StoredContest(1, variant, identity, began, bots, tuple(played), (), run)


def standings_of(contest: StoredContest) -> Standings:
    """Return the standings of a contest."""
    return standings([bot.name for bot in contest.bots], contest.games)


@given(contests())
@examples(200)
def test_games_are_read_back(contest: StoredContest) -> None:
    """Each export has all games in their order, as ``rate`` reads them from the folder."""

    def read(text: str) -> list[tuple[object, ...]]:
        with TemporaryDirectory() as folder:
            (path := Path(folder) / "games.jsonl").write_text(text, encoding="utf-8")
            found = [*read_results([str(path)], lambda *_: pytest.fail("a line cannot be read"))]
            assert [*read_results([folder], lambda *_: None)] == found
        return [
            (one.first, one.second, one.winner, one.opening, one.variant, one.ending == "void",
             one.fault and one.fault.bot)
            for one in found
        ]  # fmt: skip

    stored = read("".join(f"{orjson.dumps(game).decode()}\n" for game in contest.games))
    assert len(stored) == len(contest.games)
    for export in (exports.games_csv, exports.games_pgn, exports.games_jsonl):
        assert read("".join(export(contest))) == stored


@given(contests())
@examples(100)
def test_tables_have_a_row_for_each_bot_and_game(contest: StoredContest) -> None:
    """Tables are read back by a CSV reader, with any names, and no cell is a formula."""
    table = standings_of(contest)
    names = [bot.bot for bot in table.bots]
    header, *rows = csv.reader([*exports.crosstable_csv(table)], strict=True)
    cells = [safe_cell(name) for name in names]
    assert header == ["rank", "bot", "points", *cells]
    assert [row[1] for row in rows] == cells
    for row, bot in zip(rows, table.bots, strict=True):
        assert row[3 + names.index(bot.bot)] == ""
        assert sum(map(float, filter(None, row[3:]))) == bot.points == float(row[2])
    ratings = [*csv.DictReader(ratings_csv(table).splitlines(), strict=True)]
    assert [row["bot"] for row in ratings] == cells
    lines = [*csv.DictReader(exports.games_csv(contest), strict=True)]
    assert [(row["number"], row["moves"]) for row in lines] == [
        (str(game.game), game.moves) for game in contest.games
    ]
    texts = [text for row in lines for text in row.values()]
    assert not [text for text in texts + cells if text.startswith(tuple("=+-@"))]


@given(contests())
@examples(100)
def test_names_change_nothing_in_markdown(contest: StoredContest) -> None:
    """A reader of Markdown shows the names as they are, without any element of their own."""
    table = standings_of(contest)
    text = exports.summary_markdown(contest, table)
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    shown = [
        "".join(part.content for part in token.children or ())
        for token in tokens
        if token.type == "inline"
    ]
    kinds = {part.type for token in tokens for part in token.children or ()}
    assert kinds <= {"text", "text_special", "strong_open", "strong_close"}
    header = shown.index("rating") + 1
    assert shown[header + 1 : header + 8 * len(table.bots) : 8] == [bot.bot for bot in table.bots]
    for bot in table.bots:
        assert any(line.startswith(f"{bot.bot}: ") for line in shown) == bool(bot.forfeits)


def test_lines_of_pgn_are_short() -> None:
    """Even the longest moves of the largest board fit in lines of 80 characters."""
    variant = Variant(52, 52, gravity=False)
    moves = " ".join(["Z52"] * 2704)
    text = "".join(exports.games_pgn(contest_of("ab", [game_of(moves, variant=variant)])))
    assert max(map(len, text.splitlines())) <= 80
