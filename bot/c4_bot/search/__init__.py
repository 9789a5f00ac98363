"""Searches, one per module: ``negamax.py`` defines ``class Negamax``, the search ``negamax``."""
