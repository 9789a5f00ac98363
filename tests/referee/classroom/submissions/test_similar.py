"""Submissions that are the same but for blanks, comments and names are found."""

import pytest
from c4_referee.classroom.submissions import similar, time_limit
from c4_referee.classroom.submissions.similar import (
    digest_of,
    file_with_our_name,
    similar_groups,
)
from hypothesis import given
from hypothesis import strategies as st

SOURCE = """\
import sys

def best_move(board, depth):
    best = None
    for column in range(7):
        if board[column][0] == 0 and depth > 1:
            best = column + 3 * depth
    return best

for line in sys.stdin:
    print(best_move(line, 4))
"""
OTHER = SOURCE.replace("for column in range(7)", "while column := next(stream, None)")
C_SOURCE = """\
#include <stdio.h>
int main(void) { /* the loop */
    char line[4096]; int best = 3;
    while (fgets(line, sizeof line, stdin)) { // each line
        if (best < 6 && line[0] != '"') best = best + 1;
        printf("{\\"move\\": %d}\\n", best);
    }
}
"""
RACKET_SOURCE = """\
#lang racket ; a bot
(define (best-move board) #| the best |# (for/first ([c '(3 2 4 1 5 0 6)] #:when (< c 6)) c))
(for ([line (in-lines)]) (printf "~a\\n" (best-move line)) (flush-output))
"""
RUST_SOURCE = """\
fn longest<'a>(one: &'a str, two: &'a str) -> &'a str { if one.len() > 3 { one } else { two } }
fn main() { let quote = '"'; println!("{} {}", longest("a", "b") /* both */, quote); }
"""
names = st.from_regex(r"[a-z]{2}_[a-zé0-9]{0,5}", fullmatch=True)


@pytest.fixture
def write(tmp_path):
    """Return a function that writes submissions, and returns their folders by name."""

    def submissions(**files):
        for name, sources in files.items():
            for path, text in sources.items():
                file = tmp_path / name / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return {name: tmp_path / name for name in files}

    return submissions


@given(st.lists(names, min_size=4, max_size=4, unique=True), names, st.sampled_from([1, 2, 8]))
def test_names_blanks_and_comments_do_not_matter(new, remark, indent):
    """Other names, indents, comments, line ends and a byte order mark keep the digest."""
    changed = SOURCE
    for old, name in zip(("best_move", "board", "depth", "column"), new, strict=True):
        changed = changed.replace(old, name)
    changed = changed.replace("    ", " " * indent).replace("\n", f" # {remark} '\n")
    changed = f'"""{remark}"""\n{changed}'.replace("\n", "\r\n")
    assert digest_of(b"\xef\xbb\xbf" + changed.encode(), ".py") == digest_of(SOURCE.encode(), ".py")


CHANGES = {
    ".py": (SOURCE, [("+", "-"), ("==", "!="), ("7", "6"), (">", "<"), ("*", "**")]),
    ".c": (C_SOURCE, [("&&", "||"), ("< 6", "> 6"), ("+ 1", "- 1"), ("best < 6", "line < 6")]),
    ".rkt": (RACKET_SOURCE, [("(flush", "(flush best")]),
    ".rs": (RUST_SOURCE, [("> 3", "< 3"), ("{ one }", "{ two }")]),
}


@pytest.mark.parametrize("ending", CHANGES)
def test_another_program_has_another_digest(ending):
    """Another operator, number, word of the language or use of names changes the digest."""
    source, changes = CHANGES[ending]
    texts = [source, *(source.replace(old, new, 1) for old, new in changes)]
    assert len({digest_of(text.encode(), ending) for text in texts} - {None}) == len(texts)


@pytest.mark.parametrize(
    ("ending", "source", "changes"),
    [
        (".c", C_SOURCE, [("the loop", "'a \" loop"), ("best", "next"), ("each line", "")]),
        (".rkt", RACKET_SOURCE, [("best-move", "choice"), ("a bot", "mine"), ("the best", "")]),
        (".rs", RUST_SOURCE, [("longest", "l"), ("'a", "'text"), (" /* both */", "")]),
        (".pl", SOURCE, [("import sys", "import sys # it's")]),
    ],
)
def test_comments_and_names_of_other_languages_do_not_matter(ending, source, changes):
    """Names and comments are recognised in the forms of several languages."""
    changed = source
    for old, new in changes:
        changed = changed.replace(old, new)
    assert changed != source
    assert digest_of(changed.encode(), ending) == digest_of(source.encode(), ending)


def test_submissions_that_share_sources_are_groups(write):
    """Copies are one group, under any name and in any folder; so are those that share a part."""
    renamed = SOURCE.replace("best", "mine")
    folders = write(
        ann={"bot.py": SOURCE},
        bob={"src/player.py": renamed, "helper.py": OTHER},
        cy={"helper.py": OTHER, "bot.py": SOURCE.replace("+", "-")},
        dee={"readme.txt": SOURCE},
        eve={"a.py": SOURCE, "b.py": SOURCE},
        fay={"bot.c": C_SOURCE},
    )
    assert similar_groups(folders) == [
        (("ann", "bob", "eve"), "bot.py = src/player.py = a.py", True),
        (("bob", "cy"), "helper.py", False),
    ]


