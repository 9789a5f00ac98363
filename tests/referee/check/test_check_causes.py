"""The check names a bot's mistake only once, with evidence."""

import ast
import io
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from c4_protocol.rules.variant import LINE8, STANDARD, Variant
from c4_referee.bots.languages import JAVASCRIPT, PYTHON, SHELL, Lines, lines_for
from c4_referee.bots.placeholders import CommandValues
from c4_referee.bots.spec import BotSpec
from c4_referee.check import boards
from c4_referee.check.broken import flush, loop, read_lines
from c4_referee.check.checker import check
from c4_referee.check.driver import Trial
from c4_referee.check.evidence import shell_line
from c4_referee.check.forms import CELLS, COLUMNS
from c4_referee.check.misreading import (
    AS_ROWS,
    FROM_ONE,
    FROM_THE_RIGHT,
    INTO_FULL,
    MISTAKES,
    ROW,
    ROW_FROM_BELOW,
    UPSIDE_DOWN,
    ProbeAnswer,
    explain,
    probes,
)
from c4_referee.check.report_display import CheckDisplay
from c4_referee.check.rules import RULES
from effort import pairs
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from views import needs_sandbox, write

BOTS = Path(__file__).parent.parent.parent / "bots"
HABITS = BOTS / "habits"
LANGUAGES = {
    "Python": (PYTHON.lines, f"{sys.executable} -S beginners.py"),
    "JavaScript": (JAVASCRIPT.lines, "node beginners.js"),
    "shell": (SHELL.lines, "sh beginners.sh"),
}
COURSE = 'put this line into its [bots.NAME] table: arguments = "course"'


def fixes(lines: Lines) -> dict[str, str]:
    """Return the advice for each mistake. JavaScript and shell write without a buffer."""
    return {
        "counts_from_1": FROM_ONE.fix,
        "answers_the_row": ROW.fix,
        "upside_down": UPSIDE_DOWN.fix,
        "reads_rows": AS_ROWS.fix,
        "ignores_full_columns": INTO_FULL.fix,
        "does_not_flush": flush(lines) if lines is PYTHON.lines else read_lines(lines),
        "reads_to_the_end": read_lines(lines),
        "prints_debug_text": COLUMNS.fix(b"thinking", lines),
        "prints_a_number": COLUMNS.fix(b"3", lines),
        "answers_once": loop(lines),
        "needs_arguments": COURSE,
        "prints_a_dictionary": COLUMNS.fix(b"{'move': 3}", lines),
        "prints_over_lines": COLUMNS.fix(b'{\n  "move": 3\n}', lines),
    }


FEW = [rule for rule in RULES if rule.attempt.__name__ in {"plain", "flushes", "last_column"}]
LINES_OF_LANGUAGES = """
| Language | Read each line | Write an answer, at once | Write text for people |
| --- | --- | --- | --- |
"""
INTRODUCTION = """\
# What `c4-referee check` says about beginners' mistakes

In other languages than Python, the advice has the lines of the second table.
`pytest tests/referee/check/test_check_causes.py --refresh-golden` writes this page.

| A bot that ... | Advice |
| --- | --- |
"""


def trial_of(command: str, **settings) -> Trial:
    """Return a trial of a bot in a file of this folder."""
    spec = BotSpec(name="bot", command=tuple(command.split()), cwd=str(BOTS), **settings)
    return Trial(spec, STANDARD, 60_000, 60_000)


def run(trial: Trial, *names: str):
    """Return the report of a check with the named rules, or with ``FEW``."""
    rules = [rule for rule in RULES if rule.attempt.__name__ in names]
    return check(trial, rules or FEW)


def run_code(code: str, *names: str, variant: Variant = STANDARD):
    """Return the report of a check of a program in Python."""
    spec = BotSpec(name="bot", command=(sys.executable, "-S", "-c", code))
    return run(Trial(spec, variant, 60_000, 60_000), *names)


