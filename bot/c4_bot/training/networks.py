"""Training of the evaluator ``network`` by games against itself, in the native core.

``Training`` is the entry point ``bot`` of the group ``c4_arena.training``. It takes and returns
numbers, texts and bytes, so a caller does not have to import this package. The method is described
in ``bot/native/train.hpp``.
"""

from c4_protocol.program.errors import UsageError, VariantError
from c4_protocol.rules.variant import Variant

from c4_bot.evaluate._patterns import Patterns, Shape
from c4_bot.evaluate._weights import Weights, packed
from c4_bot.evaluate.network import STORED_UNITS_PER_LOGIT, Network
from c4_bot.native import core, is_core_available, parameters_of, sizes

GAMES_PER_BATCH = 32
"""Number of games that are played with the same weights."""
RANDOM_MOVE_SHARE = 0.1
"""Share of random moves in the games."""
TRACE_DECAY = 0.6
"""Weight of the next position's value in the value of a position."""
LEARNING_RATE, GAMES_TO_HALVE_RATE = 5.0, 60_000.0
"""Rate of learning at the beginning, and the number of games after which it is half as large."""
RANDOM_MATCH_PLIES = 8
"""Number of random moves before the games of a match."""
MAX_WIDTH, MAX_HEIGHT = 16, 8
"""Maximum number of columns and rows of a board with a network."""


class Training:
    """A training of a network for a variant, with random numbers from ``seed``.

    Searches look ``depth`` plies ahead. Positions with at most ``solved`` free cells are solved.
    The result does not depend on ``threads``. Raises ``VariantError`` for a variant that cannot
    have a network, and ``UsageError`` if the native core was compiled without the training.
    """

    def __init__(
        self, variant: Variant, seed: int, depth: int, solved: int, threads: int = 1
    ) -> None:
        _check_can_be_trained(variant)
        if not is_core_available() or not hasattr(core, "Trainer"):
            raise UsageError(
                "to train a network, install c4-arena with this part of its native core: "
                "pip install . -C cmake.define.TRAINING=ON"
            )
        self._patterns = Patterns(variant, shapes_for(variant))
        self._threads = threads
        self._core = core.Trainer(
            sizes(variant),
            list(self._patterns.shapes),
            parameters_of(Network()),
            seed=seed,
            depth=depth,
            solved=solved,
            opening=variant.cells // 3,
            random_moves=RANDOM_MOVE_SHARE,
            trace=TRACE_DECAY,
            rate=LEARNING_RATE,
            half_rate=GAMES_TO_HALVE_RATE,
        )

    def play(self, games: int) -> tuple[int, int, int, int, float, float]:
        """Play games and learn from them; return what the network knew of their positions before.

        ``games`` must be a multiple of ``GAMES_PER_BATCH``. The numbers are: positions, solved
        positions, solved positions that are won or lost, how many of these the network judged
        correctly, and the sums of the losses of all and of solved positions. A loss is the cross
        entropy in nats.
        """
        if games % GAMES_PER_BATCH:
            raise UsageError(f"games are played in batches of {GAMES_PER_BATCH}, so not {games}")
        return self._core.play(games // GAMES_PER_BATCH, self._threads)

    def play_match(self, pairs: int, nodes: int, seed: int) -> tuple[int, int, int]:
        """Return wins, draws and losses of the network against ``Zugzwang``.

        Each of the ``pairs`` of games begins with the same random moves. Both sides use the same
        search, which visits at most ``nodes`` positions for each move.
        """
        return self._core.play_match(pairs, RANDOM_MATCH_PLIES, nodes, seed, self._threads)

    def state(self) -> bytes:
        """Return everything that the training has learned."""
        return self._core.state()

    def restore(self, state: bytes) -> None:
        """Continue from a ``state``; raise ``UsageError`` if it is of another training."""
        try:
            self._core.restore(state)
        except ValueError:
            raise UsageError("the stored weights are those of another training") from None

    def file(self, made: str) -> bytes:
        """Return the content of a file with the weights. ``made`` says how they were made."""
        return packed(
            Weights(self._patterns, self._core.weights(float(STORED_UNITS_PER_LOGIT)), made)
        )


def _check_can_be_trained(variant: Variant) -> None:
    is_usual = variant == Variant(variant.width, variant.height, variant.connect)
    if not is_usual or not 4 <= variant.connect <= 5:
        raise VariantError("networks are for games with gravity and lines of 4 or 5, without steal")
    fits = variant.width <= MAX_WIDTH and variant.height <= MAX_HEIGHT and variant.bits <= 128
    if not fits or min(variant.width, variant.height) <= variant.connect:
        raise VariantError(
            f"a network needs more than {variant.connect} columns and rows, at most {MAX_WIDTH} "
            f"columns and {MAX_HEIGHT} rows, not {variant.size}"
        )


def shapes_for(variant: Variant) -> tuple[Shape, ...]:
    """Return the shapes of the patterns: columns, and lines with the cells above or beside them."""
    if variant.connect == 4:
        return Shape(1, variant.height, 0), Shape(4, 2, 0), Shape(4, 2, 1)
    lines = Shape(6, 1, 0), Shape(6, 1, 1), Shape(5, 1, 1)
    return Shape(1, variant.height, 0), *lines, Shape(4, 2, 0)
