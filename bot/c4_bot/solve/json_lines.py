"""Questions for ``c4-solve`` in lines of JSON: objects with ``moves``, or precepts."""

from collections.abc import Mapping
from dataclasses import replace

from c4_protocol.dialects.jsonl import json_object, precept_of
from c4_protocol.program.errors import IllegalMove, ImpossiblePosition, NotationError
from c4_protocol.program.text import shown
from c4_protocol.rules.notation import check_not_over, position_from_moves
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant

from c4_bot.solve.answers import Question, move_in_json


def json_question(line: bytes, variant: Variant, *, checked: bool = False) -> Question:
    """Return the question in an object with the text ``moves``, or with the ``grid`` of a precept.

    If ``checked`` is true, the object must have an integer ``score``. Raises an ``ArenaError`` with
    the reason if the line cannot be understood, or if a grid is not of the variant. A precept that
    does not mention the steal may be of a variant with the steal.
    """
    value = json_object(line)
    claim = _claimed_score(value.get("score")) if checked else 0
    if "grid" in value:
        position = precept_of(line).position()
        if position.variant not in {variant, variant.without_steal}:
            raise ImpossiblePosition(f"the game is {position.variant}: say --variant to solve it")
        position = replace(position, variant=variant)
        return Question(None, position, claim, is_json=True, move=_move(value, position))
    moves = value.get("moves")
    if not isinstance(moves, str):
        raise NotationError('the object has neither "grid" nor the text "moves"')
    position = position_from_moves(moves, variant)
    check_not_over(position)
    return Question(moves, position, claim, is_json=True, move=_move(value, position))


def _move(value: Mapping[str, object], position: Position) -> int | None:
    """Return the move that an object asks about, or ``None`` if it asks about none."""
    if "move" not in value:
        return None
    name = value["move"]
    for cell in position.moves:
        if move_in_json(position.variant, cell) == name and type(name) is not bool:
            return cell
    raise IllegalMove(f'{shown(name)} is no legal move there: name it as in "best"')


def _claimed_score(score: object) -> int:
    if type(score) is not int:
        raise NotationError('the object needs a "score" to compare with')
    return score
