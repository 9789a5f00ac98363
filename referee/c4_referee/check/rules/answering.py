"""Rules about answers: one legal move for each line, without delay, and nothing else."""

from c4_referee.check import boards
from c4_referee.check.broken import SLOW, Broken, move_form
from c4_referee.check.driver import Trial
from c4_referee.check.evidence import quoted
from c4_referee.check.rules._rule import PAUSE_SECONDS, NoFault, ask_all, rule

ONE_LINE = "print one line with a move for each line you read, and nothing else"


@rule("answers with a legal move", ONE_LINE, explains=NoFault)
def plain(trial: Trial) -> str:
    """Ask as the course's driver does, with a line that states no time."""
    with trial.start() as bot:
        bot.ask(boards.middle(trial.variant), time_ms=None)
        return quoted(bot.heard.strip())


@rule("answers each line while its input stays open", SLOW, explains=NoFault)
def flushes(trial: Trial) -> None:
    """Wait for each answer before the next line, as drivers do."""
    ask_all(trial, boards.game(trial.variant)[:6:2])


@rule("writes one line for each answer and nothing else", ONE_LINE, explains=NoFault)
def nothing_else(trial: Trial) -> None:
    """Refuse any output except one line for each question.

    Drivers would take a banner, blank line, byte order mark or second line for an answer.
    """
    with trial.start() as bot:
        for count, position in enumerate(boards.game(trial.variant)[:4:2], 1):
            bot.ask(position)
            bot.listen(PAUSE_SECONDS)
            if not _are_answers(bot.heard, count):
                seen = f"for {count} line(s) it wrote {quoted(bot.heard)}"
                raise Broken(seen, move_form(trial.variant).line)


def _are_answers(heard: bytes, count: int) -> bool:
    """Return whether bytes are ``count`` whole lines, each with a JSON object."""
    lines = heard.split(b"\n")
    objects = all(line.startswith(b"{") and line.rstrip().endswith(b"}") for line in lines[:-1])
    return len(lines) == count + 1 and lines[-1] == b"" and objects
