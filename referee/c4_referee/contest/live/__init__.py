"""A contest while it is played: the file of its running games, and who reads it."""
