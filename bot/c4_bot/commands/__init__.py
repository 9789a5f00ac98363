"""The commands ``c4-bot`` and ``c4-solve``, one per file. ``cli`` and ``c4_solve`` start them."""
