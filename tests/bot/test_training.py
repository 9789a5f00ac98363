"""Training of networks in the core: reproducible, in parts, and with better judgements."""

import signal
import sys
from pathlib import Path

import pytest
from c4_bot.evaluate._weights import read
from c4_bot.training import BATCH, Training
from c4_protocol.errors import UsageError, VariantError
from c4_protocol.variant import CODINGAME, LINE8, Variant

pytest.importorskip("c4_bot._core")

TINY = Variant(5, 5)


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
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    with pytest.raises(KeyboardInterrupt):
        interrupted.play(100_000 * BATCH)
    batches = int.from_bytes(interrupted.state()[:8], sys.byteorder)
    fewer = training()
    fewer.play(batches * BATCH)
    assert fewer.state() == interrupted.state()


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
