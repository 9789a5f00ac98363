"""``python -m c4_referee.tuning`` is ``c4-tune``."""

import sys

from c4_referee.tuning.cli import main

sys.exit(main())
