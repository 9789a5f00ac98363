"""Number of hypothesis examples: usually a part, and all of them in thorough tests."""

import os

from hypothesis import settings

THOROUGH = os.environ.get("ARENA_TESTS") == "thorough"
"""True if the environment asks for thorough tests, as ``.ci/run`` does."""
PART, FEWEST = 5, 10
"""One example in ``PART`` is tried if tests are not thorough, but at least ``FEWEST``."""


def examples(number: int) -> settings:
    """Return the hypothesis settings of a test with ``number`` examples in thorough tests."""
    part = number if THOROUGH else max(number // PART, FEWEST)
    return settings(max_examples=min(number, part), deadline=None)
