"""Command lines of bots for tests in which the players do not matter."""

import sys
from pathlib import Path

LIGHT = f"{sys.executable} -S -E {Path(__file__).parent.parent / 'bots' / 'light.py'}"
"""Command line of a bot that moves at random and starts fast."""
PATIENT = ("--time-ms", "60000")
"""Option of a match in which nobody is late, however busy the machine is."""
FAST = ("--no-accuracy", "--concurrency", "1", *PATIENT)
"""Options of a match that starts fewer processes."""
