"""A bot that finds the values of the course's flags by position, like the instructor's bot."""

import sys

from playing import play

play(int(sys.argv[2]), int(sys.argv[4]), int(sys.argv[6]))