def always(text: str) -> str:
    """Return a program that answers each line with this text."""
    return f"import sys\nfor l in sys.stdin: print({text!r},flush=True)"


@pytest.mark.parametrize(("mistake", "language"), pairs([*fixes(PYTHON.lines)], [*LANGUAGES]))
def test_beginners_mistake_is_named(mistake, language):
    """All failures of a beginner's mistake have one cause, with advice about this mistake."""
    kind, command = LANGUAGES[language]
    if shutil.which(command.split()[0]) is None:
        pytest.skip(f"{command.split()[0]} is not installed")
    trial = trial_of(f"{command} {mistake}")
    if mistake in {"does_not_flush", "reads_to_the_end"}:  # the check waits for these in vain
        trial = replace(trial, time_ms=300, startup_ms=2500)
    report = run(trial)
    if mistake == "needs_arguments":
        assert report.passed
        assert report.start.line == 'arguments = "course"'
        return
    (cause,) = report.causes
    assert cause.fix == fixes(kind)[mistake]
    assert not report.passed
    assert f"{mistake}" in cause.evidence.shell


def test_table_of_mistakes_is_as_documented(golden):
    """docs/hints.md shows the advice that the test above checks."""
    text, described = INTRODUCTION, _docstrings()
    for mistake, fix in fixes(PYTHON.lines).items():
        escaped = re.sub(r"[|\[]", r"\\\g<0>", fix)
        text += f"| {described[mistake]} | {escaped} |\n"
    text += LINES_OF_LANGUAGES
    for name, (lines, _) in LANGUAGES.items():
        text += f"| {name} | `{lines.read}` | `{lines.answer}` | `{lines.text}` |\n"
    golden(BOTS.parent.parent / "docs" / "hints.md", text)


def _docstrings() -> dict[str, str]:
    """Return what each bot in ``beginners.py`` does, by its name."""
    tree = ast.parse((BOTS / "beginners.py").read_text(encoding="utf-8"))
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    texts = {node.name: ast.get_docstring(node) or "" for node in functions}
    return {name: text[:1].lower() + text[1:].rstrip(".") for name, text in texts.items()}


@pytest.mark.parametrize("variant", [STANDARD, Variant(8, 7), Variant(4, 5), Variant(9, 7, 5)])
def test_probes_tell_all_mistakes_apart(variant):
    """The answers of a bot with a mistake identify this mistake."""
    positions = probes(variant)
    assert len(positions) == 6
    for mistake in (FROM_ONE, FROM_THE_RIGHT, ROW, ROW_FROM_BELOW, UPSIDE_DOWN, AS_ROWS):
        for pick in (min, max):
            moves = [mistake.answers(position) for position in positions]
            answers = [
                ProbeAnswer(position, pick(allowed) if allowed else None)
                for position, allowed in zip(positions, moves, strict=True)
            ]
            assert explain(answers) is mistake


@given(st.randoms(use_true_random=False))
def test_legal_answers_are_no_mistake(lots):
    """A bot with legal answers has no mistake."""
    answers = [
        ProbeAnswer(position, position.variant.column_of(lots.choice(position.moves)))
        for position in probes(STANDARD)
    ]
    assert explain(answers) is None


@given(st.lists(st.none() | st.integers(-2, 9), min_size=6, max_size=6))
def test_named_mistake_explains_all_answers(columns):
    """A mistake is named only if it can explain all answers."""
    positions = probes(STANDARD)
    answers = [ProbeAnswer(*pair) for pair in zip(positions, columns, strict=True)]
    found = explain(answers)
    assert found is None or found in MISTAKES
    if found is not None:
        assert any(not answer.is_legal for answer in answers)
        for answer in answers:
            allowed = found.answers(answer.position)
            assert not allowed or answer.column in allowed


