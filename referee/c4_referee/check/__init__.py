"""Is a bot safe to enter a tournament? Tries what real drivers do, one rule after the other.

``driver.py`` talks to the bot, ``boards.py`` holds the positions, ``rules.py`` the rules,
``checker.py`` runs them and ``terminal.py`` shows what came out.
"""
