"""Evaluators, one in each module: ``needed.py`` defines ``class Needed``, named ``needed``."""
