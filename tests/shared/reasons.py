"""Checks explanations of moves: reads their sentences, and compares them with what is true.

Nothing here uses the code that finds reasons, or the templates of the sentences. ``faults_of``
returns what is wrong. ``reason_facts.py`` decides by plain play whether a reason holds.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache

from c4_bot.book import book_of
from c4_bot.reasons.explanation import Explained
from c4_bot.reasons.kinds import Reason
from c4_bot.solve.steal import solver_of
from c4_protocol.rules.notation import cell_named, win_score
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant
from reason_facts import FACTS, Claim, Scores, passed, sign, winning

PLACE = r"(?:row \d+ of column \w+|columns? [\w, ]+?|cell \w+|the cell above it|the steal)"
PLACES = rf"(?P<cells>{PLACE}(?:(?:, | and | or ){PLACE})*)"
REPLY = rf"(?P<reply>{PLACE})"
MOVES = r"(?P<moves>\d+) moves?"
SENTENCES = {
    "wins": r"completes (?P<connect>\d+) in a row",
    "stops": r"stops (?P<connect>\d+) in a row",
    "cannot-stop": rf"cannot stop (?P<number>\w+) lines of the other side at once, in {PLACES}",
    "only-move": r"is the only possible move",
    "zugzwang": r"lets the other side complete a line, as every other move does",
    "only-safe": r"is the only move that does not let the other side complete a line at once",
    "two-threats": rf"makes (?P<number>\w+) threats at once, in {PLACES}",
    "stacked-threats": rf"makes two threats in (?P<column>{PLACE}), one above the other",
    "no-answer": r"leaves the other side only moves that lose at once",
    "forced-win": rf"wins by force in {MOVES}, with at most one answer to each: (?P<line>[\w ]+)",
    "leaves": rf"leaves (?P<connect>\d+) in a row to the other side, in {PLACES}",
    "gives": rf"lets the other side complete (?P<connect>\d+) in a row in {PLACES}",
    "gives-up": rf"gives up the threat in {PLACES}, because the other side can now fill it",
    "parity": "wins in the end, when the other side has to play below "
    rf"(?:the (?P<parity>odd|even) threat|a threat) in {PLACES}",
    "threat": rf"makes a threat in {PLACES} that has to be stopped at once",
    "leave": rf"makes a threat in {PLACES} and keeps the other side from playing below it",
    "averts": "stops the other side from making two threats at once "
    rf"(?:(?P<there>there)|with (?P<first>{PLACE}))",
    "averts-force": "stops a win by force that the other side would begin "
    rf"(?:(?P<there>there)|with (?P<first>{PLACE}))",
    "only-defence": "is the only move after which the other side does not win by force",
    "last-line": "takes the last line that the other side could complete",
    "dead-draw": "leaves no line that either side could complete",
    "holds": "lets every move be answered above it, which stops all lines of the other side",
    "later-threat": rf"makes a threat for later in {PLACES}",
    "denies": rf"prevents a threat of the other side in {PLACES}",
    "prepares": rf"threatens to make two threats at once with (?P<first>{PLACE})",
    "prepares-force": r"threatens to win by force: (?P<line>[\w ]+)",
    "allows-averts": rf"leaves {REPLY} to the other side, which prevents two threats at once there",
    "allows-averts-force": rf"leaves {REPLY} to the other side, which prevents a win by force "
    "there",
    "allows-denies": rf"leaves {REPLY} to the other side, which prevents a threat in {PLACES} "
    "there",
    "lost": "loses, as every other move does"
    rf"|loses in {MOVES}(?P<latest>, as late as possible)?"
    rf"(?:, as every move loses; (?P<later>{PLACE}) lasts longest, (?P<most>\d+) moves?)?",
    "searched": r"is best after \d+ (?:ply|plies), not proven",
}
"""Each kind's sentence, without the name of the move. Groups are what is claimed."""
ALLOWS = rf"allows the other side's {REPLY}, which (?P<inner>.+)"
LEADS = r"allows the moves (?P<line>[\w ]+), and the last of them (?P<inner>.+)"
VALUES = re.compile(
    rf"(?:(?P<result>wins|loses) in {MOVES}|(?P<draw>keeps the draw|draws)"
    r"|(?P<vague>wins|loses)(?:, but how soon is not proven)?|(?P<unknown>has no proven value))"
    r"(?:(?P<alone>, and no other move does)|; every other move (?P<too>wins|draws)"
    r"|; (?P<others>.+))?"
)
FRAME = re.compile(
    rf"(?P<move>{PLACE}) (?:keeps the (?P<kept>win|draw): it (?P<keeping>[^;]+)"
    r"|turns a (?P<before>win|draw) into a (?P<after>draw|loss)"
    r"(?:: it (?P<mistake>[^;]+)|(?P<far>, for reasons that lie far ahead))?"
    rf"; better is (?P<better>{PLACE}), which (?P<better_reason>.+)|(?P<plain>.+))\.",
    re.IGNORECASE,
)
TAKING = {"allows-averts", "allows-averts-force", "allows-denies"}
"""Kinds of mistakes that leave the cell of the better move to the opponent."""
LAST_KINDS = {"two-threats", "stacked-threats", "no-answer"}
"""Kinds of moves after which every answer loses at once."""
OUTCOMES = {"win": 1, "draw": 0, "loss": -1}
MAX_PLAYED = 30
"""Maximum number of cells of a board on which games are played on to count their moves."""