@pytest.mark.parametrize("heights", [(6, 0, 6, 0, 6, 0, 6), (3,) * 7, (0,) * 7])
def test_columns_have_the_heights_asked_for(heights):
    """A position has the required heights of columns, and no line."""
    position = boards.with_heights(STANDARD, heights)
    occupied = position.stones[0] | position.stones[1]
    assert tuple((occupied & column).bit_count() for column in STANDARD.columns) == heights
    assert not position.is_won


@pytest.mark.parametrize(
    ("bot", "line"),
    [
        ("needs_flags.py", 'arguments = "course"'),
        ("six_positional.py", 'arguments = "positional"'),
        ("exactly_one.py", 'command = ["{}", "-S", "exactly_one.py", "{{player}}"]'),
        (
            "one_string.py",
            'command = ["{}", "-S", "one_string.py", '
            '"--player {{player}} --width {{width}} --height {{height}}"]',
        ),
        ("believes_precept.py", None),
    ],
)
def test_needed_arguments_are_found(bot, line):
    """The report has the line of a bot's table with the arguments that the bot needs.

    The rules are tried with these arguments.
    """
    spec = BotSpec(name="bot", command=(sys.executable, "-S", bot), cwd=str(HABITS))
    report = run(Trial(spec, STANDARD, 60_000, 60_000), "plain", "flags", "second_player")
    assert (report.start and report.start.line) == (line and line.format(sys.executable))
    assert report.passed
    assert len(report.rules) == (2 if line else 3)  # no other arguments are tried


def test_crash_that_several_rules_find_is_one_cause():
    """A crash that several rules find is one cause."""
    code = (
        "import sys,json\nfor l in sys.stdin:\n g=json.loads(l)['grid']\n"
        " if sum(map(bool,sum(g,[])))>30: {}['late']\n"
        " print(json.dumps({'move':[c[0] for c in g].index(0)}),flush=True)"
    )
    names = ("plain", "other_size", "last_column", "unread_stderr", "in_time")
    report = run_code(code, *names)
    (cause,) = report.causes
    assert cause.fix == "correct this error: <string>, line 4: KeyError: 'late'"
    assert len(cause.rules) == 4
    assert [outcome.fix for outcome in report.rules] == ["", *4 * [cause.fix]]
    assert "\n0 1 2 3 4 5 6  moves" in cause.evidence.board


def test_clock_is_stated_and_judged():
    """With a clock, each question states one, and the answers of a game must fit into it."""
    code = (
        "import sys,json,time\nfor l in sys.stdin:\n"
        " json.loads(l)['clock']['remaining_ms'] < 100 and time.sleep(0.1)\n"
        " print(json.dumps({'move':[c[0] for c in json.loads(l)['grid']].index(0)}),flush=True)"
    )
    spec = BotSpec("bot", (sys.executable, "-S", "-c", code))
    for time_ms, passed in (60_000, True), (1, False):
        trial = Trial(spec, STANDARD, time_ms, 60_000, increment_ms=7)
        assert run(trial, "plain", "in_time", "spaces").passed is passed


@pytest.mark.parametrize(
    ("answer", "fix"),
    [
        ("'0'", "write the move without quotes"),
        ("0.0", "write 3 and not 3.0"),
        ("[0]", "write the column alone"),
        ("None", "choose a move before you answer"),
    ],
)
def test_column_of_a_wrong_type_is_not_taken_for_a_full_one(answer, fix):
    """A column of a wrong type gets advice about this type."""
    code = f"import sys,json\nfor l in sys.stdin: print(json.dumps({{'move':{answer}}}),flush=True)"
    (cause,) = run_code(code).causes
    assert (cause.fix.partition(";")[0], len(cause.rules)) == (fix, 3)


