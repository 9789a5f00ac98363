"""Earlier name of ``c4_protocol.rules.position``, which evaluators of users import.

``CONTRIBUTING.md`` says how long it stays.
"""

import warnings

from c4_protocol.rules.position import *  # noqa: F403 - all public names

warnings.warn(
    "c4_protocol.position is now c4_protocol.rules.position; the old name goes in 0.3.0",
    DeprecationWarning,
    stacklevel=2,
)
