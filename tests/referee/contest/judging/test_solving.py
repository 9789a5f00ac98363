"""Positions of games are solved within a budget, and no process of the solver is left."""

import json
import os
import signal
import subprocess
import sys
from itertools import accumulate
from pathlib import Path
from random import Random

import pytest
from c4_protocol.program.errors import JudgeError, UsageError
from c4_protocol.records.events import GameEnded
from c4_protocol.rules.notation import moves_text, position_from_moves, replay, win_score
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import LINE8, STANDARD, Variant
from c4_referee.bots.contain.process_tree import children_of
from c4_referee.bots.own import with_own_command
from c4_referee.contest.judging import solver_process, values
from c4_referee.contest.judging.solver_process import SolverSettings
from c4_referee.contest.judging.solving import solve_games
from c4_referee.contest.judging.values import ExactValues
from c4_referee.records.stats.analysis import analyse
from c4_referee.records.stats.solved import Reason, Solved, position_key
from cores import needs_core
from games import game_of
from waiting import is_running, wait_for

SOLVERS = Path(__file__).parents[3] / "bots" / "solvers.py"
SMALL = Variant(4, 4)
PATIENT = SolverSettings(position_seconds=300)
"""Settings for tests on busy machines."""
PLIES = 200
"""Minimum number of plies that are compared with the answers of ``c4-solve``."""


def fake(kind: str, **settings: float) -> SolverSettings:
    """Return one process of ``tests/bots/solvers.py``."""
    command = (sys.executable, "-S", "-E", str(SOLVERS), kind)
    return SolverSettings(1, command=command, **settings)


def random_game(variant: Variant, seed: int, skill: float = 0.9) -> GameEnded:
    """Return a random game in which most wins and threats are seen."""
    draw, position, cells = Random(seed), Position(variant), []
    while not position.is_over:
        urgent = position.winning_cells or position.opponent_winning_cells
        if urgent and draw.random() < skill:
            cells.append(urgent.bit_length() - 1)
        else:
            cells.append(draw.choice(position.moves))
        position = position.play(cells[-1])
    return game_of(moves_text(variant, cells), variant=variant)


