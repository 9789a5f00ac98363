"""The command ``c4-bot``, as ``python -m c4_bot``, or by the path of this file.

``c4-bot`` and ``python -m c4_bot`` both ignore the modules in the current folder. If it is
started by its path, this file runs the package to which it belongs, whatever the search path for
modules is.
"""

import os
import sys

if not sys.flags.safe_path:
    del sys.path[0]  # the current folder, or that of this file: it could hide modules
if not __package__:  # it was started by its path
    sys.path.insert(0, __file__.rsplit(os.sep, 2)[0])
    import c4_bot  # noqa: F401 - this imports c4_protocol, too

    sys.path.append(sys.path.pop(0))  # modules of other names are found as usual

from c4_bot.cli import main

sys.exit(main())
