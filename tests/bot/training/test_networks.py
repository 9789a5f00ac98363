"""Training of networks in the core: reproducible, in parts, and with better judgements."""

import signal
import sys
from array import array
from math import exp, log
from pathlib import Path
from random import Random
from typing import Any

import pytest
from c4_bot.evaluate._patterns import Patterns
from c4_bot.evaluate._weights import read
from c4_bot.evaluate.network import Network
from c4_bot.evaluate.zugzwang import Zugzwang
from c4_bot.native import parameters_of, sizes
from c4_bot.training.networks import GAMES_PER_BATCH, Training, shapes_for
from c4_protocol.program.errors import UsageError, VariantError
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import CODINGAME, LINE8, VERTICAL, Variant
from cores import needs_training

pytestmark = needs_training
_core = pytest.importorskip("c4_bot._core")

TINY = Variant(5, 5)


def play_for_a_moment(network: Training) -> None:
    """Play until a signal interrupts this."""
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    network.play(100_000 * GAMES_PER_BATCH)


def core_of(variant: Variant = TINY, **changed: float) -> Any:
    """Return a training of the core with settings of its own."""
    shapes = list(shapes_for(TINY)) if variant == TINY else [(1, variant.height, 0)]
    settings = {"solved": 12, "opening": 8, "random_moves": 0.1, "trace": 0.6, "rate": 5.0}
    settings |= {"half_rate": 6e4} | changed
    parameters = parameters_of(Network())
    return _core.Trainer(sizes(variant), shapes, parameters, seed=3, depth=1, **settings)


def loss_of(value: float, score: int) -> float:
    """Return the loss of a new network, whose score is that of ``Zugzwang``."""
    chance = 1 / (1 + exp(-score / 96))
    return -value * log(chance) - (1 - value) * log(1 - chance)


def parts_of(state: bytes) -> tuple["array[float]", "array[float]", "array[float]"]:
    """Return the weights in a state, the sums of their errors and those of the absolute errors."""
    numbers = array("f", state[8:])
    count = len(numbers) // 3
    return numbers[:count], numbers[count : 2 * count], numbers[2 * count :]


def training(seed: int = 3, threads: int = 1, variant: Variant = TINY) -> Training:
    """Return a training that solves positions with at most 12 free cells."""
    return Training(variant, seed, 2, 12, threads)


def test_parts_and_threads_change_nothing() -> None:
    """A training in parts, continued by others with more threads, has the same result."""
    whole = training()
    sums = whole.play(6 * GAMES_PER_BATCH)
    first = training()
    parts = [first.play(4 * GAMES_PER_BATCH)]
    rest = training(threads=3)
    rest.restore(first.state())
    parts.append(rest.play(2 * GAMES_PER_BATCH))
    assert rest.state() == whole.state()
    assert rest.file("so") == whole.file("so")
    assert [sum(counts) for counts in zip(*parts, strict=True)] == pytest.approx(sums)
    assert rest.play_match(4, 50, 1) == whole.play_match(4, 50, 1)


@pytest.mark.linux
def test_an_interrupted_training_has_learned_whole_batches() -> None:
    """After Ctrl-C the state is that of a training with fewer batches."""
    interrupted = training()
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    with pytest.raises(KeyboardInterrupt):
        play_for_a_moment(interrupted)
    batches = int.from_bytes(interrupted.state()[:8], sys.byteorder)
    fewer = training()
    fewer.play(batches * GAMES_PER_BATCH)
    assert fewer.state() == interrupted.state()


def test_a_weight_changes_by_its_rate_and_its_errors() -> None:
    """If all errors of a weight have one sign, it changes by their sum times its share of the rate.

    If they have both signs, it changes less.
    """
    core = core_of(rate=2.0)
    core.play(1, 1)
    patterns = len(list(Patterns(TINY, shapes_for(TINY)).indices(Position(TINY))))
    agreed, mixed = [], []
    for weight, error, absolute in zip(*parts_of(core.state()), strict=True):
        is_agreed = abs(error) == pytest.approx(absolute, rel=1e-6)
        (agreed if is_agreed else mixed).append((weight, 2.0 / patterns * error))
    assert any(weight > 0 for weight, _ in agreed)
    assert any(weight < 0 for weight, _ in agreed)
    assert all(weight == pytest.approx(expected, rel=1e-3) for weight, expected in agreed)
    assert any(weight != pytest.approx(expected, rel=1e-2) for weight, expected in mixed)


