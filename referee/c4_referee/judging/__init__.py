"""Asking a solver what positions are worth, and what that says of the moves played."""
