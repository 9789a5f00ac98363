"""Portable Game Notation: what is read and reported of other programs, and what we write."""

import pytest
from c4_referee.formats import Forfeit, StoredGame, UnreadableLine
from result_files import lines_read, read

PGN = """\
[Event "an event"]
[Site "?"]
[Round "1"]
[White "a"]
[Black "b"]
[Result "1-0"]
[PlyCount "7"]

1. d1 {+0.12/8 0.31s} d2 2. e1 e2 3. f1
f2 4. g1 {White connects} 1-0

[Event "an event"]
[White "b \\"the bot\\""]
[Black "a"]
[Result "1/2-1/2"]
[FEN "7/7/7/7/7/3xo2 w"]

1/2-1/2
"""


def test_pgn_is_read(tmp_path):
    """In a PGN, White goes first. Comments, move numbers and glyphs are ignored."""
    assert read(tmp_path, PGN) == [
        StoredGame("a", "b", 1, " d1 d2 e1 e2 f1 f2 g1"),
        StoredGame('b "the bot"', "a", 0, None, opening="7/7/7/7/7/3xo2 w"),
    ]


def test_games_without_moves_or_blanks_between_are_separated(tmp_path):
    """In a PGN, a repeated tag begins a new game.

    ``*`` means a void game, and a loss on time is a forfeit.
    """
    tags = '[White "{}"]\n[Black "{}"]\n[Result "{}"]\n'
    text = tags.format("a", "b", "*") + tags.format("b", "a", "0-1")
    text += '[Termination "time forfeit"]\n' + tags.format("a", "b", "0-1") + "1... 0-1"
    assert read(tmp_path, text) == [
        StoredGame("a", "b", 0, None, "void"),
        StoredGame("b", "a", 2, None, "forfeit", Forfeit("b", "time forfeit")),
        StoredGame("a", "b", 2, None),
    ]


TAGS = '[White "a"]\n[Black "b"]\n[Result "1-0"]\n'


@pytest.mark.parametrize(
    "comment",
    [
        '{[White "x"]}',
        '{a comment\n[White "x"]\n[Result "0-1"] }',
        "{\n% 50\n}",
        '; [White "x"] {',
        '{a } {b\n}{[Black "c"]\n\n} ; {',
        '%{[White "x"]',
        "{1-0 ; [\n}",
    ],
)
@pytest.mark.parametrize("place", range(4))
def test_comments_are_ignored(tmp_path, comment, place):
    """A comment may hold what looks like a tag, anywhere in a game, and be longer than a line."""
    parts = [*TAGS.splitlines(), "1. d1 d2", "2. e1 1-0"]
    parts.insert(place + 1, comment)
    text = "\n".join(parts) + f"\n\n{TAGS}\n1. d1 1-0\n"
    assert read(tmp_path, text) == [
        StoredGame("a", "b", 1, " d1 d2 e1"),
        StoredGame("a", "b", 1, " d1"),
    ]


def test_comment_without_an_end_is_reported(tmp_path):
    """A comment that does not end is reported with the line of its beginning."""
    text = f"{TAGS}\n1. d1 {{ever\n\n{TAGS}\n1. d1 1-0"
    assert read(tmp_path, text) == [
        StoredGame("a", "b", 1, " d1"),
        UnreadableLine(5, "the comment that begins here does not end"),
    ]


@pytest.mark.parametrize("text", ["{", "}", ";", '[a "', '"', "(", "{;", "}{"])
def test_very_long_lines_are_read(text):
    """A line with a million braces, semicolons, quotes or brackets is read without delay."""
    for found in lines_read(f"{TAGS}{text * 1_000_000}\n".encode()):
        assert isinstance(found, StoredGame | UnreadableLine)


def test_malformed_tag_begins_no_comment(tmp_path):
    """A brace in a malformed tag does not hide the lines that follow."""
    *games, bad = read(tmp_path, f'[Event "a {{b]\n{TAGS}\n1. d1 1-0\n')
    assert games == [StoredGame("a", "b", 1, " d1")]
    assert bad.number == 1


