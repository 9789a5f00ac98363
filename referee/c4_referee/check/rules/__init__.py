"""The rules of the check.

A rule starts the bot as a driver does, asks it for moves, and looks at the answers.

A rule is a function with ``@Rule``. It takes a ``Trial``. If the bot follows the rule, the function
returns a text to show, or nothing. Otherwise it raises ``Broken``. In one run, a bot is asked only
about the moves of one player, because its command line may name the player. To add a rule, write it
in the module of its topic.
"""

from importlib import import_module

from c4_referee.check.rules._rule import RULES, Rule

TOPICS = ("answering", "arguments", "reading", "positions", "whole_games", "manners", "advice")
"""Modules of rules. The rules are tried in this order, from top to bottom in each module."""

_PLAIN = "flushes nothing_else keys_once keys_reversed spaces crlf two_halves slow_reader in_time"
TOGETHER = {
    "plain": {*_PLAIN.split(), "takes_a_win", "stops_a_win"},
    "second_player": {"second_player_opens", "one_stone_less", "other_size"},
    "centre_full": {"last_column", "ten_games", "exit_line"},
    "unread_stderr": {"closed_after_game"},
}
"""Maps functions of rules to those that are tried in the same run after them, in jsonl. Rules about
the first line, the arguments or the end of a run have runs of their own."""

for topic in TOPICS:
    import_module(f"{__name__}.{topic}")

__all__ = ["RULES", "TOGETHER", "TOPICS", "Rule"]
