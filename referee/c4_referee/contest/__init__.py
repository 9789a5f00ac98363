"""A contest: its bots, its conditions, and the function that plays it."""
