"""Asks a solver what positions are worth, and measures the moves of games by its answers."""
