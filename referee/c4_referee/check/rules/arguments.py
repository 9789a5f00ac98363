"""What drivers append to the command of a bot."""

from collections.abc import Callable

from c4_referee.check import boards
from c4_referee.check.driver import Trial
from c4_referee.check.rules._rule import Judge, rule

ARGUMENTS = "accept the arguments that drivers append to your command, and ignore unknown ones"


def _about_arguments(name: str) -> Callable[[Judge], Judge]:
    return rule(name, ARGUMENTS, is_about_arguments=True)


def _with_arguments(trial: Trial, *arguments: str) -> str:
    with trial.start(*arguments) as bot:
        bot.ask(boards.middle(trial.variant))
    return ""


@_about_arguments("starts with --player 1 --width W --height H")
def flags(trial: Trial) -> str:
    """What the course's own driver appends."""
    size = ("--width", str(trial.variant.width), "--height", str(trial.variant.height))
    return _with_arguments(trial, "--player", "1", *size)


@_about_arguments("starts with the same flags in another order")
def flags_turned(trial: Trial) -> str:
    """Another driver's order."""
    size = ("--height", str(trial.variant.height), "--width", str(trial.variant.width))
    return _with_arguments(trial, *size, "--player", "1")


@_about_arguments("starts with one bare argument")
def bare_argument(trial: Trial) -> str:
    """A driver that says only who the bot is."""
    return _with_arguments(trial, "1")


@_about_arguments("starts with one empty argument")
def empty_argument(trial: Trial) -> str:
    """A driver whose own setting is empty."""
    return _with_arguments(trial, "")


@_about_arguments("starts with six positional arguments, as 1 1 7 7 6 6")
def six_arguments(trial: Trial) -> str:
    """A driver that says everything twice."""
    width, height = str(trial.variant.width), str(trial.variant.height)
    return _with_arguments(trial, "1", "1", width, width, height, height)
