"""Runs ``c4-tune`` for ``python -m c4_referee.tuning``, without the current folder's modules."""

import sys

if not sys.flags.safe_path:
    del sys.path[0]  # the current folder, where a file may have the name of a standard module

from c4_referee.tuning.cli import main

sys.exit(main())
