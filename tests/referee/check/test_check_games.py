"""Rules of the check for dialects other than jsonl. A bot in these tests breaks each of them."""

import sys
from pathlib import Path

import pytest
from c4_protocol import dialects
from c4_protocol.rules.notation import cell_of_wire
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import CODINGAME, STANDARD, STEAL
from c4_referee.bots.languages import PYTHON, lines_for
from c4_referee.bots.spec import BotSpec
from c4_referee.check import boards, start
from c4_referee.check.broken import flush
from c4_referee.check.checker import check
from c4_referee.check.driver import Trial
from c4_referee.check.forms import form_of
from c4_referee.check.misreading import FROM_ONE, FROM_THE_RIGHT
from c4_referee.check.model_bot import ModelBot, first_answer
from c4_referee.check.rules import RULES

BOTS = Path(__file__).parent.parent.parent / "bots"
OTHERS = [name for name in dialects.referee_names() if name != dialects.DEFAULT_DIALECT]
BROKEN = [
    ("plain", "Words", "it answered 'bestmove left 0'"),
    ("flushes", "Unflushed", "it answered 'readyok' only after its input ended"),
    ("one_answer", "Again", "it wrote 'bestmove 0 0' before it was asked"),
    ("crlf", "LineFeeds", "its last words: a strange character"),
    ("two_halves", "Halves", "its last words: no command"),
    ("slow_reader", "Impatient", "'bestmove 9 0'"),
    ("game_as_first", "Full", "it answered 'bestmove 0 0': 0 is column 1, which is full"),
    ("game_as_second", "Opener", "its last words: not my turn"),
    ("opening", "FromTheStart", "its last words: what has happened?"),
    ("second_game", "FromTheStart", "its last words: what has happened?"),
    ("stolen_stone", "Robbed", "its last words: who took my stone?"),
    ("unread_stderr", "Chatty", "bytes that nobody read, no line such as \"bestmove"),
    ("closed_at_once", "Stays", "after the end of its input"),
    ("closed_after_game", "Stays", "after the end of its input"),
    ("in_time", "Slow", "of 300 ms"),
    ("takes_a_win", "Full", "; better: 2 is column 3"),
    ("stops_a_win", "Good", "; better: 2 is column 3"),
]  # fmt: skip
"""A rule, a kind of bot in ``clumsy.py``, and what is seen."""


HANGS = {"flushes", "unread_stderr", "closed_at_once"}
"""Rules whose bots do not answer, or do not end."""


def trial_of(kind: str, time_ms: float = 60_000, startup_ms: float = 60_000) -> Trial:
    """Return a trial of a bot that has, by default, as much time as it needs."""
    dialect, variant = ("codingame", CODINGAME) if kind == "Robbed" else ("c4engine", STANDARD)
    command = (sys.executable, "-S", "-E", str(BOTS / "clumsy.py"), kind)
    spec = BotSpec(name="bot", command=command, dialect=dialect)
    return Trial(spec, variant, time_ms, startup_ms)


def rule_named(name: str):
    """Return the rule with this function."""
    (found,) = [rule for rule in RULES if rule.attempt.__name__ == name]
    return found


@pytest.mark.parametrize(("name", "kind", "seen"), BROKEN, ids=lambda text: text[:20])
def test_rule_is_broken_by_its_bot(name, kind, seen, monkeypatch):
    """A broken rule fails, shows what was seen, and says what to do."""
    if name in {"one_answer", "slow_reader"}:  # the bot writes something in the pause
        rule_module = {"one_answer": "answering", "slow_reader": "reading"}[name]
        monkeypatch.setattr(f"c4_referee.check.rules.{rule_module}.PAUSE_SECONDS", 2.0)
    rule = rule_named(name)
    report = check(trial_of(kind, 300, 2500 if name in HANGS else 60_000), [rule])
    (outcome,) = report.rules
    assert not outcome.passed
    assert seen in outcome.seen
    assert outcome.fix
    assert report.passed == rule.advice


def test_every_rule_is_broken_by_somebody():
    """For each rule that applies to other dialects there is a bot that breaks it."""
    trials = [trial_of("Good"), trial_of("Robbed")]
    names = {rule.attempt.__name__ for rule in RULES if any(map(rule.applies, trials))}
    assert {name for name, _, _ in BROKEN} == names


def test_good_engine_keeps_every_rule():
    """An engine without a fault follows all rules that are not advice, and none of jsonl."""
    report = check(trial_of("Good"))
    assert [rule.name for rule in report.rules if not (rule.passed or rule.advice)] == []
    assert not [rule.name for rule in report.rules if "JSON" in rule.name or ":exit" in rule.name]


