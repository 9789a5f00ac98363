"""Bots for tests of this project and of others. Some bots play a script, and some misbehave.

In an environment with this package, pytest has the fixtures of ``c4_referee.testing.plugin``.
"""
