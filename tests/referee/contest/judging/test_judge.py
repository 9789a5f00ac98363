"""Judges return exact values of positions. Contradictions and impossible scores are errors."""

import os
import sys
from pathlib import Path

import pytest
from c4_bot.solve.solver import Solver
from c4_protocol.program.errors import JudgeError, UsageError
from c4_protocol.rules.notation import position_from_moves
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STANDARD, Variant
from c4_referee.bots.clock import TimeControl
from c4_referee.bots.contain.process_tree import children_of
from c4_referee.bots.spec import BotSpec
from c4_referee.contest.judging.judge import Judge
from c4_referee.contest.judging.values import ExactValues
from c4_referee.contest.openings import find_openings
from c4_referee.records.stats.solved import Solved, position_key
from cores import needs_core
from judged import fake_judge


@needs_core
def test_our_judge_agrees_with_the_solver() -> None:
    """The default judge and the solver agree on won, drawn and lost positions."""
    solver, signs = Solver(STANDARD), set()
    with Judge() as ours:
        for plies in (12, 16, 20, 24, 28):
            for moves in find_openings(f"random:{plies}", STANDARD, 8, seed=4):
                position = position_from_moves(moves, STANDARD)
                value = solver.solve(position).low
                assert ours.value(position) == value, moves
                signs.add((value > 0) - (value < 0))
    assert signs == {-1, 0, 1}


def test_what_the_rules_tell_is_not_asked() -> None:
    """The judge's bot is not asked about games that are over, or end within two moves."""
    with fake_judge("dies") as nobody:
        assert nobody.value(position_from_moves("1212121", STANDARD)) == -18
        assert nobody.value(position_from_moves("121212", STANDARD)) == 18
        assert nobody.value(position_from_moves("33445", STANDARD)) == -18
        assert nobody.value(position_from_moves("1122", Variant(2, 2, 3))) == 0
        assert not children_of(os.getpid())


def test_the_only_reply_is_followed() -> None:
    """If only one move stops a threat, the value is found from the position after this move."""
    with fake_judge("lies") as liar:  # this judge says -1
        assert liar.value(position_from_moves("12121", Variant(5, 4))) == 1


def test_a_position_and_its_mirror_image_are_asked_once(tmp_path: Path) -> None:
    """A position and its mirror image are asked only once, because answers are remembered."""
    script = tmp_path / "once.py"
    script.write_text(
        'import sys\ninput()\nprint(\'{"move": 3, "info": {"score": -2, "exact": true}}\')\n'
    )
    with Judge(BotSpec(name="once", command=(sys.executable, str(script)))) as once:
        position = position_from_moves("112", STANDARD)
        assert [once.value(one) for one in (position, position.mirrored(), position)] == [-2] * 3
        with pytest.raises(JudgeError, match="judge 'once': "):
            once.value(position_from_moves("113", STANDARD))


def test_known_values_are_not_asked() -> None:
    """The judge's bot is not asked about solved positions. What it finds itself is exposed."""
    position = position_from_moves("112", STANDARD)
    known = {position_key(position): Solved(7)}
    with fake_judge("dies", values=ExactValues(known)) as nobody:
        assert [nobody.value(one) for one in (position, position.mirrored())] == [7, 7]
        assert nobody.values.count == 0
        assert not children_of(os.getpid())
    with fake_judge("draws") as other:
        assert other.value(position) == 0
        assert other.value(position.mirrored()) == 0
        assert other.values.known == {position_key(position): Solved(0)}


def test_what_is_not_proven_is_not_known() -> None:
    """A score that is not exact is not a value."""
    with fake_judge("unsure") as unsure:
        assert unsure.value(Position(STANDARD)) is None
        assert unsure.values.known == {}


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("dies", "exited: with code 1; its last words: out of wisdom"),
        ("without_info", 'its answer has no "info": give it the flag'),
        ("affirms", 'its "info" needs "score", a number, and "exact"'),
        ("rubbish", 'its "info" needs "score", a number, and "exact"'),
        ("boasts", r"no game ends with the score 1e\+06"),
        ("halves", "no game ends with the score 0.5"),
        ("no_line", "bad line"),
        ("full_column", "illegal move"),
    ],
)
def test_a_judge_that_is_none_is_told_in_one_line(kind: str, reason: str) -> None:
    """Each failure of a judge raises an error of one line, and no process is left."""
    with fake_judge(kind) as bad, pytest.raises(JudgeError, match=f"judge '{kind}': {reason}"):
        bad.value(Position(STANDARD))
    assert not children_of(os.getpid())


def test_a_judge_that_never_answers_is_given_up() -> None:
    """A judge that does not answer in time is stopped."""
    hurry = TimeControl(move_ms=100.0, startup_ms=100.0)
    with (
        fake_judge("slow", control=hurry) as slow,
        pytest.raises(JudgeError, match="late first answer"),
    ):
        slow.value(Position(STANDARD))
    assert not children_of(os.getpid())


def test_a_program_that_is_not_there() -> None:
    """A missing program is reported when the judge is first needed."""
    nobody = Judge(BotSpec(name="nobody", command=("/no/such/judge",)))
    with nobody, pytest.raises(JudgeError, match="judge 'nobody': failed to start"):
        nobody.value(Position(STANDARD))


def test_a_judge_speaks_jsonl() -> None:
    """A judge with a dialect that has no scores is refused."""
    with pytest.raises(UsageError, match="a judge speaks jsonl, not c4engine"):
        Judge(BotSpec(name="c", command=("x",), dialect="c4engine"))