@pytest.mark.parametrize(
    ("kind", "fix"),
    [
        ("FromOne", FROM_ONE.fix),
        ("Mirrored", FROM_THE_RIGHT.fix.replace(", the first list in grid,", "")),
        ("Full", "choose among the columns that have room"),
        ("Unflushed", flush(PYTHON.lines._replace(answer=PYTHON.lines.plain_answer))),
        ("Twice", 'answer each question for a move once, with a line such as "bestmove 3 0"'),
    ],
)
def test_mistake_is_named_once_in_words_of_the_dialect(kind, fix):
    """All failures of a mistake have one cause, and no advice is about JSON."""
    names = {"plain", "flushes", "one_answer", "game_as_first", "game_as_second"}
    trial = trial_of(kind, 300, 2500) if kind == "Unflushed" else trial_of(kind)
    report = check(trial, [rule for rule in RULES if rule.attempt.__name__ in names])
    (cause,) = report.causes
    assert cause.fix == fix
    assert "json" not in cause.fix.lower()
    assert "clumsy.py" in cause.evidence.shell


@pytest.mark.parametrize("dialect", OTHERS)
def test_advice_shows_the_answer_of_the_dialect(dialect):
    """The sample in the advice is what our own bot writes in the dialect."""
    end = dialects.referee_end(dialect)
    variant = end.variant or STANDARD
    form, empty = form_of(dialect, variant), Position(variant)
    assert f'"{first_answer(dialect, empty, empty.moves[0])}"' in form.line
    assert f"the leftmost, is {end.first_column}" in form.legal
    refuses = not end.may_say(b"hello\n")
    assert ("nothing else" in form.line) == refuses
    assert ("standard error" in form.fix(b"hello", PYTHON.lines)) == refuses
    assert lines_for(["bot.py"], dialect=dialect).answer == PYTHON.lines.plain_answer


def test_model_knows_the_reply_of_a_handshake():
    """Before it is asked for a move, a model expects the reply to the last line."""
    model, empty = ModelBot("uci", STANDARD), Position()
    for line, expected in [
        (b"uci\n", "uciok"),
        (b"ucinewgame\r\nisre", ""),
        (b"ady\r\n", "readyok"),
        (b"position startpos\ngo\n", "bestmove P@d1"),
    ]:
        model.hear(line)
        assert model.expected_line(empty) == expected
        assert model.is_asked == expected.startswith("bestmove")


@pytest.mark.parametrize("dialect", OTHERS)
@pytest.mark.parametrize("player", [1, 2])
def test_model_keeps_in_step_with_a_game(dialect, player):
    """A model expects a legal answer to each question of a game."""
    end = dialects.referee_end(dialect)
    asked = boards.first_question(end.variant or STANDARD, player)
    model = ModelBot(dialect, asked.variant)
    while asked is not None:
        words, model.is_asked = end.write_precept(asked), False
        while words and not model.is_asked:
            model.hear(words)
            words = model.replies_of(end)
        cell = cell_of_wire(asked, end.read_move(model.expected_line(asked).encode()))
        model.play(asked, cell)
        asked = boards.next_question(asked, cell)


def test_questions_of_a_game_fill_the_columns_that_a_bot_likes():
    """A bot that always plays in the same column finds it full after three moves."""
    asked, cells = boards.first_question(STANDARD), []
    while asked.variant.columns[0] & asked.playable:
        cells.append(asked.check(0))
        asked = boards.next_question(asked, cells[-1])
    assert len(cells) == 3


def test_other_player_steals_only_where_the_rules_allow_it():
    """The other player steals the bot's first stone, if it is asked to."""
    empty = boards.first_question(CODINGAME)
    stolen = boards.next_question(empty, empty.moves[0], steals=True)
    assert stolen == empty.play(empty.moves[0]).play(STEAL)
    assert boards.next_question(empty, empty.moves[0]).player == 1
    later = boards.next_question(stolen, stolen.moves[0], steals=True)
    assert later.ply == 3


@pytest.mark.parametrize(("kind", "dialect"), [("Good", "c4engine"), ("Silent", "ccfi")])
def test_dialect_is_found_by_a_word(monkeypatch, kind, dialect):
    """The dialect of an engine that does not answer JSON is found by its answer."""
    monkeypatch.setattr(dialects, "referee_names", lambda: ("ccfi", "jsonl", "c4engine"))
    monkeypatch.setattr(start, "START_MS", 500.0)
    monkeypatch.setattr(start, "DIALECT_MS", 3000.0)
    unknown = Trial(BotSpec("bot", trial_of(kind).spec.command), STANDARD, 300)
    found, way = start.find_start(unknown)
    assert found.spec.dialect == dialect
    assert (way.line, way.option) == (f'dialect = "{dialect}"', f"--dialect {dialect}")
    assert way.is_dialect
    assert first_answer("moves", Position(), 0) == "0"  # a number is no sign of a dialect
