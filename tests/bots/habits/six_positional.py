"""A bot that needs the six positional arguments of an older driver."""

import sys

from playing import play

player, _, width, _, height, _ = map(int, sys.argv[1:])
play(player, width, height)
