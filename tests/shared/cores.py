"""The marks of tests that need the native core, or a part of it."""

import pytest
from c4_bot import native

needs_core = pytest.mark.skipif(native.core is None, reason="the native core is missing")
"""Skips a test where the project was installed without a C++ compiler. ``.ci/run`` has the core."""
needs_training = pytest.mark.skipif(
    not hasattr(native.core, "Trainer"), reason="the core has no training of networks"
)
"""Skips a test unless the core was compiled with ``TRAINING``, as in ``.ci/weekly``."""