@cache
def _solver(variant: Variant):
    return solver_of(variant, 64, book_of(variant))


@lru_cache(1 << 16)
def scores_of(position: Position) -> dict[int, int]:
    """Return the exact scores of all moves in a game that is not over."""
    solved = dict(_solver(position.variant).move_scores(position))
    assert all(one.exact for one in solved.values())
    return {cell: one.low for cell, one in solved.items()}


def _allows(claim: Claim) -> bool:
    """Return whether an answer is good and has the reason that the sentence says."""
    answer, inner = claim.reason.line[0], claim.reason.kind.removeprefix("allows-")
    if claim.places(claim.said["reply"] or "") != {answer} or answer not in claim.after.moves:
        return False
    line = claim.reason.line[len(claim.reason.line) % 2 == 0 :]
    reason = Reason(inner, claim.reason.cells, line)
    scores = scores_of(claim.after) if claim.scores else {}
    if scores and sign(scores[answer]) != -sign(claim.scores[claim.cell]):
        return False
    if "inner" in claim.said:
        return not faults_of_predicate(claim.after, answer, reason, claim.said["inner"], scores)
    return CHECKS[inner](Claim(claim.after, answer, reason, {}, scores))


def win_after(position: Position, cell: int) -> tuple[int, ...]:
    """Return a move after which every answer loses at once, an answer, and the win after it."""
    after = position.play(cell)
    stops = winning(passed(after)) & set(after.moves)
    answer = min(stops or after.moves)
    return cell, answer, min(winning(after.play(answer)))


def _leads_to(claim: Claim) -> bool:
    """Return whether best play leads to a move of the opponent with the reason that is said."""
    position, line = claim.after, claim.reason.line
    names = (claim.said["line"] or "").split()
    for name, cell in zip(names, line, strict=True):
        scores = scores_of(position)
        if cell_named(position, name) != cell or scores[cell] != max(scores.values()):
            return False
        before, position = position, position.play(cell)
    kind = claim.reason.kind.removeprefix("leads-to-")
    shown = win_after(before, line[-1]) if kind in LAST_KINDS else ()
    reason = Reason(kind, claim.reason.cells, shown)
    text = claim.said["inner"] or ""
    return len(line) % 2 == 1 and not faults_of_predicate(before, line[-1], reason, text, scores)


def moves_to_end(position: Position, cell: int) -> int:
    """Return the number of moves that the winner still makes, from a move on, with best play."""
    score, variant = scores_of(position)[cell], position.variant
    plies = 0
    if variant.cells > MAX_PLAYED and not variant.steal:
        first = position.ply + 1 + (score < 0)
        ends = range(first, variant.cells + 1, 2)
        plies = next(ply for ply in ends if win_score(variant, ply) == abs(score)) - position.ply
        return (plies + 1) // 2
    while True:
        position, plies = position.play(cell), plies + 1
        if position.is_over:
            return (plies + 1) // 2
        cell = max(position.moves, key=scores_of(position).__getitem__)


def _lost(claim: Claim) -> bool:
    said, scores = claim.said, claim.scores
    if not said["moves"]:
        return not scores or max(scores.values()) < 0
    is_right = int(said["moves"]) == moves_to_end(claim.before, claim.cell)
    best = max(scores.values())
    if said["later"]:
        (later,) = claim.moves(said["later"])
        is_right &= int(said["most"] or 0) == moves_to_end(claim.before, later)
        is_right &= scores[later] == best > scores[claim.cell]
    return best < 0 and is_right and bool(said["latest"]) == (scores[claim.cell] == best)


def _values(claim: Claim) -> bool:
    """Return whether what the sentence says of scores is true."""
    said, scores = claim.said, claim.scores
    if said["unknown"] or not scores:
        return bool(said["unknown"])
    own = (
        OUTCOMES["draw"] if said["draw"] else 1 if "wins" in (said["result"], said["vague"]) else -1
    )
    others = {cell: sign(score) for cell, score in scores.items() if cell != claim.cell}
    is_best = said["draw"] != "keeps the draw" or max(scores.values()) == 0
    is_right = claim.outcome == own and is_best
    if said["moves"]:
        is_right &= int(said["moves"]) == moves_to_end(claim.before, claim.cell)
    if said["alone"]:
        is_right &= own not in others.values()
    if said["too"]:
        is_right &= {*others.values()} == {own} == {{"wins": 1, "draws": 0}[said["too"]]}
    return is_right and (not said["others"] or _others(claim, said["others"]))


