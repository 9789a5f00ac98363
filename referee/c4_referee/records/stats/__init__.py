"""Statistics of results: pure functions of games and counts."""
