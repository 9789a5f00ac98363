"""The commands of ``c4-tune``, one module each, as in ``c4_referee.commands``."""
