"""Writes its arguments to standard error, then a line a move."""

import sys

from playing import play

print("started as", sys.argv, file=sys.stderr)
play(int(sys.argv[1]))
