"""Exact scores: the solver, its plain reference, the solver of wins in ``line``, ``c4-solve``."""
