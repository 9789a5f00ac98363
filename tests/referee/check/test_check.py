"""Each rule of the check is broken by a bot made for this purpose, and kept by a good bot."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from c4_protocol.rules.variant import LINE8, STANDARD, Variant
from c4_referee.bots.languages import PYTHON
from c4_referee.bots.spec import BotSpec
from c4_referee.check import boards, driver
from c4_referee.check.broken import flush, for_author
from c4_referee.check.checker import MAX_FAILURES, MAX_HANGS, Cause, check, weight
from c4_referee.check.driver import Trial
from c4_referee.check.evidence import quoted
from c4_referee.check.report_display import verdicts
from c4_referee.check.rules import RULES, Rule
from effort import one_in
from views import needs_sandbox

JSON_BOT = Trial(BotSpec("bot", ("bot",)), STANDARD)
JSON_RULES = [rule for rule in RULES if rule.applies(JSON_BOT)]
BY_NAME = {rule.attempt.__name__: rule for rule in JSON_RULES}
BROKEN = [
    tuple(line.split(" | "))
    for line in Path(__file__).with_name("broken.txt").read_text(encoding="utf-8").splitlines()
]
"""Rules, the kinds of bots that break them (``tests/bots``), and what the check then sees.

After ``/``, there is the advice that it gives.

