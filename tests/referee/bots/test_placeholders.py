"""Placeholders in a bot's command, and the arguments that drivers append."""

import pytest
from c4_protocol.program.errors import UsageError
from c4_protocol.program.text import checked_name
from c4_protocol.rules.variant import STANDARD, Variant
from c4_referee.bots.clock import TimeControl
from c4_referee.bots.find import bots_from_tables, find_bots
from c4_referee.bots.placeholders import CommandValues, filled_in, placeholders_in, split_command
from c4_referee.bots.spec import BotSpec
from c4_referee.bots.toml import checked_values
from c4_referee.contest.judging.judge import Judge
from hypothesis import example, given
from hypothesis import strategies as st

WIDE = CommandValues(2, Variant(width=9, height=7, connect=5), 250.7)


def spec(command="python3", **settings: object) -> BotSpec:
    """Return a bot that is never started."""
    return checked_values(BotSpec, {"name": "bot", "command": command, **settings}, "test")


@pytest.mark.parametrize(
    ("words", "filled"),
    [
        (["-p", "{player}"], ("-p", "2")),
        (["{width}x{height}"], ("9x7",)),
        (["--player {player} --width {width}"], ("--player 2 --width 9",)),
        (["{connect}", "{time_ms}"], ("5", "250")),
        (['{"move":3}', "{print}", "{}"], ('{"move":3}', "{print}", "{}")),
    ],
)  # fmt: skip
def test_placeholders_are_filled_in(words, filled):
    """The five placeholders are replaced, also inside a word. Other braces stay."""
    assert filled_in(words, WIDE) == filled


@given(st.text().filter(lambda text: not placeholders_in([text])))
def test_other_words_stay_as_they_are(word):
    """A word without a placeholder stays as it is."""
    assert filled_in([word], WIDE) == (word,)


@pytest.mark.parametrize(
    ("arguments", "appended"),
    [
        ("none", ""),
        ("course", "--player 1 --width 7 --height 6"),
        ("positional", "1 1 7 7 6 6"),
    ],
)
def test_arguments_are_appended(arguments, appended):
    """Each name of arguments appends its list to the command."""
    bot = spec("python3 bot.py", arguments=arguments)
    command = bot.command_for(CommandValues(1, STANDARD, 1000))
    assert command == ("python3", "bot.py", *split_command(f"x {appended}")[1:])


@pytest.mark.parametrize("settings", [{"arguments": "course"}, {"command": "bot {player}"}])
def test_kept_bot_cannot_be_told_its_player(settings):
    """A bot with restart = "never" cannot have its player in the command.

    The same process also plays in the other seat.
    """
    with pytest.raises(UsageError, match="leave out restart"):
        spec(**{"restart": "never", **settings})
    assert spec("bot {width}", restart="never")


def test_command_line_sets_arguments_of_those_that_set_none():
    """--arguments applies to all bots whose tables set none."""
    known = {"own": spec(arguments="positional"), "none": spec(arguments="none"), "free": spec()}
    found = find_bots([*known, "python3"], known, arguments="course")
    assert [bot.arguments for bot in found] == ["positional", "none", "course", "course"]


@given(st.text())
@example("\x1f")
def test_command_line_gives_a_possible_name(text):
    """The name of any command line that is accepted can be written, shown and read again."""
    try:
        (bot,) = find_bots([text], {}, here=False)
    except UsageError:
        return
    assert checked_name(bot.name) == bot.name
    is_changed = not text.isprintable() or text != text.strip() or len(text) > 200
    assert bot.name == text or is_changed or "=" in text or "/" in text


def test_name_of_a_command_line_shows_what_cannot_be_printed():
    """Control characters are escaped in the name, and stay in the command."""
    one, other = find_bots(["a \x1b[2J\t'b'", "a \\x1b[2J\\t'b'"], {}, here=False)
    assert (one.name, one.command) == ("a \\x1b[2J\\t'b'", ("a", "\x1b[2J", "b"))
    assert other.name == "a \\x1b[2J\\t'b' (2)"


