"""Reads only its first argument, and passes over the others."""

import sys

from playing import play

play(int(sys.argv[1]))
