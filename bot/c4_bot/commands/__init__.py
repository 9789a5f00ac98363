"""The commands ``c4-bot`` and ``c4-solve``, one per file. ``cli`` and ``solve.cli`` start them."""
