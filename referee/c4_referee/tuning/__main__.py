"""``python -m c4_referee.tuning`` is ``c4-tune``. Neither imports from the current folder."""

import sys

if not sys.flags.safe_path:
    del sys.path[0]  # the current folder: a file there may be named as a module of the library

from c4_referee.tuning.cli import main

sys.exit(main())
