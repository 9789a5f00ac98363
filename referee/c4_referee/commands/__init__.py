"""The commands of ``c4-referee``, one module each.

The module ``match`` is the command ``c4-referee match``. Its function ``add(commands)`` adds a
parser to ``commands``, the subparsers of ``argparse``. Its function ``run(options)`` takes the
parsed options and returns the exit code. Most imports are inside functions, so that help appears
quickly.
"""
