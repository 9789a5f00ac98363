"""The opening book of 7x6: exact scores of all positions of few stones, and the tool that made it.

``python -m bot.book`` makes it, from where the last run stopped.
"""
