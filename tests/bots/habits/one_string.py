"""A bot that reads one argument with all flags, separated by blanks, as an old driver passes it."""

import sys

from playing import play

_, player, _, width, _, height = sys.argv[1].split()
play(int(player), int(width), int(height))
