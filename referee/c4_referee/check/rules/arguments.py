"""Rules about the arguments that drivers append to a bot's command."""

from c4_referee.bots.placeholders import APPENDED_WORDS
from c4_referee.check.driver import Trial
from c4_referee.check.rules._rule import Rule, always

ADVICE = "accept the arguments that drivers append to your command, and ignore unknown ones"
COURSE = APPENDED_WORDS["course"]


def _about_arguments(name: str) -> Rule:
    """Return a decorator that registers a function as a rule about arguments."""
    return Rule(name, ADVICE, is_about_arguments=True, json=True, elsewhere=always)


def _start_with(trial: Trial, *arguments: str) -> None:
    """Start the bot with these arguments, and ask once."""
    with trial.start(*arguments) as bot:
        bot.ask(trial.position)


@_about_arguments("starts with --player 1 --width W --height H")
def flags(trial: Trial) -> None:
    """Append the arguments of the course's own driver."""
    _start_with(trial, *COURSE)


@_about_arguments("starts with the same flags in another order")
def flags_reordered(trial: Trial) -> None:
    """Append the same arguments in another order, as another driver does."""
    _start_with(trial, *COURSE[4:], *COURSE[2:4], *COURSE[:2])


@_about_arguments("starts with one bare argument")
def bare_argument(trial: Trial) -> None:
    """Append only the bot's player, as one driver does."""
    _start_with(trial, "{player}")


@_about_arguments("starts with one empty argument")
def empty_argument(trial: Trial) -> None:
    """Append an empty argument, as one driver does if its own setting is empty."""
    _start_with(trial, "")


@_about_arguments("starts with six positional arguments, as 1 1 7 7 6 6")
def six_arguments(trial: Trial) -> None:
    """Append player, width and height, each value twice, as one driver does."""
    _start_with(trial, *APPENDED_WORDS["positional"])
