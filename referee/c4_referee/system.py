"""Check of the system: importing this module raises ``ImportError`` where no referee can work."""

import os

if not hasattr(os, "fork"):
    raise ImportError(
        "the referee needs Linux, macOS or WSL: Windows cannot limit and stop bots as it does; "
        "c4-bot and c4-solve work here"
    )
