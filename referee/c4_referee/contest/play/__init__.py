"""Play of contests: single games, the state of a tournament, and processes that play games."""
