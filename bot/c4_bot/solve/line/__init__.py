"""Games in which stones go anywhere: who wins, how soon, and the proof."""
