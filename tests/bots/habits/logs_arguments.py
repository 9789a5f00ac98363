"""A bot that writes its arguments to standard error."""

import sys

from playing import play

print("started as", sys.argv, file=sys.stderr)
play(int(sys.argv[1]))
