"""``python -m c4_bot`` is ``c4-bot``."""

import sys

from c4_bot.cli import main

sys.exit(main())
