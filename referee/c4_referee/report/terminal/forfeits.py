"""Forfeits of bots, as text on a terminal."""

from collections.abc import Mapping, Sequence

from c4_protocol.records.reports import ForfeitRecord
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from c4_referee.report.texts import counted


def print_forfeits(console: Console, forfeits: Mapping[str, Sequence[ForfeitRecord]]) -> None:
    """Print each bot's reasons for forfeits, each with the number of games and an example."""
    if not forfeits:
        return
    console.print("Forfeits, with an example of each")
    for bot, records in forfeits.items():
        console.print(Padding(Text(bot), (0, 0, 0, 2), expand=False))
        for record in records:
            console.print(Padding(_counted_reason(record), (0, 0, 0, 4), expand=False))
    console.print()


def _counted_reason(record: ForfeitRecord) -> Text:
    """Return a reason, the number of games that it decided, and an example."""
    parts = [(record.void, "void"), (record.unplayed, "not played")]
    details = ", ".join(f"{count} {what}" for count, what in parts if count)
    text = f"{record.fault}: {counted(record.games, 'game')}" + (f" ({details})" if details else "")
    if record.games > record.unplayed:
        text += (
            f"; game {record.game}, move {record.ply + 1}: {record.detail}{_quoted(record.line)}"
        )
    return Text(text)


def _quoted(line: str | None) -> str:
    return "" if line is None else f"; it wrote '{line}'"
