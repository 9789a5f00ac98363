"""Searches, one a module: ``negamax.py`` defines ``class Negamax`` and is called ``negamax``."""
