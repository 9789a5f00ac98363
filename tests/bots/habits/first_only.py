"""A bot that reads only its first argument."""

import sys

from playing import play

play(int(sys.argv[1]))
