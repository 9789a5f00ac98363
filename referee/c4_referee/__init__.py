"""Runs other people's bots against each other and judges them. Never imports ``bot``."""