@pytest.mark.parametrize("stays_open", [False, True])
@pytest.mark.parametrize(
    "said",
    [b"", b"{'a'}\n", b"a b\nc\n", b"a\r\nb\r\n", b"half", "ü $x `y` %s \\n\n".encode()],
)
def test_shell_line_sends_the_same_bytes(said, stays_open, tmp_path):
    """The shell line sends the bytes that the bot was sent, in the bot's folder and environment."""
    command = ("sh", "-c", 'printf %s "$X"; cat')
    spec = BotSpec(name="bot", command=command, cwd=str(tmp_path), env={"X": "y z"})
    line = shell_line(spec, command, said, stays_open=False)
    done = subprocess.run(["sh", "-c", line], capture_output=True, check=True)
    assert done.stdout == b"y z" + said
    cat = BotSpec(name="bot", command=("cat",))
    waits = shell_line(cat, cat.command, said, stays_open=stays_open)
    assert ("sleep" in waits) == (stays_open and bool(said))


def test_arguments_of_the_seat_match_the_question():
    """A bot with {player} is started as the player who is to move, in every rule."""
    spec = BotSpec(
        name="bot", command=(sys.executable, "-S", "needs_flags.py"), cwd=str(HABITS),
        arguments="course",
    )  # fmt: skip
    filled = spec.command_for(CommandValues(2, STANDARD, 1000))
    assert filled[-6:] == ("--player", "2", "--width", "7", "--height", "6")
    report = check(Trial(spec, STANDARD, 60_000, 60_000))
    failed = [rule for rule in report.rules if not (rule.passed or rule.advice)]
    assert [rule.name for rule in failed] == ["reads lines that hold only the grid"]
    assert report.start is None


@pytest.mark.parametrize("column", [-1, 7])
def test_same_column_off_the_board_is_not_a_full_one(column):
    """A bot that always answers a column off the board does not get advice about full columns."""
    answers = [ProbeAnswer(position, column) for position in probes(STANDARD)]
    assert explain(answers) is not INTO_FULL


def test_board_of_one_cell_is_checked():
    """A board of one cell can be checked, although it has no second move."""
    report = run(replace(trial_of("c4-bot --plays random"), variant=Variant(1, 1)), "ten_games")
    assert report.passed


def test_missed_cell_is_named_as_the_bot_writes_it():
    """Without gravity, the check names the missed cell as column and row."""
    report = run(replace(trial_of("c4-bot --plays random --seed 1"), variant=LINE8), "stops_a_win")
    assert re.search(r"better: \[\d, \d\] is column \d, row \d from the top$", report.rules[0].seen)


@pytest.mark.parametrize(
    ("written", "fix"),
    [
        ('{"move":0}', CELLS.legal),
        ('{"move":[8,0]}', CELLS.legal),
        ('{"move":[0.0,0.0]}', "without gravity, write two whole numbers, [column,row]"),
        ('{"move":"a1"}', "write the move without quotes"),
        ("[0, 0]", 'print the cell as JSON, {"move":[0,0]} and not [0,0]: '),
        ("0 0", 'print the cell as JSON, {"move":[0,0]} and not [0,0]: '),
        ("3", 'print the cell as JSON, {"move":[0,0]} and not [0,0]: '),
        ('{"cell":[0,0]}', 'the answer needs the key "move" with a cell as its value: '),
        ("{'move': [0, 0]}", 'which needs double quotes, {"move":[0,0]}: '),
        ("9" * 70_000, CELLS.line),
    ],
    ids=lambda text: text[:20],
)
def test_without_gravity_moves_are_cells(written, fix):
    """In games without gravity, advice about answers names cells and not columns."""
    (cause,) = run_code(always(written), "plain", variant=LINE8).causes
    assert fix in cause.fix
    if fix.endswith(": "):
        assert cause.fix.endswith(PYTHON.lines.cell_answer)
    assert "with room" not in cause.evidence.board
    assert "a move is [column, row]" in cause.evidence.board


@pytest.mark.parametrize(
    ("written", "seen", "fix"),
    [
        (
            '{"move":\n3,"x":{\n}\n}',
            "JSON on 4 lines",
            "spread over 4 lines: write it on one line: print(",
        ),
        ('{"move":', "not JSON", "which needs double quotes"),
        ("{\nmove: 3\n}", "not JSON", "which needs double quotes"),
    ],
)
def test_json_on_several_lines_is_told_from_no_json(written, seen, fix):
    """Only lines that are JSON together are described as JSON on several lines."""
    (cause,) = run_code(always(written), "plain").causes
    assert cause.seen.endswith(f": {seen}")
    assert fix in cause.fix


