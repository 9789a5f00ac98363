"""Every type of the native core has a name of its own.

Two types of one name in different files would break C++'s one-definition rule. Optimization at link
time may then take one for the other.
"""

import re
from collections import defaultdict
from pathlib import Path

NATIVE = Path(__file__).parents[2] / "bot" / "native"
TYPE = re.compile(r"^(?:class|struct)(?: alignas\(\d+\))? (\w+)\b[^;]*\{", re.MULTILINE)


def test_no_two_types_have_one_name() -> None:
    """No header defines a type that another one defines."""
    files = defaultdict(list)
    for header in sorted(NATIVE.rglob("*.hpp")):
        for name in TYPE.findall(header.read_text()):
            files[name].append(str(header.relative_to(NATIVE)))
    assert len(files) > 30
    assert {name: where for name, where in files.items() if len(where) > 1} == {}
