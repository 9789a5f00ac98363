"""Positions to ask again, and verdicts on answers, compared with all values of a small game."""

from functools import cache
from random import Random

from c4_protocol.records.events import GameEnded
from c4_protocol.rules.notation import cell_name, moves_text
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant
from c4_referee.contest.retrying import FORFEIT_COST, compared, positions_to_ask
from c4_referee.records.stats.solved import Solved, outcome_of, position_key, value_by_rules
from games import game_of

SMALL = Variant(4, 3, 3)


@cache
def value(position: Position) -> int:
    """Return the value of a position for the player to move."""
    certain = value_by_rules(position)
    return max(afterwards(position).values()) if certain is None else certain


def afterwards(position: Position) -> dict[int, int]:
    """Return the value of each move for the player to move."""
    return {cell: -value(position.play(cell)) for cell in position.moves}


def gives_away(position: Position, cell: int) -> bool:
    """Return whether a move makes the result worse."""
    return outcome_of(afterwards(position)[cell]) < outcome_of(value(position))


def random_game(number: int) -> GameEnded:
    """Return a game of random moves, in which a has the first seat in games with odd numbers."""
    position, cells, draw = Position(SMALL), [], Random(number)
    while not position.is_over:
        cells.append(draw.choice(position.moves))
        position = position.play(cells[-1])
    seats = {"first": "a", "second": "b"} if number % 2 else {"first": "b", "second": "a"}
    moves = moves_text(SMALL, cells)
    return game_of(moves, moves_text(SMALL, cells[:2]), SMALL, game=number, **seats)


def solved(position: Position) -> Solved:
    """Return the value of a position, and the scores of its columns."""
    scores = {SMALL.column_of(cell): own for cell, own in afterwards(position).items()}
    return Solved(value(position), tuple(map(scores.get, range(SMALL.width))))


GAMES = [random_game(number) for number in range(1, 41)]
POSITIONS = {position for game in GAMES for position in game.positions if not position.is_over}
KNOWN = {position_key(position): solved(position) for position in POSITIONS}


def test_mistakes_are_asked_and_as_many_positions_in_which_the_bot_was_right():
    """Each mistake is asked once. The others are positions in which a move gives away a result."""
    wrong, right = set(), set()
    for game in GAMES:
        for ply in range(game.start, game.plies):
            position, cell = game.positions[ply], game.cells[ply]
            if game.mover(ply) == "a" and gives_away(position, cell):
                wrong.add(position_key(position))
            elif game.mover(ply) == "a" and any(gives_away(position, c) for c in position.moves):
                right.add(position_key(position))
    asked, unknown = positions_to_ask(GAMES, "a", KNOWN)
    keys = {True: list[str](), False: list[str]()}
    for game, ply, was_right in asked:
        keys[was_right].append(position_key(game.positions[ply]))
    assert sorted(keys[False]) == sorted(wrong)
    assert {*keys[True]} <= right - wrong
    assert len({*keys[True]}) == len(keys[True]) == min(len(wrong), len(right - wrong)) > 5
    assert len({game.game for game, _, was in asked if was}) > 5  # not those of a few games
    assert (unknown, positions_to_ask(GAMES, "a", KNOWN)) == (0, (asked, 0))


def test_answers_are_compared_by_their_results():
    """The verdict on each legal move is that of its value, and a fault is the worst mistake."""
    for asked in positions_to_ask(GAMES, "a", KNOWN)[0]:
        position, words = asked.game.positions[asked.ply], ("better", "still wrong")
        if asked.was_right:
            words = ("still right", "newly wrong")
        for cell in position.moves:
            found = compared(asked, cell, KNOWN)
            assert found.verdict == words[gives_away(position, cell)]
            assert found.answer == cell_name(SMALL, cell)
            assert (found.cost > (0, 0)) == (found.verdict == words[1])
            assert found.cost < FORFEIT_COST
        fault = compared(asked, "late: too late", KNOWN)
        assert fault.verdict == words[1]
        assert (fault.answer, fault.reason, fault.cost) == (None, "late: too late", FORFEIT_COST)


def test_what_is_not_solved_is_not_judged():
    """Positions without a value are counted, and the verdict on an answer is unknown."""
    assert positions_to_ask(GAMES, "a", {})[1] > 0
    first = next(each for each in positions_to_ask(GAMES, "a", KNOWN)[0] if each.ply == 2)
    position = first.game.positions[2]
    cell = next(c for c in position.moves if value_by_rules(position.play(c)) is None)
    assert compared(first, cell, {}).verdict == "unknown"
