"""Command lines of bots for tests in which the players do not matter."""

import sys
from pathlib import Path

LIGHT = f"{sys.executable} -S -E {Path(__file__).parent.parent / 'bots' / 'light.py'}"
"""Command line of a bot that moves at random and starts fast."""
FAST = ("--no-accuracy", "--concurrency", "1")
"""Options of a match that starts fewer processes."""
