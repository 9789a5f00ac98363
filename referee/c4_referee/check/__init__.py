"""Checks whether a bot is ready for a tournament.

A *driver* is a program that starts bots and plays games between them. The check starts a bot and
talks to it as real drivers do, and tries one rule after another.

``driver.py`` talks to the bot, ``boards.py`` makes the positions, and ``rules`` holds the rules.
``start.py`` finds the arguments that the bot needs. ``checker.py`` runs the rules and finds the
causes of failures, with ``misreading.py``. ``report_display.py`` shows the report of one bot;
``whole_file.py`` checks and shows a whole file.
"""
