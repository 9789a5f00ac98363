"""The command ``c4-solve``, as ``python -m c4_bot.solve``, or by the path of this file.

It changes the search path for modules as ``c4_bot.__main__`` does.
"""

import os
import sys

if not sys.flags.safe_path:
    del sys.path[0]
if not __package__:
    sys.path.insert(0, __file__.rsplit(os.sep, 3)[0])
    import c4_bot  # noqa: F401

    sys.path.append(sys.path.pop(0))

from c4_bot.solve.cli import main

sys.exit(main())
