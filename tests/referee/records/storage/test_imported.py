"""Games of files as records and contests."""

import csv
import io
import json
from collections.abc import Callable
from dataclasses import replace
from itertools import accumulate
from pathlib import Path
from tempfile import TemporaryDirectory

import orjson
import pytest
from c4_protocol.program.errors import ArenaError, UsageError
from c4_protocol.program.text import distinct_names, visible
from c4_protocol.records.events import FaultRecord, GameEnded
from c4_protocol.rules.notation import cells_from_moves, replay
from c4_protocol.rules.variant import CODINGAME, LINE8, STANDARD, Variant
from c4_referee.bots.find import bots_from_tables, find_bots
from c4_referee.bots.spec import BotSpec
from c4_referee.records.formats import Forfeit, StoredGame, pgn
from c4_referee.records.formats.cells import safe_cell
from c4_referee.records.storage.contests import read_contests
from c4_referee.records.storage.game_files import read_results
from c4_referee.records.storage.imported import (
    imported_contests,
    imported_game,
    imported_games,
    with_two_names,
)
from c4_referee.report.site import exports
from contests import random_game
from effort import examples
from games import game_of
from hypothesis import example, given
from hypothesis import strategies as st
from kept import archive, match
from other_records import kaggle_replay

WON = "1212121"
SIGNS = "a ab\u200c\u200d\u200e\u202e\xa0\ufeff👩💻\\u20d'=\";,"
"""Joiners, marks of direction, blanks, emoji, and the letters of their escapes."""
ANY_NAMES = st.lists(
    st.text(st.characters(codec="utf-8", exclude_characters="\r\n")) | st.text(SIGNS, max_size=6),
    min_size=2,
    max_size=2,
)
EXPORTS = (exports.games_csv, exports.games_pgn, exports.games_jsonl)


def imported(text: str) -> list[GameEnded]:
    """Return the games of a file. All its lines can be read."""
    with TemporaryDirectory() as folder:
        (path := Path(folder) / "games").write_bytes(text.encode())
        found = read_results([str(path)], lambda *bad: pytest.fail(str(bad)))
    return [imported_game(number, game) for number, game in enumerate(with_two_names(found), 1)]


def check_exports(games: list[GameEnded]) -> None:
    """Check that all exports of some games hold the same games."""
    (contest,) = imported_contests("cup", games)
    for export in EXPORTS:
        assert imported("".join(export(contest))) == games


def pgn_of(names: list[str]) -> str:
    """Return a game of two bots as PGN."""
    tags = {"White": names[0], "Black": names[1], "Result": "1-0"}
    return pgn.write(tags, [*WON])


def table_of(names: list[str]) -> str:
    """Return a game of two bots as a table."""
    text = io.StringIO()
    rows = [["first", "second", "result", "moves"], [*map(safe_cell, names), "1", WON]]
    csv.writer(text).writerows(rows)
    return text.getvalue()


def lines_of(names: list[str]) -> str:
    """Return a game of two bots as a line of ours."""
    game = game_of(WON, first=names[0], second=names[1], winner=1, ending="line")
    return orjson.dumps(game).decode()


def replay_of(names: list[str]) -> str:
    """Return a game of two bots as a replay of Kaggle."""
    replayed = json.loads(kaggle_replay(STANDARD, cells_from_moves(WON, STANDARD)))
    return json.dumps(replayed | {"info": {"TeamNames": names}})


@pytest.mark.parametrize(
    ("game", "ending"),
    [
        (StoredGame("a", "b", 0, "111222333", variant="3x3x4"), "full board"),
        *((StoredGame("a", "b", 0, moves, "void"), "void") for moves in ("", "44", WON)),
        (StoredGame("a", "b", 1, WON, "forfeit", Forfeit("b", "abandoned")), "line"),
    ],
)
def test_moves_say_how_a_game_ended(game, ending):
    """A game without a result is void. Otherwise the rules say how the game ended."""
    found = imported_game(7, game)
    assert (found.game, found.ending, found.fault) == (7, ending, None)
    assert (found.ms, found.cpu_ms, found.stderr, found.notes) == ([], [], {}, [])


