"""The feedback to a student: complete without a contest, and without links to other bots."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from c4_referee.classroom.entries import Account
from c4_referee.classroom.grading.points import Grade, GradedLine
from c4_referee.classroom.pages.feedback import feedback_files
from c4_referee.classroom.pages.privacy import for_student
from c4_referee.report.site.results import ContestResults
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
GRADE = Grade("bot", (GradedLine("passes the check", 0.5, 2, False, "It broke 1 rule."),))
PLAYS = replace(BROKEN, bot="bot 1", happened="Version 2 plays.", tone="plays", version=2,
                playing=2, command="cd src && python3 a.py", messages="", grade=GRADE)  # fmt: skip


def write(folder: Path, account: Account, contest=None) -> str:
    """Write the feedback to a student, and return the texts of its page."""
    for name, text in feedback_files(account, contest and ContestResults(contest)):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return " ".join(" ".join(read_page(folder / "index.html").texts).split())


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
