"""Bots for tests, ours and other people's: scripted ones, and ones that misbehave.

Whoever has this package installed has the fixtures of ``c4_referee.testing.plugin`` in pytest.
"""
