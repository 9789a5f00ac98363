"""Games of files as records and contests."""

import pytest
from c4_protocol.errors import ArenaError
from c4_protocol.notation import replay
from c4_protocol.variant import CODINGAME, STANDARD, Variant
from c4_referee.formats import Forfeit, StoredGame
from c4_referee.storage.imported import imported_contests, imported_game

WON = "1212121"


def test_moves_give_the_whole_record():
    """Fields that the file does not have are empty. The rules say how the game ended."""
    game = imported_game(7, StoredGame("a", "b", 1, WON, opening="12"))
    assert (game.game, game.first, game.second, game.moves) == (7, "a", "b", WON)
    assert (game.winner, game.ending, game.opening) == (1, "line", "12")
    assert (game.ms, game.cpu_ms, game.stderr, game.notes, game.fault) == ([], [], {}, [], None)
    assert game.variant.variant() == STANDARD


def test_draw_fills_the_board():
    """A game without a line ends on a full board."""
    game = imported_game(1, StoredGame("a", "b", 0, "111222333", variant="3x3x4"))
    assert game.ending == "full board"


def test_void_game_stays_void():
    """A game without a result is void, whatever its moves are."""
    for moves in ("", "44", WON):
        assert imported_game(1, StoredGame("a", "b", 0, moves, "void")).ending == "void"


@pytest.mark.parametrize(
    ("fault", "expected"),
    [(None, "unknown reason"), (Forfeit("a", "time forfeit"), "time forfeit")],
)
def test_other_wins_are_forfeits(fault, expected):
    """If the moves do not end a game, its loser has forfeited it."""
    game = imported_game(1, StoredGame("a", "b", 2, "445", "forfeit", fault))
    assert game.ending == "forfeit"
    assert (game.fault.bot, game.fault.fault, game.fault.ply) == ("a", expected, 3)


def test_fault_after_the_end_does_not_count():
    """A finished game is no forfeit."""
    lost = StoredGame("a", "b", 1, WON, "forfeit", Forfeit("b", "abandoned"))
    assert (imported_game(1, lost).ending, imported_game(1, lost).fault) == ("line", None)


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        (StoredGame("a", "b", 1), "does not list the moves"),
        (StoredGame("a", "b", 1, "4444444"), "the column is full"),
        (StoredGame("a", "b", 1, "e4 e5"), "is not where the stone falls"),
        (StoredGame("a", "b", 2, WON), "the result is 0-1, but the moves give 1-0"),
        (StoredGame("a", "b", 0, "44"), "a draw, although its moves do not end it"),
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


def test_times_are_those_of_the_file():
    """Times come from the record, or from remarks if each of them has a time."""
    game = StoredGame("a", "b", 1, "445", opening="4", ms=(1.0, 2.0), remarks=("x 5s", "y"))
    assert imported_game(1, game).ms == [1.0, 2.0]
    assert imported_game(1, game).remarks == ["x 5s", "y"]
    game = StoredGame("a", "b", 1, "445", opening="4", remarks=("+0.1/9 1.25s", "M3/2 0s, won"))
    assert imported_game(1, game).ms == [1250.0, 0.0]
    for other in (("1.0s", "book"), ("1.0s",), ("1.0s",) * 3):
        game = StoredGame("a", "b", 1, "445", opening="4", remarks=other)
        assert imported_game(1, game).ms == []
    assert imported_game(1, game).remarks == []


def test_texts_of_files_are_harmless():
    """Remarks cannot control a terminal."""
    game = imported_game(1, StoredGame("a", "b", 1, "4", remarks=("\x1b[2J",)))
    assert "\x1b" not in game.remarks[0]


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
