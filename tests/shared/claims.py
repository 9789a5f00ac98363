"""Compares what an answer says of its move with exact scores."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from c4_bot.contract import SHOWN_FORCED_WIN
from c4_bot.solve.score import last_ply, sign_of
from c4_protocol.records.messages import Info
from c4_protocol.rules.notation import position_from_moves, wire_move
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STANDARD, Variant

Move = int | tuple[int, int]
Scores = Mapping[Move, int]
"""Exact scores of all legal moves, as ``c4_protocol.records.messages.Move`` names these."""

OUTCOMES = {"win": 1, "draw": 0, "loss": -1}
WINNING = re.compile(
    "^(Column|Cell) [^ ]+ (completes|makes (two|three|four) threats|wins by force|wins in the end"
    "|leaves the other side only moves that lose)"
)
"""Beginnings of sentences about moves that win by the rules."""
LOSING = re.compile("cannot stop|as every other move does|it allows|lets the other side complete")
"""Parts of sentences about moves that lose by the rules, if the sentence is about nothing else."""
ENDS = re.compile(r"(?:wins|loses) in \d+ moves?(?!, with)")
"""Ends of a game in words, where they are not in front of a forced line."""
VAGUE = {
    "a win, but by which move is not proven": lambda own, best: best > 0,
    "a draw, but by which move is not proven": lambda own, best: best == 0,
    "wins, but how soon is not proven": lambda own, best: own > 0,
    "loses, but how soon is not proven": lambda own, best: own < 0,
}
"""Claims without a number, and whether they are true of a move and of the best move."""


def read_positions(
    path: Path, variant: Variant = STANDARD
) -> list[tuple[Position, dict[Move, int]]]:
    """Return the positions of a file of ``tests/bench/make_positions.py`` with all scores."""
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        moves, *scores = line.split()
        position = position_from_moves("" if moves == "-" else moves, variant)
        known = {column: int(text) for column, text in enumerate(scores) if text != "-"}
        found.append((position, known))
    return found


def false_claims(position: Position, scores: Scores, move: Move, info: Info) -> list[str]:
    """Return what is not true in the ``info`` of an answer, in words.

    All scores in ``info.scores`` must be proven.
    """
    return [
        *_about_score(scores[move], info),
        *_about_line(position, move, info),
        *_about_moves(scores, info),
        *_about_reason(position, scores, move, info),
    ]


def _about_score(own: int, info: Info) -> Iterator[str]:
    if info.exact and info.score != own:
        yield f"score {info.score:g} is exact, but the move is worth {own}"
    if abs(info.score) == SHOWN_FORCED_WIN and info.score * own <= 0:
        yield f"score {info.score:g}, but the move is worth {own}"


def _about_line(position: Position, move: Move, info: Info) -> Iterator[str]:
    if info.pv and info.pv[0] != move:
        yield f"the line begins with {info.pv[0]}, not with {move}"
    for number, step in enumerate(info.pv):
        cells = {wire_move(position.variant, cell): cell for cell in position.moves}
        if position.is_over or step not in cells:
            yield f"move {number} of the line is not legal"
            return
        position = position.play(cells[step])


def _about_moves(scores: Scores, info: Info) -> Iterator[str]:
    for move, score in info.scores:
        true = scores[move]
        if score != true and not (abs(score) == SHOWN_FORCED_WIN and score * true > 0):
            yield f"move {move} is scored {score:g}, but is worth {true}"


def _about_reason(position: Position, scores: Scores, move: Move, info: Info) -> Iterator[str]:
    """Yield what the outcomes and numbers of the sentence say wrongly of the move."""
    own, best, text = scores[move], max(scores.values()), info.reason
    claims = [test(own, best) for words, test in VAGUE.items() if words in text]
    claims += [_end(position, own) == found for found in ENDS.findall(text.partition(";")[0])]
    for word in re.findall(r"keeps the (win|draw)", text.partition(";")[0]):
        claims.append(sign_of(own) == sign_of(best) == OUTCOMES[word])
    for before, after in re.findall(r"turns a (\w+) into a (\w+)", text):
        claims.append((sign_of(best), sign_of(own)) == (OUTCOMES[before], OUTCOMES[after]))
    claims += [own > 0] if WINNING.search(text) else []
    claims += [own < 0] if LOSING.search(text) and "turns a" not in text else []
    if not all(claims):
        yield f"'{text}', but the move is worth {own}, and the best move {best}"


def _end(position: Position, score: int) -> str:
    """Return the end of the game with this score, as a sentence describes it."""
    if not score:
        return "a draw"
    moves = (last_ply(position, score) - position.ply + 1) // 2
    return f"{'wins' if score > 0 else 'loses'} in {moves} move{'s' if moves > 1 else ''}"