def answers_of(game: GameEnded) -> list[dict]:
    """Return what ``c4-solve`` says of all positions of a game that are not its end."""
    lines = "\n".join(["", *accumulate(game.moves[:-1])])
    command = with_own_command(
        ["c4-solve", "--all", "--json", "--variant", str(game.variant.variant())]
    )
    done = subprocess.run(command, input=lines + "\n", capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def check_lines(game: GameEnded, known) -> None:
    """Check that each line ends the game with the result that it promises."""
    variant = game.variant.variant()
    blank = "" if variant.gravity else " "
    names = [*game.moves] if variant.gravity else game.moves.split()
    for change in known.changes:
        ply, player = change.ply, 1 + change.ply % 2
        lines = {
            change.before: (*names[:ply], *change.better_line),
            change.after: (*names[: ply + 1], *change.refutation),
        }
        for expected, line in lines.items():
            end, _ = replay(blank.join(line), variant)
            score = win_score(variant, end.ply)
            assert end.is_over
            assert expected == (0 if not end.winner else score if end.winner == player else -score)


@needs_core
def test_values_and_scores_are_those_of_the_solver() -> None:
    """Values and scores of random games equal the answers of c4-solve, and lines are complete."""
    games, plies = [], 0
    while plies < PLIES:
        game = random_game(STANDARD, len(games))
        games.append(game_of(game.moves, game.moves[:16]))
        plies += len(games[-1].moves)
    solved: dict[str, Solved] = {}
    stored: dict[str, Solved] = {}
    done = solve_games(games, STANDARD, ExactValues(solved, stored.update), 600, settings=PATIENT)
    assert (done.games, done.done, done.ended) == (len(games), len(games), None)
    assert solved == stored
    for game in games:
        known, answers = analyse(game, solved), answers_of(game)
        assert list(known.values[:-1]) == [answer["score"] for answer in answers]
        assert [*map(list, known.scores[:-1])] == [answer["scores"] for answer in answers]
        check_lines(game, known)
        for change in known.changes:
            assert [*map(int, sorted(change.better))] == answers[change.ply]["best"]
            assert change.reason.startswith(f"Column {game.moves[change.ply]} ")
    assert not children_of(os.getpid())


@needs_core
def test_a_second_run_has_nothing_to_do() -> None:
    """Solved positions are not asked again, and no process is started for them."""
    games = [random_game(SMALL, seed) for seed in range(5)]
    solved: dict[str, Solved] = {}
    first = solve_games(games, SMALL, ExactValues(solved), 600, settings=PATIENT)
    assert first.positions == len(solved) > 0
    nobody = SolverSettings(command=("/no/such/solver",))
    again = solve_games(games, SMALL, ExactValues(solved, pytest.fail), 600, settings=nobody)
    assert (again.done, again.positions, again.ended) == (5, 0, None)


CHANGED = game_of("14", variant=SMALL)
"""Game whose last move throws away a draw, if ``known_change`` is right."""


def known_change() -> ExactValues:
    """Return values that show the change of ``CHANGED``."""
    before, after = (position_from_moves(moves, SMALL) for moves in ("1", "14"))
    solved = {
        position_key(before): Solved(0, (0, 0, 0, -3)),
        position_key(after): Solved(3, (3, 0, 0, 0)),
    }
    return ExactValues(solved)


def explained_by(kind: str) -> ExactValues:
    """Return the values of ``CHANGED`` after one process of ``solvers.py`` was asked."""
    found = known_change()
    done = solve_games([CHANGED], SMALL, found, 600, settings=fake(kind, position_seconds=300))
    assert (done.done, done.ended) == (1, None)
    assert not children_of(os.getpid())
    return found


def test_changes_are_explained_once() -> None:
    """A move that changed the result gets its sentence, which is not asked for again."""
    found = explained_by("explains")
    (change,) = analyse(CHANGED, found.known).changes
    assert change.reason == "Column 4 gives away\\x1b a draw."
    assert (change.better, change.better_line[0]) == (("3", "2", "1"), "3")
    nobody = SolverSettings(command=("/no/such/solver",))
    assert solve_games([CHANGED], SMALL, found, 600, settings=nobody).done == 1


@pytest.mark.parametrize("kind", ["shrugs", "praises", "rambles", "hesitates"])
def test_a_change_may_stay_without_explanation(kind: str) -> None:
    """A solver that cannot explain a mistake shortly ends neither the game nor the run."""
    assert not any(one.reasons for one in explained_by(kind).known.values())


@pytest.mark.parametrize("kind", ["explains_another", "mumbles"])
def test_an_explanation_that_cannot_be_right_is_not_believed(kind: str) -> None:
    """An explanation of another move, or without a text, raises an error."""
    with pytest.raises(JudgeError, match="valid answer: "):
        explained_by(kind)


def test_reasons_stay_when_more_is_known() -> None:
    """A result without reasons keeps those that are known, and reasons alone are not counted."""
    position, found = Position(SMALL), ExactValues({})
    one, two = Reason("1", "One.", "3"), Reason("2", "Two.", "3")
    for result in (
        Solved(0),
        Solved(0, reasons=(one,)),
        Solved(0, (0,) * 4),
        Solved(0, (0,) * 4, reasons=(two,)),
    ):
        found.add(position, result)
    assert found.known[position_key(position)].reasons == (one, two)
    assert found.count == 2


@needs_core
def test_scores_are_added_to_values_and_mirror_images_are_known() -> None:
    """A position with a value alone is asked for scores, a mirror image of a solved one is not."""
    game = game_of("1122", "112", SMALL)
    image = game_of("4433", "443", SMALL)
    solved = {position_key(position_from_moves("1122", SMALL)): Solved(0)}
    first = solve_games([game], SMALL, ExactValues(solved), 600, settings=PATIENT)
    assert first.positions == 5
    assert all(one.scores for one in solved.values())
    assert solve_games([image], SMALL, ExactValues(solved, pytest.fail), 600).positions == 0
    assert None not in analyse(image, solved).values


@needs_core
@pytest.mark.parametrize("moves", ["2s442141114223", "11224", "23", "31"])
def test_games_with_the_steal_are_solved(moves: str) -> None:
    """Values and scores of games with the steal equal those of c4-solve, also before the steal."""
    variant, solved = Variant(4, 4, 3, steal=True), dict[str, Solved]()
    game = game_of(moves, variant=variant, ending="void")
    done = solve_games([game], variant, ExactValues(solved, solved.update), 600, settings=PATIENT)
    assert (done.games, done.done, done.ended) == (1, 1, None)
    known = analyse(game, solved)
    for ply, answer in enumerate(answers_of(game)):
        assert known.values[ply] == answer["score"]
        assert list(known.scores[ply]) == answer["scores"]
    check_lines(game, known)
    assert known.changes


def test_late_positions_stay_known() -> None:
    """Where a position takes too long, the rest of its game is given up. Later ones stay known."""
    games = [random_game(SMALL, seed) for seed in range(3)]
    solved: dict[str, Solved] = {}
    done = solve_games(games, SMALL, ExactValues(solved), 600, settings=fake("knows_the_end"))
    assert (done.done, done.ended) == (3, None)
    for game in games:
        values = analyse(game, solved).values
        assert [value is None for value in values] == [ply < 8 for ply in range(len(values))]
    assert not children_of(os.getpid())


@needs_core
@pytest.mark.weekly  # how many positions are solved depends on the speed of the machine
def test_late_positions_without_gravity_are_solved() -> None:
    """In line8, exact values and best moves of late positions are found."""
    games, solved = [random_game(LINE8, seed) for seed in range(2)], {}
    settings = SolverSettings(position_seconds=0.2)
    done = solve_games(games, LINE8, ExactValues(solved), 600, settings=settings)
    assert (done.done, done.ended) == (2, None)
    assert not any(one.scores for one in solved.values())
    for game in games:
        known = analyse(game, solved)
        assert None not in known.values[-10:]
        assert known.changes
    assert not children_of(os.getpid())


def test_the_budget_ends_solving() -> None:
    """A run ends when the time is up. The questions that are then open are dropped."""
    games = [random_game(SMALL, seed) for seed in range(3)]
    done = solve_games(games, SMALL, ExactValues({}, pytest.fail), 0.2, settings=fake("silent"))
    assert (done.games, done.done, done.positions, done.ended) == (3, 0, 0, "time")
    assert not children_of(os.getpid())


def test_an_interrupt_keeps_what_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C ends the run. Results that were found before are stored."""
    monkeypatch.setattr(values, "BATCH_SECONDS", 600)
    games = [random_game(SMALL, seed) for seed in range(3)]
    stored: dict[str, Solved] = {}

    def interrupt(done: int, _games: int) -> None:
        if done == 1:
            signal.raise_signal(signal.SIGINT)

    done = solve_games(games, SMALL, ExactValues({}, stored.update), 600, interrupt, fake("draws"))
    assert (done.done, done.ended) == (1, "interrupt")
    assert done.positions == len(stored) == len(games[0].moves)
    assert not children_of(os.getpid())


def test_results_are_stored_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Results are stored while others are still missing, so that a killed run loses few."""
    monkeypatch.setattr(values, "BATCH_SECONDS", 0)
    game, batches = random_game(SMALL, 1), []
    solve_games([game], SMALL, ExactValues({}, batches.append), 600, settings=fake("draws"))
    assert len(batches) == len(game.moves)
    assert all(len(batch) == 1 for batch in batches)


@pytest.mark.parametrize("kind", ["silent", "is_killed", "refuses"])
def test_games_with_hard_positions_are_given_up(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A solver that is late, killed or refuses costs the rest of the game, and not the run."""
    monkeypatch.setattr(solver_process, "ANSWER_GRACE_SECONDS", 0.1)
    games, told = [random_game(SMALL, seed) for seed in range(3)], []
    settings = fake(kind, position_seconds=10 if kind == "refuses" else 0.1)
    done = solve_games(
        games,
        SMALL,
        ExactValues({}, pytest.fail),
        600,
        lambda *numbers: told.append(numbers),
        settings,
    )
    assert (done.done, done.positions, done.ended) == (3, 0, None)
    assert told == [(0, 3), (1, 3), (2, 3), (3, 3)]
    assert not children_of(os.getpid())


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("dies", "valid answer: 'out of wisdom'"),
        ("leaves", "ended with code 0"),
        ("rubbish", "valid answer: 'a draw, I think'"),
        ("endless", "valid answer: '000"),
        ("another", "valid answer: "),
        ("boasts", "valid answer: "),
        ("halves", "valid answer: "),
        ("twice", "valid answer: "),
    ],
)
def test_a_solver_that_cannot_be_right_is_not_believed(kind: str, reason: str) -> None:
    """A solver that fails or contradicts the rules raises an error of one line."""
    game = game_of("11112222", variant=SMALL)
    with pytest.raises(JudgeError, match=reason) as raised:
        solve_games([game], SMALL, ExactValues({}), 600, settings=fake(kind))
    assert "\n" not in str(raised.value)
    assert not children_of(os.getpid())


def test_a_solver_that_is_not_there() -> None:
    """A missing program is an error of one line."""
    settings = SolverSettings(command=("/no/such/solver",))
    with pytest.raises(JudgeError, match="c4-solve cannot be started"):
        solve_games([random_game(SMALL, 1)], SMALL, ExactValues({}), 600, settings=settings)


def test_a_variant_without_a_name_cannot_be_solved() -> None:
    """Variants that c4-solve does not know are refused."""
    vertical = Variant(4, 4, directions=("vertical",))
    with pytest.raises(UsageError, match="c4-solve does not solve 4x4x4 vertical"):
        solve_games([], vertical, ExactValues({}), 600)


def test_games_that_matter_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games with known changes come first, then others in their order, void and given up last."""
    monkeypatch.setattr(values, "BATCH_SECONDS", 0)
    void = game_of("31", variant=SMALL, ending="void")
    plain, given_up = game_of("12", variant=SMALL), game_of("211", variant=SMALL)
    changed, unplayed = game_of("14", variant=SMALL), game_of("33", "33", SMALL)
    solved = {
        position_key(position_from_moves("14", SMALL)): Solved(0),
        position_key(position_from_moves("1", SMALL)): Solved(3),
        position_key(position_from_moves("211", SMALL)): Solved(0, (0, 0, 0, 0)),
    }
    order: list[str] = []
    games = [void, given_up, plain, plain, unplayed, changed]
    done = solve_games(games, SMALL, ExactValues(solved, order.extend), 600, settings=fake("draws"))
    ends = [position_key(position_from_moves(moves, SMALL)) for moves in ("14", "12", "21", "31")]
    assert done.games == 4
    assert [key for key in order if key in ends] == ends


def test_a_failing_store_leaves_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error of the function that stores results ends the run and its processes."""
    monkeypatch.setattr(values, "BATCH_SECONDS", 0)

    def fail(_batch: object) -> None:
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        solve_games(
            [random_game(SMALL, 1)], SMALL, ExactValues({}, fail), 600, settings=fake("draws")
        )
    assert not children_of(os.getpid())


@pytest.mark.linux  # the kernel ends the child on Linux
def test_a_killed_referee_leaves_no_solver() -> None:
    """If the referee is killed, its solver ends, although it is computing."""
    script = (
        "import sys; sys.path[:0] = sys.argv[3:]\n"
        "from c4_referee.contest.judging.solving import solve_games\n"
        "from c4_referee.contest.judging.solver_process import SolverSettings\n"
        "from c4_referee.contest.judging.values import ExactValues\n"
        "from c4_protocol.rules.variant import Variant\n"
        "from games import game_of\n"
        "command = (sys.executable, *sys.argv[1:3])\n"
        "game = game_of('12', variant=Variant(4, 4))\n"
        "settings = SolverSettings(1, command=command)\n"
        "solve_games([game], Variant(4, 4), ExactValues({}, print), 600, settings=settings)\n"
    )
    command = [sys.executable, "-c", script, str(SOLVERS), "silent", *sys.path]
    with subprocess.Popen(command) as referee:
        solvers = wait_for(lambda: children_of(referee.pid))
        referee.kill()
    assert solvers
    assert wait_for(lambda: not any(map(is_running, solvers)))
