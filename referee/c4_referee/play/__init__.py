"""Play of contests: single games, the tournament's state, and the processes that play its games."""