def test_tags_may_share_a_line(tmp_path):
    """Several tags, a comment and moves may be on one line, and names may have any brackets."""
    text = '[White "a ]"] [Black"{b;"] {a comment}\n[Result "1-0"] ; [White "x"]\n1. d1 1-0\n'
    assert read(tmp_path, text) == [StoredGame("a ]", "{b;", 1, " d1")]


@pytest.mark.parametrize("value", ["time forfeit", "Time Forfeit", "TIME  forfeit", "Abandoned "])
def test_forfeits_are_known_in_any_case(tmp_path, value):
    """A termination is known in upper and lower case."""
    (game,) = read(tmp_path, f'{TAGS}[Termination "{value}"]\n\n1. d1 1-0\n')
    assert game.fault == Forfeit("b", " ".join(value.lower().split()))


def test_same_moves_from_another_position_are_another_game(tmp_path):
    """Games with different FENs are different, even with equal moves."""
    tags = '[White "a"]\n[Black "b"]\n[Result "1-0"]\n[FEN "{}"]\n\n1. d1 1-0\n\n'
    one, other = read(tmp_path, tags.format("x") + tags.format("o"))
    assert one.moves != other.moves


def test_comments_on_all_moves_are_remarks(tmp_path):
    """If each move has a comment, even a broken one, the comments are remarks on the moves."""
    (game,) = read(tmp_path, f"{TAGS}\n1. d1 {{+0.12/8 0.31s}} d2 {{\n-0.1/7}} 2. e1 {{}} 1-0\n")
    assert game.remarks == ("+0.12/8 0.31s", " -0.1/7", "")
    for moves in ("1. d1 {good} d2 2. e1 {!}", "1. d1 {one { two} d2"):
        (game,) = read(tmp_path, f"{TAGS}\n{moves} 1-0\n")
        assert game.remarks == ()


def test_moves_from_a_book_are_the_opening(tmp_path):
    """The first moves with the comment of cutechess for its book are the opening."""
    (game,) = read(tmp_path, f"{TAGS}\n1. d1 {{book}} d2 {{book}} 2. e1 {{0.1s}} 1-0\n")
    assert (game.opening, game.remarks) == ("d1 d2", ("0.1s",))
    assert game.moves == " d1 d2 e1"


def test_variant_of_cutechess_is_the_standard_game(tmp_path):
    """The variant cfour is our standard one."""
    (game,) = read(tmp_path, f'{TAGS}[Variant "cfour"]\n\n1. P@d1 1-0\n')
    assert game.variant == "standard"


@pytest.mark.parametrize(
    ("text", "number", "reason"),
    [
        ('[White "a"]\n[Result "1-0"]\n\n1-0\n', 1, "no tag Black"),
        ('[White "a"]\n[Black "b"]\n', 1, "no tag Result"),
        ('[White "a"]\n[Black "b"]\n[Result "won"]\n', 1, "'won' is not a result"),
        ('[White "a"]\n[Black "b\n[Black "b"]\n[Result "1-0"]\n', 2, "is not a tag"),
        (f"{PGN}\n" + '[White "a"]\n[Black "b"]\n', 20, "no tag Result"),
    ],
)
def test_wrong_pgn_is_reported(tmp_path, text, number, reason):
    """A wrong PGN is reported with the line of the tag, or the line where the game begins."""
    bad = [found for found in read(tmp_path, text) if isinstance(found, UnreadableLine)]
    assert [found.number for found in bad] == [number]
    assert reason in bad[0].reason


def test_pgn_may_be_of_the_standards_own_character_set(tmp_path):
    """A file that is not UTF-8 is read as ISO 8859-1."""
    text = '[White "Müller"]\n[Black "b"]\n[Result "1-0"]\n'
    assert read(tmp_path, text.encode("latin-1")) == read(tmp_path, text)
