"""The open class: students hand in by a link, and their bots are on the ladder in minutes.

Two processes. The command (``open_class.py``) holds the lock of the class: it takes in, checks and
plays. The server only reads the class, and writes into its folder ``inbox``. What is there was
acknowledged, and waits there until it was taken in, also while the command does not run.
"""
