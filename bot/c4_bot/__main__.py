"""The command ``c4-bot``, as ``python -m c4_bot``.

``c4-bot`` and ``python -m c4_bot`` both ignore the modules in the current folder.
"""

import sys

if not sys.flags.safe_path:
    del sys.path[0]  # the current folder: a file there may have the name of a library module

from c4_bot.cli import main

sys.exit(main())
