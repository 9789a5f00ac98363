"""``python -m bot`` is ``c4-bot``."""

import sys

from bot.cli import main

sys.exit(main())
