"""A contest: who plays, under which conditions, and how it is run."""
