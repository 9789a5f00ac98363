"""Processes of a bot, their limits, and their sandbox."""
