"""Shared parts of the commands ``c4-referee`` and ``c4-tune``."""
