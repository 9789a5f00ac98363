"""Bots for tests, in this project and in others: some play a script, some misbehave.

In an environment with this package, pytest has the fixtures of ``c4_referee.testing.plugin``.
"""
