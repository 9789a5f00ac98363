"""Check of the system: importing this module raises ``ImportError`` where no referee can work."""

import os

if not hasattr(os, "fork"):
    raise ImportError(
        "the referee needs Linux, macOS or WSL, because it limits and stops bots by means that "
        "Windows lacks; c4-bot and c4-solve work without it"
    )