@pytest.mark.parametrize(
    ("fault", "expected"),
    [(None, "unknown reason"), (Forfeit("a", "time forfeit"), "time forfeit")],
)
def test_forfeits_are_those_of_the_file(fault, expected):
    """If the file says that a game was forfeited, its loser has the fault."""
    game = imported_game(1, StoredGame("a", "b", 2, "445", "forfeit", fault))
    assert game.ending == "forfeit"
    assert (game.fault.bot, game.fault.fault, game.fault.ply) == ("a", expected, 3)


@pytest.mark.parametrize("winner", [0, 1, 2])
def test_other_results_are_early_ends(winner):
    """A result of moves that do not end the game counts, without a forfeit, in all exports."""
    game = imported_game(1, StoredGame("a", "b", winner, "445"))
    assert (game.ending, game.winner, game.fault) == ("ended early", winner, None)
    check_exports([game])


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        (StoredGame("a", "b", 1), "does not list the moves"),
        (StoredGame("a", "b", 1, "4444444"), "the column is full"),
        (StoredGame("a", "b", 1, "e4 e5"), "is not where the stone falls"),
        (StoredGame("a", "b", 2, WON), "the result is 0-1, but the moves give 1-0"),
        (StoredGame("a", "b", 0, "44", "forfeit"), "a forfeit without a winner"),
        (StoredGame("a", "b", 1, "44", "line"), "it may be cut"),
        (StoredGame("a", "b", 1, WON, plies=8), "states 8 moves, but lists 7: it may be cut"),
        (StoredGame("a", "b", 1, "44", variant="chess"), "the variant 'chess' is not one of ours"),
        (StoredGame("a", "b", 1, "7/7/7/7/P6/7 w d1", opening="7/7/7/7/P6/7 w"), "a stone floats"),
        (
            StoredGame("a", "b", 1, "7/7/7/7/7/3P3 w d2", opening="7/7/7/7/7/3P3 w"),
            "player 1's",
        ),
        (StoredGame("a", "b", 1, "7/3xo2 w d2", opening="7/3xo2 w"), "not made of digits"),
        (StoredGame("a", "b", 1, "8/7 w d2", opening="8/7 w"), "does not have 7 cells"),
        (StoredGame("a", "b", 1, "7/7 w d1", opening="7/7 w"), "columns are 6 high"),
    ],
)
def test_games_that_cannot_be_shown_are_refused(game, reason):
    """A game that is no game by the rules, or that cannot be replayed, has a reason."""
    with pytest.raises((ArenaError, ValueError), match=reason):
        imported_game(1, game)


EMPTY = "7/7/7/7/7/7[PPPPPPPPPPPPPPPPPPPPPppppppppppppppppppppp] w - - 0 1"


def test_fen_of_the_empty_board_is_no_opening():
    """The start position of cutechess is the empty board."""
    game = imported_game(1, StoredGame("a", "b", 1, f"{EMPTY} P@a1 P@b1", opening=EMPTY))
    assert (game.opening, game.moves) == ("", "12")


def test_fen_is_an_opening():
    """A game from a FEN begins with moves that lead to it."""
    fen = "7/7/7/7/2p4/2PPp2[PPpp] w - - 0 1"
    game = imported_game(1, StoredGame("a", "b", 1, f"{fen} P@c3 P@d2", opening=fen))
    assert len(game.opening) == 4
    assert game.moves == f"{game.opening}34"
    assert replay(game.moves, STANDARD)[0] == replay("334534", STANDARD)[0]


def test_opening_that_was_not_played_is_left_out():
    """An opening has to be the beginning of the moves."""
    assert imported_game(1, StoredGame("a", "b", 0, "44", "void", opening="4")).opening == "4"
    assert imported_game(1, StoredGame("a", "b", 0, "44", "void", opening="5")).opening == ""


@pytest.mark.parametrize("write", [pgn_of, table_of, lines_of, replay_of])
@given(names=ANY_NAMES)
@example(["👩\u200d💻", "👩\\u200d💻"])
@example(["a\u200cb", "\u202eabc"])
@example(["mine", "mine "])
@example(["", ""])
def test_any_names_are_two_bots(write: Callable[[list[str]], str], names: list[str]):
    """Names of any signs lose no game. The game can be exported and read again."""
    (game,) = imported(write(names))
    assert (game.moves, game.winner, game.ending) == (WON, 1, "line")
    assert game.first != game.second
    check_exports([game])


