"""Dumps of theaigames and riddles.io: what is read, and what is reported."""

import pytest
from c4_protocol.rules.notation import cells_from_moves
from c4_protocol.rules.variant import STANDARD, Variant
from c4_referee.formats import Forfeit, StoredGame, UnreadableLine
from other_records import engine_dump
from result_files import read


def dump(moves: str, seat: int = 1, *, riddles: bool = False, variant: Variant = STANDARD) -> str:
    """Return the dump of a game."""
    return engine_dump(variant, cells_from_moves(moves, variant), seat, riddles=riddles)


WARNINGS = 'Round 1\nEngine warning: "place_disc"\nResponse timed out (500ms)\n\n\xff\n'


@pytest.mark.parametrize("riddles", [False, True])
@pytest.mark.parametrize("seat", [1, 2])
def test_dump_of_one_bot_is_a_game(tmp_path, seat, riddles):
    """The boards that one bot has seen are enough. Other lines are ignored."""
    text = dump("1212121", seat, riddles=riddles).replace("action", f"{WARNINGS}action")
    assert read(tmp_path, text.encode("latin-1")) == [StoredGame("a", "b", 1, "1212121")]


def test_settings_begin_a_game(tmp_path):
    """A file can have several dumps."""
    found = read(tmp_path, dump("1212121") + dump("2121212", 2) + dump("44"))
    assert [(game.moves, game.ending) for game in found] == [
        ("1212121", ""),
        ("2121212", ""),
        ("44", "void"),
    ]


def test_settings_belong_to_one_game(tmp_path):
    """The names in the settings of a game are not those of the next game."""
    other = dump("2121212").replace("settings player_names a,b\n", "")
    names = [(game.first, game.second) for game in read(tmp_path, dump("1212121") + other)]
    assert names == [("a", "b"), ("player1", "player2")]


def test_answers_may_be_lines_of_their_own(tmp_path):
    """A transcript of the pipe has the answers alone. The last one may end the game."""
    text = dump("1212121").replace('Output from your bot: "', "").replace('"', "")
    assert read(tmp_path, text) == [StoredGame("a", "b", 1, "1212121")]
    text = text[: text.rindex("place_disc 0") + len("place_disc 0")]
    assert read(tmp_path, text) == [StoredGame("a", "b", 1, "1212121")]


ASKED = "action move 10000\n"


@pytest.mark.parametrize(
    ("riddles", "answers", "fault"),
    [
        (False, ['"place_disc 9"', "null", '"no_moves"'], "no move"),
        (False, ['"hello"', "null", '"place_disc 9"'], "illegal move"),
        (False, ["null", "null"], None),
        (True, ['"place_disc 9"'], "illegal move"),
    ],
)
def test_wrong_answers_lose(tmp_path, riddles, answers, fault):
    """Three wrong answers lose in theaigames, and one in riddles.io."""
    text = dump("44", riddles=riddles)
    text += "".join(f"{ASKED}Output from your bot: {answer}\n" for answer in answers)
    (game,) = read(tmp_path, text)
    assert game.fault == (fault and Forfeit("a", fault))
    assert game.winner == (2 if fault else 0)


def test_board_without_settings_has_the_usual_size(tmp_path):
    """A file can begin with a board. Its rows, or 7 columns, give the size."""
    for riddles in (False, True):
        text = "\n".join(dump("1212121", riddles=riddles).splitlines()[5:])
        assert read(tmp_path, text) == [StoredGame("player1", "player2", 1, "1212121")]


def test_other_sizes_are_read(tmp_path):
    """The settings of riddles.io give the size of the board."""
    (game,) = read(tmp_path, dump("8484848", 2, riddles=True, variant=Variant(8, 7)))
    assert (game.moves, game.variant, game.winner) == ("8484848", "8x7x4", 1)


FIELD = "update game field 0,0;0,0\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("update game field 0,0;0", "rows of the field have different lengths"),
        ("update game field 0,3;0,0", "a cell of the field is '3'"),
        ("update game field 0,1;0,0", "a stone floats"),
        ("update game field 0,0;1,1", "player 1 has 2 stones"),
        (f"update game field {';'.join('0' * 60)}", "a board is 1 to 52"),
        ("settings field_width x\nupdate game field .,.", "'x' is not a number of columns"),
        (f"{FIELD}update game field 0,0;1,0\nupdate game field 0,0;0,1", "does not follow"),
    ],
)
def test_wrong_boards_are_reported(tmp_path, text, reason):
    """A wrong board is reported in one line."""
    found = read(tmp_path, text)
    bad = [each for each in found if isinstance(each, UnreadableLine)]
    assert len(bad) == 1
    assert reason in bad[0].reason


def test_bots_with_one_name_are_read(tmp_path):
    """A game of a bot against itself is a game."""
    (game,) = read(tmp_path, "settings player_names a,a\n" + FIELD)
    assert (game.first, game.second) == ("a", "a")
