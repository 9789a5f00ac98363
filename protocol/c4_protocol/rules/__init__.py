"""Rules of the games, positions, and their notations."""
