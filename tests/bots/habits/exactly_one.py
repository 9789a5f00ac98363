"""Needs one argument, and refuses more."""

import sys

from playing import play

(player,) = sys.argv[1:]
play(int(player))