def test_the_rate_falls() -> None:
    """With a rate that is soon halved, only the first batch changes the weights."""
    core = core_of(half_rate=1e-9)
    core.play(1, 1)
    first = parts_of(core.state())[0]
    core.play(1, 1)
    assert any(first)
    assert parts_of(core.state())[0] == pytest.approx(first, abs=1e-6)


def test_weights_that_are_too_large_are_cut() -> None:
    """Stored weights are from -127 to 127."""
    core = core_of()
    core.play(1, 1)
    found = memoryview(core.weights(1e9)).cast("b")
    assert (min(found), max(found)) == (-127, 127)


def test_learned_weights_are_symmetric(tmp_path: Path) -> None:
    """A position and its mirror image have the same sum of weights, also in the central columns."""
    network = training(variant=Variant(6, 5))
    network.play(4 * GAMES_PER_BATCH)
    path = tmp_path / "weights.network"
    path.write_bytes(network.file("by a test"))
    found = read(path)
    values = memoryview(found.values).cast("b")
    position, sums = Position(Variant(6, 5)), set()
    for index in (1, 0, 3, 2, 4, 1, 0):
        position = position.play(position.moves[index])
        one, other = (
            sum(values[index] for index in found.patterns.indices(seen))
            for seen in (position, position.mirrored())
        )
        assert one == other
        sums.add(one)
    assert len(sums) > 1


def test_other_seeds_have_other_results() -> None:
    """The seed determines the games."""
    one, other = training(1), training(2)
    assert one.play(GAMES_PER_BATCH) != other.play(GAMES_PER_BATCH)
    assert one.state() != other.state()


def test_every_batch_has_games_of_its_own() -> None:
    """A batch with the same weights has other games than the batch before."""
    core = core_of(rate=0.0)
    assert core.play(1, 1) != core.play(1, 1)


@pytest.mark.parametrize(("connect", "won"), [(2, 1), (3, 0)])
def test_solved_positions_have_their_true_values(connect: int, won: int) -> None:
    """On a board of one row, the first player wins with lines of 2. Lines of 3 are a draw.

    An empty board, which ``Zugzwang`` likes, is the only quiet position of a game with lines of 2.
    """
    variant = Variant(3, 1, connect)
    score = Zugzwang().evaluate(Position(variant), 1)
    loss = pytest.approx(GAMES_PER_BATCH * loss_of((1 + won) / 2, score))
    core = core_of(variant, solved=3, opening=0, rate=0.0)
    assert score > 0
    assert core.play(1, 1) == (
        GAMES_PER_BATCH,
        GAMES_PER_BATCH,
        GAMES_PER_BATCH * won,
        GAMES_PER_BATCH * won,
        loss,
        loss,
    )


def test_wins_that_the_network_does_not_expect_are_counted() -> None:
    """A network that expects a loss judges a win wrongly."""
    core = core_of(Variant(3, 1, 2), solved=3, opening=0, rate=0.0)
    state = core.state()
    weights = array("f", [-9.0]) * len(parts_of(state)[0])
    core.restore(state[:8] + weights.tobytes() + state[8 + 4 * len(weights) :])
    assert core.play(1, 1)[2:4] == (GAMES_PER_BATCH, 0)


@pytest.mark.parametrize("random_moves", [0.0, 1.0])
def test_only_quiet_positions_are_learned(random_moves: float) -> None:
    """A threat is answered at once. Then one position of each game is quiet."""
    core = core_of(Variant(3, 1, 2), solved=0, opening=0, random_moves=random_moves)
    assert core.play(1, 1)[0] == GAMES_PER_BATCH


def test_a_trace_carries_the_result_to_all_positions() -> None:
    """With a trace of 1, all positions of a drawn game have the value of a draw."""
    position, loss = Position(Variant(2, 4)), 0.0
    while not position.is_over:  # all games of this board are alike to Zugzwang
        loss += loss_of(0.5, Zugzwang().evaluate(position, position.player))
        position = position.play(position.moves[0])
    start = {"solved": 0, "opening": 0, "random_moves": 0.0, "rate": 0.0}
    losses = [core_of(position.variant, trace=trace, **start).play(1, 1)[4] for trace in (0.0, 1.0)]
    assert losses[1] == pytest.approx(GAMES_PER_BATCH * loss)
    assert losses[0] != pytest.approx(GAMES_PER_BATCH * loss)


