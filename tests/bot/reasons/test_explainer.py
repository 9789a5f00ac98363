"""Explanations as users get them: from ``explain``, from ``c4-solve``, and while they play."""

import json
import re
from pathlib import Path

import pytest
from c4_bot import explain
from c4_bot.play import person
from c4_bot.reasons.sentences import templates
from c4_protocol import Board, IllegalMove, ImpossiblePosition
from c4_protocol.rules.notation import cells_from_moves, without_moves
from c4_protocol.rules.variant import STANDARD
from c4_protocol.terminal.game import TerminalGame
from cores import needs_core

SENTENCES = [
    ("standard", "4444436657653", None, "wins", "Column 5 completes 4 in a row."),
    ("standard", "44445", None, "averts", "Column 3 keeps the win: it stops the other side from "
     "making two threats at once there."),
    ("standard", "44445", 6, "allows-two-threats", "Column 7 turns a win into a loss: it allows "
     "the other side's column 3, which makes two threats at once, in columns 2 and 6; better is "
     "column 3, which stops the other side from making two threats at once there."),
    ("standard", "", 4, "values", "Column 5 turns a win into a draw, for reasons that lie far "
     "ahead; better is column 4, which keeps the win."),
    ("standard", "444", 5, "lost", "Column 6 loses in 16 moves, as every move loses; column 4 "
     "lasts longest, 19 moves."),
    ("standard", "", None, "values", "Column 4 wins in 21 moves, and no other move does."),
    ("7x6+steal", "4", None, "values", "The steal wins in 21 moves, and no other move does."),
    ("line8", "d4 d5 c4 e4", None, "prepares", "Cell c5 keeps the win: it threatens to "
     "make two threats at once with cell c3."),
]  # fmt: skip
"""Variant, moves, the move that is explained, kind and sentence."""


@needs_core
@pytest.mark.parametrize(("variant", "moves", "move", "kind", "text"), SENTENCES)
def test_a_move_is_explained(variant, moves, move, kind, text):
    """``explain`` gives the kind and the sentence of the best move, or of the given one."""
    found = explain(Board.from_moves(moves, variant), move, seconds=None)
    assert (found.kind, without_moves(found.text)) == (kind, text)
    assert (found.better is None) == ("turns a" not in text)
    assert move is None or found.move == move


@needs_core
def test_an_explanation_names_cells_and_moves_as_boards_do():
    """Columns count from 0 and rows from the top, and the line can be played."""
    board = Board.from_moves("44445")
    mistake = explain(board, 6, seconds=None)
    assert mistake.cells == ((1, 5), (5, 5))
    board = board.play(mistake.move)
    for move in mistake.line:
        board = board.play(move)
    assert board.winner == 1
    assert mistake.better.move == 2


def test_where_nothing_is_proven_the_depth_is_said():
    """On a board that no solver finishes in time, the best move of a search is named."""
    found = explain(Board("9x9"), seconds=0.2)
    assert found.kind == "searched"
    best = r"Column \d \(move \d\)( is best after \d+ pl(y|ies), not proven|: .*)\."
    assert re.fullmatch(best, found.text)
    assert explain(Board("9x9"), 0, seconds=0.1).text == "Column 1 (move 0) has no proven value."


def test_only_legal_moves_of_open_games_are_explained():
    """A full column and a finished game are refused."""
    with pytest.raises(IllegalMove, match="3 is column 4, which is full"):
        explain(Board.from_moves("444444"), 3)
    with pytest.raises(ImpossiblePosition, match="the game is over"):
        explain(Board.from_moves("1212121"))


@needs_core
def test_c4_solve_explains_best_moves_and_given_moves(run_command):
    """Each object has the explanation; columns and rows count from 1, rows from the bottom."""
    lines = b'44445\n{"moves":"44445","move":7}\n{"moves":"44445","move":8}\n'
    done = run_command("c4-solve", "--json", "--explain", "--serve", stdin=lines)
    best, mistake, refused = map(json.loads, done.stdout.splitlines())
    assert best["explanation"]["move"] in best["best"]
    assert best["explanation"]["better"] is None
    assert mistake["explanation"]["cells"] == [[2, 1], [6, 1]]
    assert mistake["explanation"]["line"] == [3, 2, 6]
    assert mistake["explanation"]["better"]["move"] == 3
    assert refused["error"] == '8 is no legal move there: name it as in "best"'


@needs_core
def test_c4_solve_explains_cells_without_gravity(run_command):
    """Without gravity, moves are names of cells, and a move that is not best is solved, too."""
    line = b'{"moves":"d4 d5 c4 e4","move":"a1"}\n'
    arguments = ("--json", "--explain", "--variant", "line8")
    done = run_command("c4-solve", *arguments, stdin=line)
    explanation = json.loads(done.stdout)["explanation"]
    assert (explanation["move"], explanation["better"]["move"]) == ("a1", "c5")


@needs_core
def test_a_person_gets_hints_and_sees_mistakes(monkeypatch):
    """``hint`` explains the best move; after ``explain``, a mistake is explained, others not."""
    monkeypatch.setattr(person, "EXPLANATION_SECONDS", None)
    game = TerminalGame(STANDARD, 1, coach=person.Coach(STANDARD))
    for cell in cells_from_moves("4444", STANDARD):
        game.play(cell)
    assert game.reply("hint") == person.Coach(STANDARD).hint(game.position) + "\n"
    assert game.reply("7") == ""
    game.reply("undo")
    assert game.reply("explain") == "Mistakes are explained.\n"
    assert game.reply("7").startswith("Column 7 turns a win into a loss")
    game.reply("undo")
    assert game.reply("4") == ""
    game.reply("undo")
    assert game.reply("explain") == "Mistakes are explained no longer.\n"


def test_all_kinds_have_a_sentence():
    """Each kind that the rules can find has a template, and no template is unused."""
    source = Path(explain.__code__.co_filename).with_name("reasons") / "kinds.py"
    kinds = set(re.findall(r'Reason\(\s*"([a-z-]+)"', source.read_text(encoding="utf-8")))
    kinds |= set(re.findall(r'"([a-z]+(?:-[a-z]+)*)" if [a-z ()=]+ else "', source.read_text()))
    missing = kinds - set(templates()["kinds"])
    assert not missing