def _others(claim: Claim, text: str) -> bool:
    """Return whether a text lists all other moves with their outcomes."""
    listed: dict[int, int] = {}
    for names, verb in re.findall(r"(?:^|and |, )(.+?) (wins?|draws?|loses?)\b", text):
        cells = claim.moves(names)
        assert verb.endswith("s") == (len(cells) == 1) or verb == "lose", text
        listed |= dict.fromkeys(cells, "ldw".index(verb[0]) - 1)
    scores = claim.scores
    return listed == {c: sign(s) for c, s in scores.items() if c != claim.cell}


CHECKS: dict[str, Callable[[Claim], bool]] = FACTS | {
    "lost": _lost,
    "values": _values,
    "searched": lambda claim: True,
}
"""Functions that return whether a reason and its sentence are true, by kind."""


def faults_of_predicate(
    position: Position, cell: int, reason: Reason, text: str, scores: Scores
) -> list[str]:
    """Return what is wrong with a reason of a move and its sentence, without the move's name."""
    is_allowed = reason.kind.startswith(("allows-", "leads-to-"))
    general = LEADS if reason.kind.startswith("leads-to-") else ALLOWS
    pattern = VALUES if reason.kind == "values" else SENTENCES.get(reason.kind, general)
    match = re.fullmatch(pattern, text)
    if match is None or not (is_allowed or reason.kind in CHECKS):
        return [f"{reason.kind}: a sentence that cannot be read: {text}"]
    claim = Claim(position, cell, reason, match.groupdict(), scores)
    check = {LEADS: _leads_to, ALLOWS: _allows}[general] if is_allowed else CHECKS[reason.kind]
    connect, named = claim.said.get("connect"), claim.said.get("cells")
    if connect and int(connect) != position.variant.connect:
        return [f"{reason.kind}: {text}: lines are not so long"]
    seen = position if reason.kind == "cannot-stop" else claim.after
    if named and claim.places(named, seen) != claim.cells:
        return [f"{reason.kind}: {text}: its cells are {claim.cells}"]
    return [] if check(claim) else [f"{reason.kind} is false: {text} {reason}"]


def faults_of(explained: Explained, scores: Scores, *, is_informed: bool = True) -> list[str]:
    """Return what is wrong with an explanation, in words.

    ``scores`` are exact, or empty. ``is_informed`` is false if the explanation knew fewer scores.
    """
    position, cell, reason = explained.position, explained.cell, explained.reason
    match = FRAME.fullmatch(explained.text)
    if match is None:
        return [f"a sentence that cannot be read: {explained.text}"]
    said, (best, own) = match.groupdict(), _outcomes(scores, cell)
    naming = Claim(position, cell, reason, {})
    faults = [] if naming.moves(said["move"].lower()) == {cell} else ["another move is named"]
    if said["kept"] and scores and not best == own == OUTCOMES[said["kept"]]:
        faults.append(f"it does not keep a {said['kept']}")
    if not said["before"]:
        if is_informed and own != best:
            faults.append(f"a mistake is not called one: {explained.text}")
        text = said["keeping"] or said["plain"]
        return faults + faults_of_predicate(position, cell, reason, text, scores)
    return [*faults, *_faults_of_mistake(explained, said, scores)]


def _outcomes(scores: Scores, cell: int) -> tuple[int, int]:
    return (sign(max(scores.values())), sign(scores[cell])) if scores else (0, 0)


def _faults_of_better_move(
    explained: Explained, better: Explained, said: Mapping[str, str], scores: Scores
) -> Iterator[str]:
    position, cell, reason = explained.position, explained.cell, explained.reason
    if Claim(position, cell, reason, {}).moves(said["better"]) != {better.cell}:
        yield f"another move is better: {explained.text}"
    if _outcomes(scores, better.cell)[1] != OUTCOMES[said["before"]]:
        yield f"the better move is not better: {explained.text}"
    if reason.kind in TAKING and reason.line[0] != better.cell:
        yield f"the answer does not take the cell of the better move: {explained.text}"
    text, words = said["better_reason"], better.reason
    if words.kind != "values":
        yield from faults_of_predicate(position, better.cell, words, text, scores)
    elif text != f"keeps the {said['before']}":
        yield f"the better move does something else: {explained.text}"
    yield from faults_of(better, scores)


def _faults_of_mistake(
    explained: Explained, said: Mapping[str, str], scores: Scores
) -> Iterator[str]:
    position, cell, reason = explained.position, explained.cell, explained.reason
    better = explained.better
    assert better is not None
    if _outcomes(scores, cell) != (OUTCOMES[said["before"]], OUTCOMES[said["after"]]):
        yield f"the outcomes are others: {explained.text}"
    yield from _faults_of_better_move(explained, better, said, scores)
    if said["mistake"]:
        yield from faults_of_predicate(position, cell, reason, said["mistake"], scores)
    elif reason.kind not in ("misses", "values") or (reason.kind == "misses") == (
        better.reason.kind == "values"
    ):
        yield f"{reason.kind} has no words: {explained.text}"