def test_the_result_counts_for_the_player_to_move() -> None:
    """The results of games are those that ``Zugzwang`` expects more often than not."""
    positions, *_, loss, _ = core_of(solved=0, random_moves=0.0, trace=1.0, rate=0.0).play(8, 1)
    assert loss / positions < log(2)


def test_random_moves_cut_the_trace() -> None:
    """A random move says nothing about the position before it."""
    states = []
    for trace in (0.0, 1.0):
        core = core_of(solved=0, random_moves=1.0, trace=trace)
        core.play(1, 1)
        states.append(core.state())
    assert states[0] == states[1]


@pytest.mark.parametrize(("variant", "solved"), [(TINY, 0), (Variant(4, 4), 16)], ids=str)
def test_not_all_moves_are_random(variant: Variant, solved: int) -> None:
    """The share of random moves changes the games, with and without solved positions."""
    start = {"solved": solved, "opening": 0, "trace": 0.0, "rate": 0.0}
    found = [core_of(variant, random_moves=share, **start).play(1, 1) for share in (0.0, 1.0)]
    assert found[0] != found[1]


def test_games_begin_with_random_moves_or_without() -> None:
    """Some games are learned from the empty board on, although others begin with random moves."""
    core = core_of()
    core.play(1, 1)
    patterns = Patterns(TINY, shapes_for(TINY))
    absolute_errors = parts_of(core.state())[2]
    assert all(absolute_errors[index] for index in patterns.indices(Position(TINY)))


def test_random_moves_give_nothing_away() -> None:
    """Openings avoid immediate losses: so nobody gets two stones above each other here."""
    tower = Variant(2, 4, 2, directions=(VERTICAL,))
    assert core_of(tower).play_match(8, 7, 1, 5, 1) == (0, 16, 0)


def test_a_network_with_senseless_weights_loses() -> None:
    """The outcomes of a match are those of the network."""
    core, numbers = core_of(), Random(1)
    state = core.state()
    weights = array("f", (numbers.uniform(-5, 5) for _ in parts_of(state)[0]))
    core.restore(state[:8] + weights.tobytes() + state[8 + 4 * len(weights) :])
    wins, _, losses = core.play_match(10, 4, 100, 1, 1)
    assert losses > wins


def test_matches_of_other_seeds_have_other_openings() -> None:
    """The seed of a match determines its openings."""
    core = core_of()
    assert len({core.play_match(20, 6, 20, seed, 1) for seed in range(1, 6)}) > 1


def test_a_network_learns() -> None:
    """The network judges solved positions better and better, and the loss falls."""
    network = training(threads=2)
    counts = [network.play(50 * GAMES_PER_BATCH) for _ in range(5)]
    right = [count[3] / count[2] for count in counts]
    loss = [count[5] / count[1] for count in counts]
    assert right[-1] > right[0]
    assert loss[-1] < loss[0]
    assert all(0 < count[2] <= count[1] < count[0] for count in counts)


def test_a_match_has_two_games_of_each_opening() -> None:
    """The outcomes of a match are those of all games. An untrained network is ``Zugzwang``."""
    outcomes = training().play_match(6, 30, 9)
    assert sum(outcomes) == 12
    assert outcomes[0] == outcomes[2]


@pytest.mark.parametrize("variant", [TINY, Variant(10, 8, 5)], ids=str)
def test_weights_can_be_read(variant: Variant, tmp_path: Path) -> None:
    """The file holds the weights of the variant."""
    network = training(variant=variant)
    network.play(GAMES_PER_BATCH)
    path = tmp_path / "weights.network"
    path.write_bytes(network.file("by a test"))
    found = read(path)
    assert found.patterns.variant == variant
    assert found.made == "by a test"
    assert any(found.values)


@pytest.mark.parametrize(
    "variant",
    [LINE8, CODINGAME, Variant(9, 7, 3), Variant(4, 6), Variant(7, 9), Variant(17, 6)],
    ids=str,
)
def test_other_games_are_refused(variant: Variant) -> None:
    """Networks are for some games only."""
    with pytest.raises(VariantError, match="network"):
        training(variant=variant)


def test_mistakes_are_told() -> None:
    """Broken batches and states of other trainings are refused."""
    with pytest.raises(UsageError, match="batches of 32"):
        training().play(33)
    with pytest.raises(UsageError, match="another training"):
        training().restore(training(variant=Variant(6, 5)).state())
