"""``python -m c4_referee`` is ``c4-referee``. Neither imports anything from the current folder."""

import sys

if not sys.flags.safe_path:
    del sys.path[0]  # the current folder: a file there may be named as a module of the library

from c4_referee.cli import main

sys.exit(main())
