"""Tells two causes of silence apart: answers in a buffer, and a bot that reads to the end first."""

from c4_protocol.dialects.jsonl import RefereeEnd

from c4_referee.check import boards
from c4_referee.check.broken import Broken
from c4_referee.check.driver import QUICK_MS, Trial

LINES = 1500
"""Number of lines sent at once. Their answers fill the buffers that languages use (8 KiB)."""


def reads_to_the_end(trial: Trial) -> bool:
    """Return whether a bot stays silent for so many lines that a full buffer would be written."""
    line = RefereeEnd().write_precept(boards.middle(trial.variant), QUICK_MS)
    try:
        with trial.start() as bot:
            bot.say(line * LINES)
            bot.listen(trial.patience)
            return not bot.heard
    except Broken:
        return False
