"""The page about tournaments shows all systems, as their modules describe them."""

from collections import defaultdict
from pathlib import Path

from c4_referee.contest.schedule import names, system

PAGE = Path(__file__).parents[2] / "docs" / "tournament.md"
MARK = "<!-- tests/contract/test_tournament_page.py writes this table -->\n"


def test_tables_have_every_system(golden):
    """Both tables of the page have all systems."""
    described = {f"`{name}`": system(name) for name in names()}
    rounds = [(name, each.meetings, each.default_rounds) for name, each in described.items()]
    alike = defaultdict[tuple[str, ...], list[str]](list)
    for name, each in described.items():
        alike[each.bots_come, each.bots_go, each.changed_after_the_end].append(name)
    changes = [(", ".join(systems), *cells) for cells, systems in alike.items()]
    start, *shown = PAGE.read_text(encoding="utf-8").split(MARK)
    written = [start]
    for rows, text in zip((rounds, changes), shown, strict=True):
        table, _, after = text.partition("\n\n")
        title, line, *_ = table.splitlines()
        lines = [title, line, *(f"| {' | '.join(row)} |" for row in rows)]
        written.append("\n".join(lines) + f"\n\n{after}")
    golden(PAGE, MARK.join(written))
