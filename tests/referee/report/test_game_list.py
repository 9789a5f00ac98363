"""The list of the games of a contest."""

from c4_protocol.records.events import FaultRecord
from c4_protocol.rules.notation import cells_from_moves
from c4_protocol.rules.variant import STANDARD
from c4_referee.report.game_list import game_list
from c4_referee.stats.analysis import positions_of
from c4_referee.stats.solved import Solved, position_key
from games import game_of


def test_each_game_has_a_line() -> None:
    """A line has the number, the players, the result, the length, the fault and the worst move."""
    fault = FaultRecord("b", "late", "forfeit", 3, 1.0, 1.0, "no line")
    games = [
        game_of("1212124", winner=0, ending="void"),
        game_of("121214", first="n" * 30, winner=1, ending="forfeit", fault=fault, game=12),
    ]
    positions = [*positions_of(cells_from_moves("121214", STANDARD), STANDARD)]
    solved = {position_key(positions[5]): Solved(-18)}
    lines = [line.text.plain for line in game_list(games, solved)]
    assert [line.split()[:5] for line in lines] == [
        ["game", "first", "second", "result", "moves"],
        ["1", "a", "b", "void", "7"],
        ["12", "n" * 21 + "…", "b", "1-0", "6"],
    ]
    assert lines[2].endswith("late")
