"""A wrong line is explained by pydantic, which is imported only for this."""

import subprocess
import sys


def test_a_bot_that_answers_correct_lines_does_not_load_pydantic() -> None:
    """Pydantic is imported only for a wrong line."""
    program = """
import sys
from c4_bot.session import Session
from c4_bot.registry import build_player
session = Session(build_player("needed"))
assert session.answer(b'{"grid":[[0,0],[0,1],[0,0]],"connect":3,"clock":{"remaining_ms":10}}')
print("pydantic" in sys.modules)
try:
    session.answer(b'{"grid":3}')
except Exception as error:
    print(error)
print("pydantic" in sys.modules)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == ["False", "grid: input should be a valid array", "True"]