def bots_named(texts: list[str], *, are_tables: bool) -> list[BotSpec]:
    """Return the bots of a contest, whose names are those of tables, or command lines."""
    if not are_tables:
        return find_bots(texts, {}, here=False)
    known = {
        str(number): bots_from_tables({text: {"command": f"bot {number}"}}, "bots.toml")[text]
        for number, text in enumerate(texts)
    }
    return find_bots([*known], known, here=False)


@given(
    names=ANY_NAMES.filter(lambda names: all(0 < len(name.strip()) < 20 for name in names)),
    are_tables=st.booleans(),
)
@example(["👩\u200d💻", "👩\\u200d💻"], True)
@example(["a", "a "], True)
@example(["a\nb", "a\\nb"], False)
@example(["bot 'a\tb'", "bot 'a\xa0b'"], False)
@example(["a" * 200] * 2, False)
def test_any_names_of_a_contest_are_two_bots(names: list[str], are_tables: bool):
    """A bot may have a name of any signs. Its games are stored, exported and imported."""
    try:
        specs = bots_named(names, are_tables=are_tables)
    except UsageError:
        return
    with TemporaryDirectory() as folder:
        with archive(Path(folder), specs) as kept:
            for pairing in match(2):
                first, second = (specs[seat].name for seat in pairing.key[:2])
                game = game_of(WON, game=pairing.number, first=first, second=second)
                kept.issue(pairing.key)
                kept.commit(pairing.key, orjson.dumps(replace(game, winner=1, ending="line")))
        (contest,) = read_contests(Path(folder))
    assert contest.damaged == ()
    assert [bot.name for bot in contest.bots] == [spec.name for spec in specs]
    assert [game.moves for game in contest.games] == [WON] * 2
    check_exports([*contest.games])


@given(
    names=ANY_NAMES.filter(lambda names: names[0] != names[1]),
    detail=st.text("ab \"\\;,=']\u200d", min_size=1).map(str.strip).filter(bool),
    loser=st.integers(0, 1),
    is_void=st.booleans(),
)
@example(["a", "a: b"], "no answer within 50 ms", 0, True)
def test_faults_are_exported_and_imported(names, detail, loser, is_void):
    """The bot, the name, the ply and the description of a fault are in all exports."""
    first, second = distinct_names(names).values()
    ending = "void" if is_void else "forfeit"
    fault = FaultRecord((first, second)[loser], "late", ending, 3, 0.0, 0.0, visible(detail))
    winner = 0 if is_void else 2 - loser
    game = game_of("445", "4", first=first, second=second, winner=winner, ending=ending)
    check_exports([replace(game, fault=fault)])


def test_ply_of_a_fault_is_that_of_the_file():
    """JSON lines say how many moves came before the fault. A number that cannot be is changed."""
    for written, ply in ((None, 3), (1, 1), (-1, 0), (10**30, 3)):
        lost = Forfeit("a", "late", "slow", written)
        game = imported_game(1, StoredGame("a", "b", 2, "445", "forfeit", lost))
        assert (game.fault.ply, game.fault.detail) == (ply, "slow")


@pytest.mark.parametrize("winner", [1, 2])
def test_bot_that_plays_against_itself_is_two_bots(winner):
    """The second seat gets another name, always the same, and the loser has the fault."""
    lost = Forfeit("mine", "time forfeit")
    games = [
        StoredGame("mine", "mine", winner, "445", "forfeit", lost, ms=(1.0, 2.0, 3.0)),
        StoredGame("mine (2)", "mine", 0, "4", "void"),
        StoredGame("mine", "mine", 1, WON, remarks=tuple("abcdefg")),
    ]
    one, other, last = map(imported_game, (1, 2, 3), with_two_names(games))
    assert (one.first, one.second) == (last.first, last.second) == ("mine", "mine (3)")
    assert (other.first, other.second) == ("mine (2)", "mine")
    assert one.fault.bot == (one.second, one.first)[winner - 1]
    assert (one.ms, last.remarks) == ([1.0, 2.0, 3.0], [*"abcdefg"])
    check_exports([replace(one, ms=[]), other, replace(last, remarks=[])])