@pytest.mark.parametrize(
    ("commands", "names"),
    [
        (["a", "a", "a"], ["a", "a (2)", "a (3)"]),
        (["a (2)", "a", "a"], ["a (2)", "a", "a (3)"]),
        (["a", "a", "a (2)", "a (2)"], ["a", "a (3)", "a (2)", "a (2) (2)"]),
        (["a" * 200] * 2, ["a" * 200, "a" * 196 + " (2)"]),
        ([f" b{'a' * 999}c "], [f"b{'a' * 96} ... {'a' * 96}c"]),
    ],
)
def test_namesakes_are_numbered(commands, names):
    """Bots with the same command line get different names. A long line is cut in its middle."""
    assert [bot.name for bot in find_bots(commands, {}, here=False)] == names


NAMES = {
    "mine=python3 bot.py": "mine",
    "mine=c4-bot": "mine (2)",
    "python3 -u x/bot.py": "bot.py",
    "./engine --depth 3": "engine --depth 3",
    "kaggle:agents/agent.py": "agent.py",
    "python3 a/same.py": "python3 a/same.py",
    "python3 b/same.py": "python3 b/same.py",
    "python3 kept.py": "python3 kept.py",
    "c4-bot --level  3": "c4-bot --level  3",
    "java Bot": "java Bot",
    "sh -c 'cd x; ./bot.py'": "sh -c 'cd x; ./bot.py'",
    "=bot": "=bot",
}


def test_bots_are_named_by_names_or_by_unique_files():
    """A bot has the name before ``=``, or that of its file, unless a folder knows it otherwise."""
    bots = find_bots([*NAMES], {}, here=False, stored={"python3 kept.py"})
    assert [bot.name for bot in bots] == [*NAMES.values()]
    assert (bots[0].command, bots[1].command) == (("python3", "bot.py"), ("c4-bot",))


def test_program_or_file_may_have_a_sign_in_its_name(tmp_path, monkeypatch):
    """A file that is named like the first word is the program. Settings of variables get a hint."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a=b").touch()
    assert find_bots(["a=b c"], {}, here=False)[0].command == ("a=b", "c")
    with pytest.raises(UsageError, match=r"'0'; to set a variable, say env SEED=0 python3 bot.py$"):
        find_bots(["SEED=0 python3 bot.py"], {})


def test_name_earns_no_trust():
    """Only the command decides whether a bot is ours."""
    texts = ["x=c4-bot --level 3", "c4-bot=evil", "y=c4-bot --evaluator a:b", "z=PATH=. c4-bot"]
    bots = find_bots(texts, {}, here=False)
    assert [bot.is_own_command for bot in bots] == [True, False, False, False]


@pytest.mark.parametrize("name", ["", " ", "a" * 201])
def test_table_with_an_impossible_name_is_refused(name):
    """A name that is empty or too long is refused."""
    with pytest.raises(UsageError, match=r"(?s)^bots.toml: bots\..*name: .* cannot be a name"):
        bots_from_tables({name: {"command": "python3"}}, "bots.toml")


def test_names_of_tables_are_cleaned():
    """Joiners are shown as escapes. Tables whose names become equal are two bots."""
    tables = {"👩\u200d💻 ": {"command": "a"}, "b": {"command": "b"}, "b ": {"command": "c"}}
    bots = find_bots([*tables], bots_from_tables(tables, "bots.toml"), here=False)
    assert [bot.name for bot in bots] == ["👩\\u200d💻", "b", "b (2)"]
    assert [bot.command for bot in bots] == [("a",), ("b",), ("c",)]


def test_command_line_is_refused_for_kept_bots():
    """--arguments is refused for a bot with restart = "never". The error names bot and remedy."""
    with pytest.raises(UsageError, match=r"^bot 'bot' with arguments = \"course\": .*restart"):
        find_bots(["kept"], {"kept": spec(restart="never")}, arguments="course")


def test_time_for_a_move_needs_one():
    """``{time_ms}`` in a command is refused with a game clock, which has no time for a move."""
    bot = spec("bot {time_ms}")
    bot.check_plays(STANDARD, TimeControl(500))
    with pytest.raises(UsageError, match=r"\{time_ms\} in its command"):
        bot.check_plays(STANDARD, TimeControl.parse("60+1"))


def test_judge_cannot_be_told_a_player():
    """A judge is refused if its command names a player, because it is asked about both."""
    with pytest.raises(UsageError, match="judge 'bot': a judge is asked about both players"):
        Judge(spec(arguments="course"))
