"""The mark of tests that need the native core."""

import pytest
from c4_bot import native

needs_core = pytest.mark.skipif(native.core is None, reason="the native core is missing")
"""Skips a test where the project was installed without a C++ compiler. ``.ci/run`` has the core."""
