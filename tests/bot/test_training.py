"""Training of networks in the core: reproducible, in parts, and with better judgements."""

import signal
import sys
from array import array
from pathlib import Path
from typing import Any

import pytest
from c4_bot.evaluate._patterns import Patterns
from c4_bot.evaluate._weights import read
from c4_bot.evaluate.network import Network
from c4_bot.native import numbers_of, sizes
from c4_bot.training import BATCH, Training, shapes_for
from c4_protocol.errors import UsageError, VariantError
from c4_protocol.position import Position
from c4_protocol.variant import CODINGAME, LINE8, Variant

_core = pytest.importorskip("c4_bot._core")

TINY = Variant(5, 5)


def play_for_a_moment(network: Training) -> None:
    """Play until a signal interrupts this."""
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    network.play(100_000 * BATCH)


def core_of(rate: float = 5.0, half_rate: float = 60_000.0) -> Any:
    """Return a training of the core for ``TINY`` with rates of its own."""
    settings = (3, 2, 12, 8, 0.1, 0.6, rate, half_rate)
    return _core.Trainer(sizes(TINY), list(shapes_for(TINY)), settings, numbers_of(Network()))


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
    sums = whole.play(6 * BATCH)
    first = training()
    parts = [first.play(4 * BATCH)]
    rest = training(threads=3)
    rest.restore(first.state())
    parts.append(rest.play(2 * BATCH))
    assert rest.state() == whole.state()
    assert rest.file("so") == whole.file("so")
    assert [sum(counts) for counts in zip(*parts, strict=True)] == pytest.approx(sums)
    assert rest.play_match(4, 50, 1) == whole.play_match(4, 50, 1)


def test_an_interrupted_training_has_learned_whole_batches() -> None:
    """After Ctrl-C the state is that of a training with fewer batches."""
    interrupted = training()
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    with pytest.raises(KeyboardInterrupt):
        play_for_a_moment(interrupted)
    batches = int.from_bytes(interrupted.state()[:8], sys.byteorder)
    fewer = training()
    fewer.play(batches * BATCH)
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
    network.play(4 * BATCH)
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
    assert one.play(BATCH) != other.play(BATCH)
    assert one.state() != other.state()


def test_a_network_learns() -> None:
    """The network judges solved positions better and better, and the loss falls."""
    network = training(threads=2)
    counts = [network.play(50 * BATCH) for _ in range(5)]
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
    network.play(BATCH)
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
