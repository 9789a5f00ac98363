"""``python -m c4_referee`` is ``c4-referee``."""

import sys

from c4_referee.cli import main

sys.exit(main())
