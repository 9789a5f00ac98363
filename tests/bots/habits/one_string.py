"""Reads one argument that holds all flags, with blanks between them, as an old driver passes it."""

import sys

from playing import play

_, player, _, width, _, height = sys.argv[1].split()
play(int(player), int(width), int(height))
