"""Breeding players: a tournament whose rounds make the players of the next."""
