"""The feedback to a student: complete without a contest, and without links to other bots."""

import re
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from c4_referee.check.checker import Cause, CheckReport, RuleOutcome
from c4_referee.check.evidence import Evidence
from c4_referee.check.start import Start
from c4_referee.classroom.entries import Account
from c4_referee.classroom.pages.feedback import feedback_files
from c4_referee.classroom.pages.privacy import for_student
from c4_referee.grading.points import Grade, GradedLine
from c4_referee.site.results import ContestResults
from c4_referee.stats.solved import Change, GameAnalysis
from contests import HOSTILE, random_contest, random_game
from sites import broken_links, read_page

BROKEN = Account(
    "Amber-Otter",
    "Your submission does not play yet.",
    "not",
    ("Fix the first error.", "Hand in again."),
    version=1,
    language="C",
    messages="bot.c:7: error: expected ';'",
)
SHOWN = Evidence("{}", "'9'", "echo | bot", ". . .")
CHECK = CheckReport(
    "bot",
    passed=False,
    passed_here=False,
    rules=[RuleOutcome("answers", False, "it wrote 9", "count from 0")],
    causes=[
        Cause("count from 0", "it wrote 9", SHOWN, ["answers"]),
        Cause("use more time", "it was quick", None, ["thinks"], advice=True),
    ],
    start=Start("with arguments", "arguments = 'course'", "bot -p 1", "ends", "--arguments course"),
)  # fmt: skip
GRADE = Grade("bot", (GradedLine("passes the check", 0.5, 2, False, "It broke 1 rule."),))
PLAYS = replace(BROKEN, bot="bot 1", happened="Version 2 plays.", tone="plays", version=2,
                playing=2, command="cd src && python3 a.py", messages="", grade=GRADE)  # fmt: skip


def write(folder: Path, account: Account, contest=None) -> str:
    """Write the feedback to a student, and return the texts of its page."""
    for name, text in feedback_files(account, contest and ContestResults(contest)):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return " ".join(" ".join(read_page(folder / "index.html").texts).split())


def test_submission_that_does_not_compile(tmp_path):
    """Without a contest, both versions begin with what happened, what to do, and the messages."""
    text = write(tmp_path, BROKEN)
    markdown = (tmp_path / "feedback.md").read_text()
    for shown in (text, markdown):
        places = [
            shown.index(part)
            for part in (*(BROKEN.bot, BROKEN.happened), *BROKEN.todo, "error: expected ';'")
        ]
        assert places == sorted(places)
    assert "In the last run" not in text + markdown
    assert not (tmp_path / "games").exists()
    assert broken_links(tmp_path) == []


def test_check_and_points_are_shown(tmp_path):
    """Causes have evidence and a shell line; advice waits until the check is passed."""
    text = write(tmp_path, replace(BROKEN, check=asdict(CHECK), grade=GRADE))
    markdown = (tmp_path / "feedback.md").read_text()
    for shown in (text, markdown):
        for part in ("1 of 1 rules FAILED", "count from 0", ". . .", "'9'", "echo | bot"):
            assert part in shown
        assert "0.5/2" in shown.replace(" /", "/")
        assert "It broke 1 rule." in shown
        assert "use more time" not in shown


def test_feedback_leads_to_the_own_games_alone(tmp_path):
    """All games of the bot have pages, and no link leaves the folder."""
    contest = random_contest(4, 24)
    write(tmp_path, PLAYS, for_student(contest, "bot 1"))
    own = {game.game for game in contest.games if "bot 1" in {game.first, game.second}}
    assert {int(path.stem) for path in (tmp_path / "games").iterdir()} == own
    assert broken_links(tmp_path) == []
    markdown = (tmp_path / "feedback.md").read_text()
    linked = {int(number) for number in re.findall(r"\]\(games/(\d+)\.html", markdown)}
    assert linked == own


def test_fault_has_a_command_that_reproduces_it(tmp_path):
    """The command has the start of the submission, in parentheses if it has several parts."""
    games = tuple(random_game(n, "bot 1", "bot 2", plies=6) for n in range(1, 4))
    contest = for_student(random_contest(2, 0, games=games), "bot 1")
    text = write(tmp_path, PLAYS, contest)
    for shown in (text, (tmp_path / "feedback.md").read_text()):
        assert re.search(r"printf .* \| \(cd src && python3 a\.py\)", shown)


def test_mistakes_are_boards_with_reasons(tmp_path, monkeypatch):
    """A costly move is a board, as text with the move in parentheses, and has its reason."""
    change = Change(4, 20, -3, ("2",), reason="It gives away the middle.")
    analysis = GameAnalysis((None,) * 5, ((),) * 5, (change,))
    monkeypatch.setattr("c4_referee.site.results.analyse", lambda *_: analysis)
    contest = replace(random_contest(2, 2), solved={"any": {}})
    monkeypatch.setattr("c4_referee.site.results.accuracy_from_solved", lambda *_: None)
    text = write(tmp_path, PLAYS, contest)
    markdown = (tmp_path / "feedback.md").read_text()
    assert "It gives away the middle." in text
    assert "It gives away the middle." in markdown
    assert markdown.count("(X)") == 1
    assert "won +20" in markdown


def test_bot_without_games(tmp_path):
    """A bot that has not met anybody yet, and a contest without the bot, have a page."""
    assert "This bot has no games." in write(tmp_path / "a", PLAYS, random_contest(2, 0))
    assert "In the last run" not in write(tmp_path / "b", PLAYS, random_contest(["x", "y"], 2))


@pytest.mark.parametrize("text", [*HOSTILE, "```\n# heading\n````\n", "- item", "1. item", "| a |"])
def test_hostile_texts_break_neither_page(tmp_path, text):
    """Texts make no element, and no heading, list, table or link of the Markdown."""
    games = tuple(replace(game, stderr={"bot 1": text}, fault=replace(game.fault, line=text))
                  for game in (random_game(1, "bot 1", "bot 2", plies=6),))  # fmt: skip
    account = replace(PLAYS, happened=text, messages=text, because=text, todo=(text,))
    write(tmp_path / "a", account, random_contest(2, 0, games=games))
    plain = replace(PLAYS, happened="a", messages="a", because="a", todo=("a",))
    games = tuple(replace(game, stderr={"bot 1": "a"}, fault=replace(game.fault, line="a"))
                  for game in games)  # fmt: skip
    write(tmp_path / "b", plain, random_contest(2, 0, games=games))
    pages = [read_page(tmp_path / name / "index.html") for name in "ab"]
    assert pages[0].elements == pages[1].elements
    outlines = [outline((tmp_path / name / "feedback.md").read_text()) for name in "ab"]
    assert outlines[0] == outlines[1]


def outline(markdown: str) -> list[str]:
    """Return the signs of all blocks outside of fences, and a fence for each block in them."""
    signs, fence = [], ""
    for line in markdown.split("\n"):
        if fence:
            fence = "" if line == fence else fence
        elif opened := re.match("(`{3,})text$", line):
            fence = opened[1]
            signs.append("```")
        else:
            sign = re.match(r"#+ |- |\d+\. (- |\d+\. )?|\||<|\*\*(?=\S)|(?=.*(?<!\\)<)", line)
            signs.append(sign[0] if sign else "")
    return signs
