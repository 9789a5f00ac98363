"""Evaluators, one in each module: ``needed.py`` defines ``Needed``, the evaluator ``needed``."""
