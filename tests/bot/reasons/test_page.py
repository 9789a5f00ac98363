"""The page about reasons shows what the program says, for every kind of reason."""

import re
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest
from c4_bot.reasons.explanation import Explained, Knowledge, explain_move
from c4_bot.reasons.sentences import templates
from c4_protocol.rules.notation import position_from_moves, rows_of
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant
from cores import needs_core
from reasons import Scores, faults_of, scores_of

PAGE = (Path(__file__).parents[3] / "docs" / "reasons.md").read_text(encoding="utf-8")
KIND = re.compile(r"\*\*`([a-z-]+)`\*\*")
EXAMPLE = re.compile(
    r"```text\n(?P<board>[.XO* \n]+)\n[\d ]+   (?:(?P<variant>\w+): )?(?P<moves>\d+), "
    r"(?P<player>[XO]) plays (?P<column>\d)\n```\n\n> (?P<sentence>.+)"
)
OTHER_WORDS = {"allows", "leads-to", "lost in", "lost sooner", "parities"}
"""Sentences of kinds that have more than one."""


class Example(NamedTuple):
    """A picture of the page, with the kinds that its paragraph defines."""

    kinds: list[str]
    shown: dict[str, str]

    @property
    def position(self) -> Position:
        """The position before the move."""
        return position_from_moves(
            self.shown["moves"], Variant.parse(self.shown["variant"] or "7x6")
        )

    @property
    def cell(self) -> int:
        """The cell of the move."""
        return self.position.check(int(self.shown["column"]) - 1)

    def explained(self) -> tuple[Explained, Scores]:
        """Return the explanation of the move, and the scores of all moves."""
        scores = scores_of(self.position)
        known = Knowledge.of_scores(self.position, scores)
        return explain_move(self.position, self.cell, known, scores_of), scores


def examples() -> list[Example]:
    """Return all examples of the page."""
    found, kinds, end = [], [], 0
    for match in EXAMPLE.finditer(PAGE):
        kinds, end = KIND.findall(PAGE[end : match.start()]) or kinds, match.end()
        found.append(Example(kinds, match.groupdict()))
    return found


EXAMPLES = examples()


def test_page_has_every_kind():
    """The page defines every kind that has a sentence, and shows all but ``searched``."""
    kinds = {"misses", *templates()["kinds"]} - OTHER_WORDS
    assert kinds <= {*KIND.findall(PAGE)}
    assert kinds - {"searched"} <= {kind for example in EXAMPLES for kind in example.kinds}
    assert PAGE.count("```text") == len(EXAMPLES)


@needs_core
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.shown["sentence"][:40])
def test_example_is_what_the_program_says(example):
    """Each picture is that of its moves, and each sentence is the explanation, which is true."""
    position, (explained, scores) = example.position, example.explained()
    variant, rows = position.variant, [[*row] for row in rows_of(position, ".XO")]
    row, column = variant.row_of(example.cell), variant.column_of(example.cell)
    rows[variant.height - 1 - row][column] = "*"
    drawn = [" ".join(row) for row in rows]
    assert example.shown["board"].splitlines() == [row for row in drawn if set(row) - {".", " "}]
    assert example.shown["player"] == "XO"[position.player - 1]
    assert example.shown["sentence"] == explained.text
    assert explained.reason.kind in example.kinds
    assert not faults_of(explained, scores)


@needs_core
def test_checker_finds_wrong_sentences():
    """If a number in a sentence changes, the sentence is found to be false."""
    for example in EXAMPLES:
        explained, scores = example.explained()
        for digit in re.finditer(r"\d", explained.text):
            start, end = digit.span()
            text = f"{explained.text[:start]}{int(digit[0]) % 9 + 1}{explained.text[end:]}"
            assert faults_of(replace(explained, text=text), scores), text
