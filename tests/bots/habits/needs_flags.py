"""Takes the values of the course's flags by their places, as the instructor's naive bot does."""

import sys

from playing import play

play(int(sys.argv[2]), int(sys.argv[4]), int(sys.argv[6]))