def test_times_are_those_of_the_file():
    """Times come from the record, or from remarks if each of them has a time."""
    game = StoredGame("a", "b", 1, "445", opening="4", ms=(1.0, 2.0), remarks=("x 5s", "\x1b"))
    assert imported_game(1, game).ms == [1.0, 2.0]
    assert imported_game(1, game).remarks == ["x 5s", "\\x1b"]
    game = StoredGame("a", "b", 1, "445", opening="4", remarks=("+0.1/9 1.25s", "M3/2 0s, won"))
    assert imported_game(1, game).ms == [1250.0, 0.0]
    for other in (("1.0s", "book"), ("1.0s",), ("1.0s",) * 3):
        game = StoredGame("a", "b", 1, "445", opening="4", remarks=other)
        assert imported_game(1, game).ms == []
    assert imported_game(1, game).remarks == []


def test_each_variant_is_a_contest():
    """Games of different variants are different contests. They keep their numbers."""
    games = [
        imported_game(n, StoredGame("a", "b", 0, "12", "void", variant=name))
        for n, name in enumerate(("standard", "codingame", "standard", "8x7"), 1)
    ]
    contests = imported_contests("games.csv", games)
    assert [contest.variant for contest in contests] == [STANDARD, CODINGAME, Variant(8, 7)]
    assert [[game.game for game in contest.games] for contest in contests] == [[1, 3], [2], [4]]
    assert [contest.number for contest in contests] == [1, 2, 3]
    assert contests[0].name == "games.csv"
    assert [bot.name for bot in contests[0].bots] == ["a", "b"]
    assert contests[0].bots[0].command == ()


def test_long_position_is_cut():
    """The free cells of a hostile FEN do not fill the memory."""
    fen = "99" * 1_000_000 + "/7 w"
    with pytest.raises(ArenaError, match="FEN"):
        imported_game(1, StoredGame("a", "b", 1, f"{fen} d1", opening=fen))


@st.composite
def any_games(draw: st.DrawFn) -> list[GameEnded]:
    """Return three games of a variant, as files hold them: won, forfeited, void or ended early."""
    variant = draw(st.sampled_from([STANDARD, Variant(12, 5), LINE8]))
    games = []
    for number in (1, 2, 3):
        plies = draw(st.sampled_from([0, 1, 9, 60]))
        game = random_game(draw(st.integers(0, 99)), "a", "b b", variant, plies)
        if not game.last.is_over:
            ending = draw(st.sampled_from(("forfeit", "void", "ended early")))
            winner = 0 if ending == "void" else 1
            lost = FaultRecord("b b", "late", ending, plies, 0.0, 0.0, 'a "b", 1. d1')
            game = replace(game, ending=ending, winner=winner, fault=None)
            game = replace(game, fault=lost) if ending == "forfeit" else game
        games.append(replace(game, game=number, ms=[], cpu_ms=[], stderr={}, remarks=[]))
    return games


@given(games=any_games(), export=st.sampled_from(EXPORTS), place=st.floats(0, 1))
@examples(2000)
def test_cut_exports_have_no_other_games(games, export, place) -> None:
    """A file that is cut at any byte has whole games of the file. The cut game is reported."""
    (contest,) = imported_contests("cup", games)
    parts = [part.encode() for part in export(contest)]
    cut = int(place * sum(map(len, parts)))
    starts = [0, *accumulate(map(len, parts))]
    whole = [start + len(part.rstrip()) for start, part in zip(starts, parts, strict=False)]
    if export is exports.games_csv:
        del starts[0], whole[0]
    bad: list[object] = []
    with TemporaryDirectory() as folder:
        (path := Path(folder) / "games").write_bytes(b"".join(parts)[:cut])
        try:
            taken = [*imported_games([str(path)], *[lambda *one: bad.append(one)] * 2)]
        except UsageError:  # the header of a table is cut
            taken = []
    assert taken == games[: sum(end <= cut for end in whole)]
    assert bool(bad) == any(start < cut < end for start, end in zip(starts, whole, strict=False))
