"""Judges of ``tests/bots/judges.py``, which have defects."""

import sys
from pathlib import Path
from typing import Any

from c4_referee.bots.spec import BotSpec
from c4_referee.contest.judging.judge import Judge

PROGRAM = Path(__file__).parent.parent / "bots" / "judges.py"


def fake_judge(kind: str, **settings: Any) -> Judge:
    """Return a judge of this kind."""
    command = (sys.executable, "-S", "-E", str(PROGRAM), kind)
    return Judge(BotSpec(name=kind, command=command), **settings)
