"""A bot that needs exactly one argument."""

import sys

from playing import play

(player,) = sys.argv[1:]
play(int(player))
