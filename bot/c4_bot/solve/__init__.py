"""Exact scores: the solver, a simple reference, games without gravity (``line``), ``c4-solve``."""