``impatient`` speaks if a line is late, so a busy machine changes what it does. It stands at a place
of the file that only weekly tests take.
"""

HANGS = {"flushes", "unread_stderr"}
"""Rules whose bots do not answer. All others have as much time as they need."""
BRIEF = {"time_ms": 300, "startup_ms": 2500}
"""Times of bots that never answer, but have to start."""


def trial_of(spec, variant=STANDARD, **settings):
    """Return a trial of a bot that has as much time as it needs."""
    return Trial(spec, variant, **{"time_ms": 60_000, "startup_ms": 60_000, **settings})


def run(spec, *rules: Rule, **settings):
    """Return the report of a bot on the given rules, or on all rules."""
    return check(trial_of(spec, **settings), rules or RULES)


def test_rules_have_names_of_their_own():
    """All rules have different names, and each has advice."""
    assert len({rule.name for rule in RULES}) == len(RULES)
    assert len({rule.attempt.__name__ for rule in RULES}) == len(RULES)
    assert all(rule.fix for rule in RULES)


def test_every_rule_is_broken_by_somebody():
    """For each rule of jsonl there is a bot in these tests that breaks it."""
    assert {name for name, _, _ in BROKEN} == set(BY_NAME)


@pytest.mark.parametrize(("name", "kind", "seen"), one_in(3, BROKEN), ids=lambda text: text[:20])
def test_rule_is_broken_by_its_bot(bot, name, kind, seen):
    """A broken rule fails, shows what was seen, and says what to do about it."""
    rule = BY_NAME[name]
    times = BRIEF if name in HANGS else {"time_ms": 300}
    report = run(bot(kind), rule, **times)
    (outcome,) = report.rules
    assert not outcome.passed
    seen, _, fix = seen.partition(" / ")
    assert seen in outcome.seen
    assert outcome.fix
    assert fix in outcome.fix
    assert report.passed == rule.advice


@pytest.mark.parametrize("variant", one_in(3, ["standard", "8x7", "9x7x5", "7x1"]))
def test_good_bot_keeps_every_rule(bot, variant):
    """A bot that plays any free column follows every rule that is not advice, on any board."""
    report = run(bot("good"), variant=Variant.parse(variant))
    failed = [outcome for outcome in report.rules if not (outcome.passed or outcome.advice)]
    assert failed == []
    assert report.passed
    assert report.not_tried == []
    assert len(report.rules) == len(JSON_RULES)


def test_rules_share_runs_of_a_good_bot(bot, monkeypatch):
    """A good bot is started once for each first line, end and list of arguments that matters."""
    starts = []
    start = driver.start_process
    monkeypatch.setattr(driver, "start_process", lambda *args: starts.append(1) or start(*args))
    run(bot("good"))
    assert len(starts) == 12


def test_rule_that_fails_in_a_shared_run_is_tried_alone(bot):
    """A bot that keeps the size of its first line plays on each size, and is told nothing else."""
    code = (
        "import json,sys\nsize=0\nfor l in sys.stdin:\n g=json.loads(l)['grid']\n"
        " size=size or len(g)\n"
        " move=[c[0] for c in g].index(0) if len(g)==size else 99\n"
        " print(json.dumps({'move':move}),flush=True)"
    )
    spec = replace(bot("good"), command=(sys.executable, "-S", "-c", code))
    names = ("second_player", "one_stone_less", "other_size", "second_player_opens")
    report = run(spec, *(BY_NAME[name] for name in names))
    assert [outcome.passed for outcome in report.rules] == 4 * [True]


def test_hanging_bot_is_given_up(bot, monkeypatch):
    """After an answer and three waits, the remaining rules are listed as not tried."""
    names = ("plain", "flushes", "ten_games", "centre_full", "crlf", "flushes", "spaces")
    rules = [BY_NAME[name] for name in names]
    monkeypatch.setattr(driver, "FLUSHING_SECONDS", 0)
    report = run(bot("falls_asleep"), *rules, time_ms=300, startup_ms=1500)
    assert sum(not outcome.passed for outcome in report.rules) == MAX_HANGS
    assert report.not_tried == [rule.name for rule in rules[len(report.rules) :]] != []
    assert not report.passed


@pytest.mark.parametrize(
    ("kind", "tried", "times"),
    [("silent", 1, {"time_ms": 300, "startup_ms": 500}), ("banner", MAX_FAILURES, {})],
)
def test_check_stops_early_if_nothing_works(bot, kind, tried, times):
    """A bot that does nothing right is asked no more: after one wait, or a few wrong answers."""
    report = run(bot(kind), *JSON_RULES, **times)
    assert len(report.rules) == tried
    assert len(report.rules) + len(report.not_tried) == len(JSON_RULES)


def test_two_verdicts(bot):
    """A bot that needs all keys of a line is ready for this referee, but not for others."""
    report = run(bot("every_key"), BY_NAME["plain"], BY_NAME["grid_only"])
    assert (report.passed_here, report.passed) == (True, False)
    assert report.causes[0].elsewhere
    here, elsewhere = (text for _, text in verdicts(report))
    assert here == "Ready for this referee: it follows all 1 rules."
    assert elsewhere.startswith("NOT ready for the course's driver and other referees: 1 of 2 ")


def test_causes_are_in_order_of_weight():
    """A cause that matters for this referee comes first, even if it breaks fewer rules."""
    mixed = [
        Cause("a", "", None, ["1", "2"], elsewhere=True),
        Cause("b", "", None, ["1"]),
        Cause("c", "", None, ["1", "2", "3"], advice=True),
    ]
    assert [cause.fix for cause in sorted(mixed, key=weight)] == ["b", "a", "c"]


def test_progress_names_the_number_of_the_rule(bot):
    """The progress counts rules from 1, as in 2 of 3."""
    told = []
    rules = [BY_NAME[name] for name in ("plain", "flushes", "crlf")]
    check(trial_of(bot("good")), rules, on_rule=lambda *words: told.append(words))
    assert told[1] == (2, 3, BY_NAME["flushes"].name)


def test_setting_of_this_machine_hides_no_missing_flush(bot, monkeypatch):
    """Bots start without PYTHONUNBUFFERED, which would hide that a bot does not flush."""
    monkeypatch.setenv("PYTHONUNBUFFERED", "1")
    spec = bot("unflushed")
    heeding = [word for word in spec.command if word != "-E"]
    (outcome,) = run(replace(spec, command=heeding), BY_NAME["plain"], **BRIEF).rules
    assert outcome.fix == flush(PYTHON.lines)


@pytest.mark.parametrize(
    ("content", "fix"),
    [
        (b"\x7fELF no program", "start it by hand first"),
        (b"#!/bin/sh\r\n", "ends in CR LF: save the file with line ends LF"),
        (b"\xef\xbb\xbf#!/bin/sh\n", "begins with a byte order mark before #!"),
    ],
)
def test_bot_that_cannot_start_is_told_so(bot, tmp_path, content, fix):
    """A file that is not a program breaks the first rule, with the reason."""
    program = tmp_path / "bot"
    program.write_bytes(content)
    program.chmod(0o755)
    spec = replace(bot("good"), command=(str(program),))
    (outcome,) = run(spec, BY_NAME["plain"]).rules
    assert "it cannot be started" in outcome.seen
    assert fix in outcome.fix
    assert not outcome.passed


def test_output_is_shown_in_one_harmless_line():
    """Output is shown in one line: control characters are escaped, and long output is cut."""
    assert quoted(b"\xef\xbb\xbf\x1b[2J\n\xff") == "'\\ufeff\\x1b[2J\\n\\xff'"
    assert quoted(b"9" * 1000) == f"'{'9' * 100}'..."


@pytest.mark.parametrize("variant", [STANDARD, Variant(8, 7), LINE8, Variant(1, 6), Variant(2, 2)])
def test_positions_can_be_asked_about(variant):
    """No position that the check sends is the end of a game, with either player opening."""
    positions = [boards.with_full_centre(variant), boards.middle(variant, opener=2)]
    for seed in range(10):
        positions += boards.game(variant, seed, opener=1 + seed % 2)
    assert not [position for position in positions if position.is_over]


@pytest.mark.parametrize("variant", [STANDARD, Variant(8, 7)])
def test_positions_are_what_they_are_for(variant):
    """The positions have what their functions promise.

    That is a full centre, one free cell, or a threat that one move stops.
    """
    full = boards.with_full_centre(variant)
    for column in {variant.width // 2, (variant.width - 1) // 2}:
        assert not full.playable & variant.columns[column]
    for seed in range(3):
        assert boards.game(variant, seed)[-1].ply == variant.cells - 1
    threatened = boards.first_position(variant, boards.threatened_cell)
    assert not threatened.winning_cells
    assert threatened.opponent_winning_cells.bit_count() == 1


@needs_sandbox
def test_author_is_not_told_which_files_a_machine_has(tmp_path, adopting):
    """The advice for the author is the same, whether a file exists outside of the sandbox or not.

    Whoever runs the check is told the difference.
    """
    told, told_author = set(), set()
    (tmp_path / "secrets").mkdir()
    (tmp_path / "secrets" / "there").touch()
    for name in ("there", "nowhere"):
        folder = tmp_path / name
        folder.mkdir()
        secret = tmp_path / "secrets" / name
        (folder / "bot.py").write_text(f"raise SystemExit('No such file: {secret}')")
        command = (sys.executable, "-S", "bot.py")
        spec = BotSpec("bot", command, cwd=str(folder), sandbox=True)
        (cause,) = check(Trial(spec, STANDARD), [BY_NAME["plain"]]).causes
        told.add(cause.fix.replace(name, ""))
        told_author.add(for_author(cause.seen.replace(name, ""), cause.fix))
    assert (len(told), len(told_author)) == (2, 1)
