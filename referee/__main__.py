"""``python -m referee`` is ``c4-referee``."""

import sys

from referee.cli import main

sys.exit(main())
