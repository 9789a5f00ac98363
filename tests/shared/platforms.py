"""Libraries of other platforms, which few machines have.

Tests that need one are skipped where it is missing. With ``ARENA_PLATFORMS=required`` in the
environment they fail instead.
"""

import os
import warnings
from importlib import import_module
from types import ModuleType

import pytest

VARIABLE = "ARENA_PLATFORMS"


def platform(name: str) -> ModuleType:
    """Return a module of another platform; skip the test, or its whole file, if it is missing.

    Warnings that the module gives when it is imported are not ours, and are ignored.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return import_module(name)
    except ImportError as error:
        if os.environ.get(VARIABLE) == "required":
            raise
        pytest.skip(f"{name} is not installed: {error}", allow_module_level=True)
