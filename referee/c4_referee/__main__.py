"""Start of ``python -m c4_referee``, which imports nothing from the current folder."""

import sys

if not sys.flags.safe_path:
    del sys.path[0]  # the current folder: a file there may have the name of a standard module

from c4_referee.cli import main

sys.exit(main())
