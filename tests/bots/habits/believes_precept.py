"""Takes its player from the precept, whatever its arguments say."""

from playing import play

play()