@pytest.mark.parametrize("language", LANGUAGES)
def test_buffered_cells_get_a_line_of_code_for_cells(language):
    """Without gravity, a line of code in the advice writes a cell."""
    kind, command = LANGUAGES[language]
    found = lines_for(command.split(), gravity=False)
    assert found.answer == kind.cell_answer != kind.answer
    assert found.cell_answer in flush(found)
    assert found.read == kind.read


C = """#include <stdio.h>
int main(void) {
    char line[9999];
    if (!fopen("data/w", "r")) { perror("weights"); return 1; }
    while (fgets(line, 9999, stdin)) { puts("{\\"move\\":0}"); fflush(stdout); }
}
"""
MODULE = "import sys; sys.path.insert(0, sys.path[0] + '/lib'); import engine"
HIDDEN = {
    "python3": ("bot.py", MODULE, "", f"{sys.executable} -S bot.py", "lib/engine.py"),
    "cc": ("bot.c", C, "cc bot.c -o bot", "./bot", ""),
}
"""Maps a tool to a bot that needs a hidden file: its source, how it is built and started, and the
file that its error names, if any."""


@needs_sandbox
@pytest.mark.parametrize("tool", HIDDEN)
def test_hidden_file_may_be_the_cause(tool, tmp_path, monkeypatch):
    """A bot that lacks a file in the sandbox gets both ways to show it files, which work."""
    if shutil.which(tool) is None:
        pytest.skip(f"{tool} is not installed")
    source, text, build, command, named = HIDDEN[tool]
    write(tmp_path / source, text)
    write(tmp_path / "lib" / "engine.py", always('{"move":0}'))
    write(tmp_path / "data" / "w", "1")
    subprocess.run(build, shell=True, cwd=tmp_path, check=True)
    monkeypatch.chdir(tmp_path)
    trial = Trial(BotSpec("bot", command, sandbox=True), STANDARD, 60_000, 60_000)
    report = run(trial, "plain")
    (cause,) = report.causes
    for part in (
        str(tmp_path / named) if named else "weights: No such file",
        "visible = [",
        "--no-sandbox",
    ):
        assert part in cause.fix
    assert 'folder = "DIR"' in cause.fix
    CheckDisplay(Console(file=(shown := io.StringIO())), trial).report(report)
    assert "to see it again (in your shell, without the sandbox):" in shown.getvalue()
    visible = (str(tmp_path / named if named else tmp_path / "data"),)
    for settings in ({"folder": str(tmp_path)}, {"visible": visible}):
        assert run(replace(trial, spec=replace(trial.spec, **settings)), "plain").passed


@needs_sandbox
@pytest.mark.parametrize(
    ("code", "fix"),
    [
        ("import sys\nsys.exit('bad')", "bad"),
        ("grid = {}\ngrid['grid']", "<string>, line 2: KeyError: 'grid'"),
    ],
)
def test_other_failure_is_not_that_of_the_sandbox(code, fix, tmp_path, monkeypatch):
    """A bot whose error is not about a missing file hears nothing of the sandbox."""
    write(tmp_path / "grid.py", "")
    monkeypatch.chdir(tmp_path)
    spec = BotSpec("bot", (sys.executable, "-S", "-c", code), sandbox=True)
    report = run(trial := Trial(spec, STANDARD, 60_000, 60_000), "plain", "flushes")
    assert report.causes[0].fix == f"correct this error: {fix}"
    CheckDisplay(Console(file=(shown := io.StringIO())), trial).report(report)
    assert "sandbox" not in shown.getvalue()
    assert "this breaks" not in shown.getvalue()
