"""Reasons for moves: what a move does, why it is best or a mistake, in data and in words."""
