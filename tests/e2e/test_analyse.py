"""``c4-referee analyse``: values of positions, their best lines and reasons."""

import pytest
from c4_protocol.rules.notation import replay
from c4_protocol.rules.variant import STANDARD
from cores import needs_core

pytestmark = [pytest.mark.linux, needs_core]


def test_best_line_leads_to_the_result_of_the_value(c4_referee):
    """The best line ends the game as the first line says, and the command reads it."""
    said = c4_referee("analyse", "4453215346").stdout.decode()
    line = said.partition("Best line: ")[2].strip()
    position, _ = replay(f"4453215346{line.replace(' ', '')}", STANDARD)
    *others, last = line.split()
    for text in (f"4453215346 {' '.join(others)}", f"4453215346, {', '.join(others)}"):
        assert c4_referee("analyse", text).stdout.decode().endswith(f"Best line: {last}\n\n")
    assert position.is_over
    words = {0: "can hold a draw", 1: "wins", 2: "loses"}[position.winner]
    assert said.startswith(f"X is to move and {words}")