def test_submission_whose_sources_come_from_several_groups_is_found(write):
    """All of it is in another one, although each of its sources is in a third one, too."""
    third = SOURCE.replace("+", "*")
    folders = write(
        ann={"a.py": SOURCE, "b.py": OTHER},
        bob={"a.py": SOURCE, "b.py": OTHER, "c.py": third},
        cy={"a.py": SOURCE, "x.py": SOURCE.replace("+", "/")},
        dee={"b.py": OTHER, "y.py": SOURCE.replace("+", "%")},
        eve={"bot.c": C_SOURCE},
        fay={"bot.rs": RUST_SOURCE},
    )
    assert similar_groups(folders) == [
        (("ann", "bob"), "a.py, b.py", True),
        (("ann", "bob", "cy"), "a.py", False),
        (("ann", "bob", "dee"), "b.py", False),
    ]


def test_short_files_and_templates_are_left_out(write):
    """A file that most have, and a file of a few words, make no group."""
    template = {"template.py": OTHER, "tiny.py": "import sys\nprint(3)\n"}
    sources = [SOURCE.replace("+", sign) for sign in ("+", "-", "+", "*")]
    folders = write(
        **{name: {"bot.py": text, **template} for name, text in zip("abcd", sources, strict=True)},
        e=template,
    )
    assert similar_groups(folders) == [(("a", "c"), "bot.py", True)]


def test_files_that_are_no_sources_do_not_hinder(write):
    """Binary and huge files, and folders with a source's name are left out."""
    odd = {"data.py": b"\0" + SOURCE.encode(), "huge.py": SOURCE * 30_000, "x.py/bot.py": SOURCE}
    folders = write(one={"x.py/bot.py": SOURCE}, two=odd, three={"own.py": OTHER})
    assert similar_groups(folders) == [(("one", "two"), "x.py/bot.py", True)]


@pytest.mark.parametrize("unit", ['"', "'", "\\", "`", "/*", '"""', "'''", "#|", "{-", '"\\', "x."])
def test_hostile_text_is_read_once(unit):
    """Texts and comments without an end take time in proportion to their size."""
    for ending in (".py", ".c", ".rkt", ".rs", ".sh", ".lua"):
        digest_of(unit.encode() * 100_000, ending)


@pytest.mark.parametrize("quotes", ['"""', "'''"])
def test_text_without_an_end_is_one_comment(quotes):
    """A lone backslash at the end of a text does not let its quotes be read again, one by one."""
    hostile = f"{SOURCE}{quotes}" + f"\\{quotes}" * 1_000 + "\\"
    assert digest_of(hostile.encode(), ".py") == digest_of(SOURCE.encode(), ".py")


@pytest.mark.timeout(300)
def test_comparison_has_a_limit_of_time(write, monkeypatch):
    """Sources that are left when the time of a submission is over are not compared."""
    folders = write(a={"a.py": SOURCE}, b={"a.py": SOURCE})
    monkeypatch.setattr(similar, "digest_of", lambda *_: all(_ == 0 for _ in iter(int, 1)))
    monkeypatch.setattr(time_limit, "STEP_SECONDS", 0.1)
    assert similar_groups(folders) == []


def test_long_lists_of_files_are_cut(write):
    """A text names five files, and the number of the others."""
    files = {f"{number}.py": SOURCE.replace("7", str(number)) for number in range(9)}
    ((_, shared, _),) = similar_groups(write(a=files, b=files))
    assert shared == "0.py, 1.py, 2.py, 3.py, 4.py and 4 more"


@pytest.mark.parametrize(
    ("name", "text"),
    [("bot.toml", "command = 'nice c4-bot --level 10'"), ("run.sh", "exec c4-bot"),
     ("bot.py", "import c4_bot"), ("a.py", 'run(["python3", "-m", "c4_bot"])  # fast'),
     ("Makefile", "bot:\n\tcp $(which c4-solve) bot\n"), ("my/copy.py", "import c4_protocol.board"),
     ("Bot.java", 'exec("http://x; c4-bot")'), ("play", "#!/bin/sh\nexec c4-bot\n")],
)  # fmt: skip
def test_file_that_names_our_bot_is_found(tmp_path, name, text):
    """A command, an import and a text in quotes name it, but not a comment or a longer name."""
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / "README.md").write_text("It beats c4-bot.")
    (tmp_path / "good.py").write_text(
        '"""It beats c4-bot."""  # c4_bot\nimport my_c4_bot, c4_bots\n'
    )
    (tmp_path / "good.c").write_text("// c4-bot\n/* c4_bot\n*/\n")
    assert not file_with_our_name(tmp_path)
    (tmp_path / name).write_text(text)
    assert file_with_our_name(tmp_path) == name
