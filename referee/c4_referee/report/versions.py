"""Versions of our own commands that took part in a contest as bots or as the judge."""

from collections.abc import Mapping

from c4_protocol.records.reports import AccuracyReport
from rich.console import Console
from rich.text import Text


def print_versions(
    console: Console, versions: Mapping[str, str], judged: AccuracyReport | None
) -> None:
    """Print a line for each known version, with the bots and the judge that have it."""
    used = [*versions.items()]
    if judged is not None and judged.judge_version is not None:
        used.append((f"{judged.judge} (judge)", judged.judge_version))
    for version in dict.fromkeys(version for _, version in used):
        names = ", ".join(name for name, own in used if own == version)
        console.print(Text(f"Version {version} of c4-bot: {names}"))
