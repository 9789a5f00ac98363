"""``python -m referee.tuning`` is ``c4-tune``."""

import sys

from referee.tuning.cli import main

sys.exit(main())
