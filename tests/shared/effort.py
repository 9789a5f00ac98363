"""How much the tests try: a part of the examples usually, all of them where nobody waits."""

import os

from hypothesis import settings

THOROUGH = os.environ.get("ARENA_TESTS") == "thorough"
"""Whether the environment asks for everything, as that of ``.ci/run`` does."""
PART, FEWEST = 5, 10
"""One example in five is tried if not all of them are, and ten at least."""


def examples(number: int) -> settings:
    """Return the settings of a hypothesis test that is worth a number of examples."""
    part = number if THOROUGH else max(number // PART, FEWEST)
    return settings(max_examples=min(number, part), deadline=None)
