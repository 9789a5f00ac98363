"""The replay of a game: the data that the script steps through, and the page around it.

The page shows the result, the last position and the moves without a script. The script
(``referee/web/replay``) builds everything else, because a site can have 10,000 of these pages.
"""

from typing import Any

from c4_protocol.program.text import visible
from c4_protocol.records.events import GameEnded
from c4_protocol.rules.picture import board_svg
from c4_protocol.rules.variant import DIRECTIONS
from markupsafe import Markup

from c4_referee.records.stats.solved import Change, GameAnalysis
from c4_referee.report.site.board_folder import BOARD, is_for_board
from c4_referee.report.site.environment import environment, script_json, static_text

RESULTS = {0: "½-½", 1: "1-0", 2: "0-1"}
"""Result of a game that counts, by the winner's seat."""
INLINE_FILES = {"style": "style.css", "script": "replay.js"}
"""Files that a page of one file contains, by their variables in the templates."""
MAX_WHOLE = 2**53
"""Number below which JavaScript holds all whole numbers."""


def game_page(
    analysis: GameAnalysis,
    *,
    board: bool = False,
    **frame: Any,  # noqa: ANN401 - variables of a template
) -> str:
    """Return the page of a game. ``frame`` are variables of ``game.html.jinja``.

    ``board`` says whether the site has a board to continue the game on.
    """
    frame = {"root": "../", "facts": (), "bots": ()} | frame
    game, data = analysis.game, _replay_data(analysis)
    if board and is_for_board(game.variant):
        data["b"] = f"{frame['root']}{BOARD}/"
    template = environment().get_template("game.html.jinja")
    return template.render(
        game=game,
        result="void" if game.ending == "void" else RESULTS[game.winner],
        outcome=outcome(game),
        rules=game.rules,
        board=Markup(board_svg(game.last, game.last_cell(game.plies), styled=False)),
        data=script_json(data),
        **frame,
    )


def single_file(analysis: GameAnalysis) -> str:
    """Return the page of a game as one file, which contains its style and its script."""
    inline = {name: static_text(file) for name, file in INLINE_FILES.items()}
    return game_page(analysis, inline=inline)


def outcome(game: GameEnded, seat: int = 0) -> str:
    """Return a sentence that says how a game ended, to the person in ``seat`` if there is one."""
    how, fault = f"{game.variant.connect} in a row after {game.plies} moves", game.fault
    if fault is not None:
        how = f"{fault.bot} failed at move {fault.ply + 1} ({fault.fault}: {fault.detail})"
    because = f", because {how}" if fault else ""
    match game.ending:
        case "full board":
            return f"A draw: the board is full after {game.plies} moves."
        case "void":
            return f"This game is void: it counts for neither bot{because}."
        case "ended early":
            who = f"{game.winning_bot} wins" if game.winner else "A draw"
            return f"{who}: the game ended early, and the reason is not stored."
        case _ if seat:
            return f"You {'win' if game.winner == seat else 'lose'}: {how}."
        case "line":
            return f"{game.winning_bot} has {how}."
        case "forfeit":
            return f"{game.winning_bot} wins{because}."


def _replay_data(analysis: GameAnalysis) -> dict[str, Any]:
    """Return the data of a replay, as in ``referee/web/replay/data.js``.

    The texts of other people are visible (``program/text.py``). Keys without content are left out.
    """
    game, rules, fault = analysis.game, analysis.game.variant, analysis.game.fault
    optional: dict[str, Any] = {
        "d": [] if rules.directions == DIRECTIONS else rules.directions,
        "t": int(rules.steal),
        "f": fault
        and {
            "bot": visible(fault.bot),
            "fault": visible(fault.fault),
            "detail": visible(fault.detail),
            "line": None if fault.line is None else visible(fault.line),
            "ply": fault.ply,
        },
        "say": [visible(remark) for remark in game.remarks],
        "v": analysis.values if {*analysis.values} != {None} else (),
        "s": analysis.scores if any(analysis.scores) else (),
        "c": [_change_data(change) for change in analysis.changes],
    }
    return {
        "n": game.game,
        "w": rules.width,
        "h": rules.height,
        "k": rules.connect,
        "g": int(rules.gravity),
        "p": [*map(visible, game.bots)],
        "m": game.moves,
        "o": game.start,
        "ms": [_rounded(ms) for ms in game.ms],
        "r": game.winner,
        "e": game.ending,
        **{key: value for key, value in optional.items() if value},
    }


def _change_data(change: Change) -> list[Any]:
    lines = (change.better, change.better_line, change.refutation)
    return [change.ply, change.before, change.after, *lines, *filter(None, [change.reason])]


def _rounded(ms: float) -> float | int:
    """Return a time with three significant digits, and without a fraction if it has none.

    A number that a script could not hold as a whole number, which nobody measured, stays as it is.
    """
    rounded = float(f"{ms:.3g}")
    return int(rounded) if rounded.is_integer() and abs(rounded) < MAX_WHOLE else rounded
