"""Plays contests: single games, the state of a tournament, and the processes that play games."""
