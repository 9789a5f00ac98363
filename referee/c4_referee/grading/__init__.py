"""Points for a bot, by a rubric.

``rubric.py`` reads the rubric, ``grade.py`` plays the games and gives the points, and ``writers``
has one module for each format in which other programs read the result.
"""
