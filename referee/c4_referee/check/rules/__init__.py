"""The rules: each starts the bot as a driver does, asks, and judges.

A rule is a function with ``@rule``. It is given a ``Trial``, returns what is worth showing if the
bot kept it ("" for nothing), and raises ``Broken`` if not. Within one run a bot is asked about the
moves of one player, as drivers do: its command line may name that. To add a rule, write it in the
module of its topic.
"""

from importlib import import_module

from c4_referee.check.rules._rule import RULES, Rule

TOPICS = ("answering", "arguments", "reading", "positions", "manners", "advice")
"""The modules. Their rules are tried in this order, from top to bottom in each."""

for topic in TOPICS:
    import_module(f"{__name__}.{topic}")

__all__ = ["RULES", "TOPICS", "Rule"]
