"""A bot that refuses all arguments."""

import sys

from playing import play

if len(sys.argv) > 1:
    sys.exit(f"usage: {sys.argv[0]}")
play()
