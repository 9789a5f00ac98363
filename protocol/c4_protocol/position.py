"""Earlier name of ``c4_protocol.rules.position``, which evaluators of users import.

``CONTRIBUTING.md`` says how long it stays.
"""

from c4_protocol.rules.position import *  # noqa: F403 - all public names
