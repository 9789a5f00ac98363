"""The page of a contest in progress, as it is when somebody opens it: ``live.js`` goes on."""

from collections.abc import Mapping, Sequence
from typing import Any

from c4_protocol.records.events import VariantRecord
from c4_protocol.rules.notation import cell_of_wire, replay
from c4_protocol.rules.picture import board_svg
from markupsafe import Markup

from c4_referee.live.state import RunningGame
from c4_referee.site.environment import environment

MAX_FINAL = 4
"""Maximum number of last positions that are shown while no game can be watched."""


def render_live(name: str, state: Mapping[str, Any], *, in_room: bool = False) -> str:
    """Return the page of a contest with this name and state (``serve.watch.Watch.snapshot``).

    ``in_room`` is true for the view on a screen that a whole room watches.
    """
    boards = [
        (_as_shown(game), _picture(game.variant, game.opening, game.moves))
        for game in state["games"]
    ]
    if not boards:
        last = state["results"][-MAX_FINAL:]
        boards = [(game, _picture(game["variant"], game["moves"])) for game in last]
    template = environment().get_template("live.html.jinja")
    return template.render(root="../../../", name=name, state=state, boards=boards, in_room=in_room)


def _as_shown(game: RunningGame) -> dict[str, Any]:
    return {"game": game.game, "first": game.first, "second": game.second}


def _picture(variant: Mapping[str, Any], moves: str, played: Sequence[Any] = ()) -> Markup:
    """Return the picture of a position after a move string and wire moves."""
    position, cells = replay(moves, VariantRecord.read({**variant}).variant())
    last = cells[-1] if cells else None
    for move in played:
        last = cell_of_wire(position, move if isinstance(move, int) else (move[0], move[1]))
        position = position.play(last)
    return Markup(board_svg(position, last, styled=False))
