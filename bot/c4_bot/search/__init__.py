"""Searches, one in each module: ``negamax.py`` defines ``Negamax``, the search ``negamax``."""
