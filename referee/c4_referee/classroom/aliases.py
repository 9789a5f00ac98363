"""Names of bots that do not show whose they are."""

import random
from collections.abc import Collection
from itertools import product

from c4_protocol.program.errors import ArenaError

ADJECTIVES = """
amber azure bold brave bright bronze calm clever copper coral crimson curious daring eager
emerald fair gentle golden happy hazel honest indigo ivory jade jolly kind lilac lively lucky
merry mild modest noble olive patient pearl proud quick quiet ruby russet scarlet silver smart
steady sunny swift teal tidy topaz violet warm wise young
"""
ANIMALS = """
badger bear beaver bison bobcat buffalo camel condor cougar crane deer dolphin dove eagle
falcon ferret finch fox gazelle gecko goose hare hawk hedgehog heron horse ibex ibis jaguar
kestrel koala lemur leopard lion llama lynx magpie marmot marten mole moose newt ocelot octopus
orca otter owl panda panther parrot pelican penguin pika puffin puma rabbit raven robin salmon
seal sparrow stork swallow swan tapir tiger toucan turtle walrus weasel whale wolf wombat wren
yak zebra
"""


def new_alias(taken: Collection[str]) -> str:
    """Return an alias that is not taken, such as ``amber-otter``. It is drawn at random.

    If it followed from the name of a student, everybody could compute it. Raises ``ArenaError`` if
    all aliases are taken.
    """
    pairs = product(ADJECTIVES.split(), ANIMALS.split())
    free = [alias for alias in map("-".join, pairs) if alias not in taken]
    if not free:
        raise ArenaError(f"there are only {len(taken)} aliases for students")
    return random.SystemRandom().choice(free)
