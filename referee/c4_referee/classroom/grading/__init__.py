"""Points for a bot, by a rubric.

``rubric.py`` reads the rubric, ``grade.py`` checks the bot, plays the games and gives the points,
and ``writers.py`` has a function for each format in which other programs read the result.
"""
