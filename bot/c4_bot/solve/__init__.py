"""Exact scores: the solver, its plain reference, the opening book, and ``c4-solve``."""
