"""Bots for tests, in this project and in others: scripted ones, and ones that misbehave.

In an environment with this package, pytest has the fixtures of ``c4_referee.testing.plugin``.
"""
