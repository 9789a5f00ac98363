"""Distinguishes two reasons why no answer arrives: a buffer, and a bot that reads to the end.

In the first case the bot answers, but its answers stay in a buffer. In the second case the bot
reads all of its input before it answers.
"""

from c4_referee.check.broken import Broken
from c4_referee.check.driver import Trial

LINES = 1500
"""Number of lines that are sent together. The answers to them fill the usual buffers of 8 KiB."""
WAIT_SECONDS = 5.0
"""Maximum time to wait for these answers, in seconds."""


def answers_fill_a_buffer(trial: Trial) -> bool:
    """Ask for enough answers to fill a buffer, and return whether some arrive.

    The input stays open meanwhile. If none arrive, the bot reads to the end of its input first, or
    it is slow.
    """
    try:
        with trial.start() as bot:
            bot.say(bot.question(trial.position) * LINES)
            bot.listen(min(trial.patience, WAIT_SECONDS))
            return bool(bot.heard)
    except Broken:
        return False
