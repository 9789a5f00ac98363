"""Games without gravity: who wins, how soon, and the proof."""
