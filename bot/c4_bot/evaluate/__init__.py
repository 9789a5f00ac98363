"""Evaluators, one a module: ``needed.py`` defines ``class Needed`` and is called ``needed``."""
