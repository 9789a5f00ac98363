"""The options with which ``c4-bot`` needs no sandbox."""

import shlex
from contextlib import suppress

import pytest
from c4_bot.commands import bot
from c4_protocol.program.errors import UsageError
from c4_protocol.program.trusted_options import (
    FLAG,
    NAME,
    NOT_TRUSTED,
    NUMBER,
    NUMBERS,
    OPTIONS,
    POSITIONAL,
    SETTING,
    are_trusted,
)
from hypothesis import given
from hypothesis import strategies as st

VALUES = {
    FLAG: [""],
    NUMBER: ["2"],
    NUMBERS: ["3", "1,3,6"],
    NAME: ["random", "level-3"],
    SETTING: ["book=false", "share=0.5", "weights=1,-3,6", "weights=[1,3]"],
}
"""Values of each kind that every option of this kind has."""
TRUSTED = [name for name, kind in OPTIONS.items() if kind is not NOT_TRUSTED]
HARMLESS = st.sampled_from(TRUSTED).flatmap(
    lambda name: st.sampled_from(VALUES[OPTIONS[name]]).flatmap(
        lambda value: st.sampled_from(
            [[value]]
            if name == POSITIONAL
            else [[name, value], [f"{name}={value}"]]
            if value
            else [[name]]
        )
    )
)
HARMFUL = (
    "--evaluator", "--evaluator=evil:E", "evil:E", "evil.py", "@evil", "--", "-", "--eval", "--web",
    "--out", "--out=x", "--play", "--puzzle", "-h", "--info --web", " --web", "--depth 1 --web",
    "--plays=evil:E", "--set=a=evil:E", "--weights=1,x", "--depth", "1", "--info=", "--plays", "\n",
)  # fmt: skip


def harm_of(words):
    """Return the options that are not harmless and that ``c4-bot`` finds in these words."""
    with suppress(SystemExit, UsageError):
        found = vars(bot.parser().parse_intermixed_args([*bot._words(words)]))
        unset = vars(bot.parser().parse_args([]))
        names = {name.lstrip("-").replace("-", "_") for name in TRUSTED}
        return {name for name, value in found.items() if value != unset[name]} - names
    return set()


@given(st.lists(HARMLESS, max_size=6))
def test_combinations_of_trusted_options_are_parsed_and_do_nothing_else(groups):
    """All combinations of trusted options are accepted, and set no other option."""
    words = [word for group in groups for word in group]
    assert are_trusted(words)
    bot.parser().parse_intermixed_args([*bot._words(words)])
    assert not harm_of(words)


@given(st.lists(st.sampled_from([*HARMFUL, *TRUSTED]) | st.text(max_size=9), max_size=6))
def test_trusted_words_set_no_other_option(words):
    """However the parser reads words that are trusted, it finds only harmless options."""
    assert not (are_trusted(words) and harm_of(words))


@pytest.mark.parametrize("word", HARMFUL[: HARMFUL.index("--depth")])
def test_other_words_are_not_trusted(word):
    """A word that is not a whole option or number, or a value of another kind, is not trusted."""
    assert are_trusted(["--info"])
    assert not are_trusted(["--info", word])
    assert not are_trusted(["--set", word])


@pytest.mark.parametrize(
    "words",
    ["", "--level 3", "--plays perfect --time-ms 100", "--depth 1 --one-variant", "1 1 7 7 6 6",
     "--plays perfect --set score_only=true --info", "--dialect console --serve --verbose",
     "--plays sequences --weights 1,-3,6 --seed -2", "--width 9 --height 7 --connect=5"],
)  # fmt: skip
def test_usual_words_are_trusted(words):
    """The commands of documents and examples need no sandbox."""
    assert are_trusted(shlex.split(words))


def test_option_that_is_added_to_the_parser_is_not_trusted(monkeypatch):
    """Nobody can add an option to the tables without a decision, and others are not trusted."""
    bot.parser().add_argument("--model", metavar="FILE")
    assert not are_trusted(["--model", "1"])
    for key in ("--model FILE", "--model"):
        monkeypatch.setitem(bot.OTHER_OPTIONS, key, "text")
        with pytest.raises(LookupError, match="--model"):
            bot.parser()
        monkeypatch.delitem(bot.OTHER_OPTIONS, key)
    monkeypatch.setitem(bot.PLAYER_OPTIONS, "--info NAME", "text")
    with pytest.raises(LookupError, match="--info is not of the kind ''"):
        bot.parser()


def test_table_has_the_options_of_the_parser():
    """Each option of the parser is in the table, or is one that all commands have."""
    general = {"-h", "--help", "--help-all", "--schema", "--version", "--print-completion"}
    made = {name for action in bot.parser()._actions for name in action.option_strings}
    assert made - general == OPTIONS.keys() - {POSITIONAL}
