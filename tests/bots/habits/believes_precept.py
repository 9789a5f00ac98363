"""A bot that takes its player from the precept, and ignores its arguments."""

from playing import play

play()
