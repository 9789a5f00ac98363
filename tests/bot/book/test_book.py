"""The opening book: its file, the tool that makes it, and the installed book."""

import random
import signal
import subprocess
import sys
import time
from array import array
from pathlib import Path

import c4_bot.book
import pytest
from books import position_of
from c4_bot import native
from c4_bot.book.book_file import Book, position_key, write_book
from c4_bot.book.make import (
    Progress,
    all_positions,
    are_quiet,
    boards_of,
    can_win_now,
    derive_scores,
    position_keys,
    read_progress,
)
from c4_bot.solve.solver import Solver
from c4_protocol.program.errors import BookError
from c4_protocol.rules.position import Position, completing_cells
from c4_protocol.rules.variant import STANDARD, Variant
from effort import THOROUGH

SMALL = Variant(5, 4)
PLIES = 6


def positions_of(variant, plies):
    """Return all positions with ``plies`` stones and no winner, without mirror images."""
    (*_, last) = all_positions(variant, plies)
    return [position_of(word, variant) for word in position_keys(last).tolist()]


def run(folder, *options):
    """Start the command that makes a book of the small board in a folder."""
    command = [sys.executable, "-m", "c4_bot.book", "--variant", SMALL.size, "--plies", str(PLIES),
               "--jobs", "1", "--out", "book", "--progress", "progress", *options]  # fmt: skip
    return subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True)


def finished(process):
    """Return what a command wrote to standard error, and its exit code."""
    with process:
        return process.communicate()[1], process.returncode


def begun(folder, *options):
    """Start the command, and wait until it has solved 100 positions."""
    process, progress = run(folder, *options), folder / "progress"
    while not progress.exists() or progress.read_bytes().count(b"\n") < 100:
        assert process.poll() is None
        time.sleep(0.001)
    return process


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return a folder with a book of the small board, made by two threads."""
    folder = tmp_path_factory.mktemp("book")
    told, code = finished(run(folder, "--jobs", "2"))
    assert code == 0, told
    return folder


def test_keys_stand_for_a_position_and_its_mirror_image():
    """A key leads back to the position or to its mirror image. Both have the same key."""
    for position in positions_of(STANDARD, 5)[::7]:
        again = position_of(position_key(position), STANDARD)
        assert again in {position, position.mirrored()}
        assert position_key(position) == position_key(position.mirrored()) == position_key(again)


@pytest.mark.parametrize("count", [0, 2000])
def test_what_is_written_is_read(tmp_path, count):
    """All keys and scores are read as they were written, with small and large gaps between keys."""
    words = {1, 2, 129, 130 + (1 << 48)} if count else set()
    words |= {random.Random(1).getrandbits(49) for _ in range(count)}
    scores = [(word, word % 43 - 21) for word in sorted(words)]
    write_book(tmp_path / "book", STANDARD, 8, scores)
    book = Book(tmp_path / "book")
    assert list(book) == scores
    assert len(book) == len(scores)
    assert (book.variant, book.plies) == (STANDARD, 8)
    assert book.score(Position()) is None


def test_a_book_that_cannot_be_written_leaves_the_old_one(tmp_path):
    """An error while a book is written leaves the old book unchanged, and no other file."""
    write_book(tmp_path / "book", STANDARD, 8, [(1000, 1)])

    def failing():
        yield 1000, 2
        raise OSError("no space left on device")

    with pytest.raises(OSError, match="no space"):
        write_book(tmp_path / "book", STANDARD, 8, failing())
    assert list(Book(tmp_path / "book")) == [(1000, 1)]
    assert list(tmp_path.iterdir()) == [tmp_path / "book"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda content: None, "cannot read the book"),  # a folder
        (lambda content: b"", "it is empty"),
        (lambda content: b"x", "not a book"),
        (lambda content: content[:100], "damaged"),
        (lambda content: content[:-1], "damaged"),
        (lambda content: content[: len(content) // 2], "damaged"),
        (lambda content: content + b"\0", "damaged"),
        (lambda content: content.replace(b"c4-book-2", b"c4-book-1"), "not a book of format"),
        (lambda content: content.replace(b'"plies":6', b'"plies":7'), "damaged"),
        (lambda content: b"{}\n" * 1000, "not a book"),
    ],
)
def test_damaged_books_are_refused(made, tmp_path, change, message):
    """Cut, longer, changed and unrelated files are refused with one line that names the file."""
    path, content = tmp_path / "damaged", change((made / "book").read_bytes())
    path.mkdir() if content is None else path.write_bytes(content)
    with pytest.raises(BookError, match=message) as caught:
        Book(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_any_flipped_byte_is_noticed(made, tmp_path):
    """A book with any wrong byte is refused."""
    content, path = (made / "book").read_bytes(), tmp_path / "damaged"
    for place in [*range(0, len(content), max(1, len(content) // 50)), len(content) - 1]:
        path.write_bytes(content[:place] + bytes([content[place] ^ 4]) + content[place + 1 :])
        with pytest.raises(BookError):
            Book(path)


@pytest.mark.parametrize("begins", [[], [0], [0, 5], [3, 2], [0, 1, 2]])
def test_the_core_refuses_blocks_outside_the_entries(begins):
    """Offsets that are not ascending, not in the entries or too many are refused."""
    parts = [memoryview(array(kind, values)) for kind, values in
             (("Q", [1]), ("I", begins), ("B", [1, 2, 3]))]  # fmt: skip
    with pytest.raises(ValueError, match=r"blocks outside|another size"):
        native.core.Book(native.sizes(SMALL), PLIES, *parts)


def test_scores_are_those_of_the_solver(made):
    """Every position up to the last ply, and its mirror image, has the solver's score.

    Scores of earlier plies follow from the last ply. Positions with a winning move have no entry.
    Positions with a threat have entries only at the last ply, because the forced replies would
    leave the book.
    """
    book, solver = Book(made / "book"), Solver(SMALL)
    for plies in range(PLIES + 1):
        for position in positions_of(SMALL, plies):
            found = book.score(position)
            assert found == book.score(position.mirrored()) == book.python_score(position)
            assert found == solver.solve(position).low


def test_other_positions_are_not_in_it(made):
    """Positions with more stones, and positions of other variants, have no score in the book."""
    book = Book(made / "book")
    quiet = next(p for p in positions_of(SMALL, PLIES + 1) if not completing_cells(p.own, SMALL))
    assert book.score(quiet) is None
    assert book.score(Position()) is None


def test_arrays_say_what_single_positions_do():
    """Functions of many positions agree with those of one position."""
    (*_, many) = all_positions(STANDARD, 7)
    quiet, wins = are_quiet(many), can_win_now(many)
    for i in range(0, len(quiet), 997):
        own, other = (int(side[i]) for side in boards_of(many))
        one = Position(STANDARD, (own, other), 1)
        at_once = bool(completing_cells(own, STANDARD) & one.playable)
        threat = bool(completing_cells(other, STANDARD) & one.playable)
        assert not one.winner
        assert wins[i] == at_once
        assert quiet[i] == (not at_once and not threat)
        assert position_keys(many)[i] == position_key(one)


def test_all_positions_are_there():
    """All positions without a winner are found: with mirror images, as many as in OEIS A212693."""
    counts = [1, 7, 49, 238, 1120, 4263, 16422]  # the first win is possible at 7 plies
    for many, count in zip(all_positions(STANDARD, 6), counts, strict=True):
        found = [position_of(word, STANDARD) for word in position_keys(many).tolist()]
        assert sum(len({one, one.mirrored()}) for one in found) == count


def test_a_killed_run_goes_on(tmp_path):
    """After kill -9, the next run keeps the solved scores."""
    process, progress = begun(tmp_path), tmp_path / "progress"
    process.kill()
    finished(process)
    kept = read_progress(progress, SMALL)[0]
    assert len(kept) >= 100
    with progress.open("a") as file:
        file.write("12345")
    told, code = finished(run(tmp_path))
    assert code == 0, told
    scores = read_progress(progress, SMALL)[0]
    assert kept.items() <= scores.items()
    assert len(progress.read_bytes().splitlines()) == len(scores)
    assert list(Book(tmp_path / "book")) == sorted(derive_scores(SMALL, PLIES, scores).items())


def test_a_stopped_run_writes_what_it_knows(tmp_path):
    """Ctrl-C makes a run write a book of the known scores and end with exit code 130.

    On this board, a run takes minutes.
    """
    variant, plies = Variant(6, 5), 8
    process = begun(tmp_path, "--variant", variant.size, "--plies", str(plies))
    process.send_signal(signal.SIGINT)
    told, code = finished(process)
    assert code == 130, told
    assert told.splitlines()[-2].startswith("stopped; the same command continues")
    scores = read_progress(tmp_path / "progress", variant)[0]
    known = dict(Book(tmp_path / "book"))
    assert known.items() <= derive_scores(variant, plies, scores).items()
    assert known


def test_a_book_is_a_start_without_its_progress(made, tmp_path):
    """A run takes the scores of the existing book, and solves no position again."""
    (tmp_path / "book").write_bytes((made / "book").read_bytes())
    told, code = finished(run(tmp_path))
    assert code == 0, told
    assert (tmp_path / "book").read_bytes() == (made / "book").read_bytes()
    assert read_progress(tmp_path / "progress", SMALL)[0] == {}


@pytest.mark.parametrize("line", ["garbage", "1 2", "4432718741633", "9" * 30 + " 1", "\0\0", ""])
def test_progress_with_garbage_is_refused_and_left(made, tmp_path, line):
    """Progress with a wrong line is refused.

    The error names the line, and the file is unchanged.
    """
    progress = tmp_path / "progress"
    content = f"{(made / 'progress').read_text()}{line}\n1 2\n"
    progress.write_text(content)
    told, code = finished(run(tmp_path))
    assert code == 1
    assert len(told.splitlines()) == 1
    assert f"line {len(content.splitlines()) - 1}" in told
    assert progress.read_text() == content


def test_two_runs_do_not_share_a_progress_file(tmp_path):
    """A second run with the same progress file ends with an error in one line."""
    with Progress(tmp_path / "progress", SMALL):
        told, code = finished(run(tmp_path))
    assert code == 1
    assert told == "c4_bot.book: another run is writing to progress\n"


def test_a_full_disk_stops_a_run():
    """A score that cannot be written raises an error, and does not count as known."""
    with Progress.__new__(Progress) as progress:
        progress._file = Path("/dev/full").open("ab", buffering=0)  # noqa: SIM115
        progress.scores = {}
        with pytest.raises(OSError, match="No space left"):
            progress.add([(1, 2)])
        assert not progress.scores


def test_contradictions_are_found(made):
    """A score that contradicts the scores of the next ply raises an error."""
    scores = dict(Book(made / "book")) | read_progress(made / "progress", SMALL)[0]
    empty = position_key(Position(SMALL))
    with pytest.raises(BookError, match="contradict"):
        derive_scores(SMALL, PLIES, scores | {empty: scores[empty] + 1})


@pytest.mark.parametrize("content", [None, b"not a book"])
def test_a_damaged_book_is_said_once_and_no_book_is_no_news(monkeypatch, tmp_path, capsys, content):
    """A damaged book is reported in one line, even if it is used twice. None causes no message."""
    path = tmp_path / "7x6.book"
    if content:
        path.write_bytes(content)
    monkeypatch.setattr(c4_bot.book, "BOOK_PATH", path)
    c4_bot.book.default_book.cache_clear()
    assert [c4_bot.book.default_book() for _ in range(2)] == [None, None]
    c4_bot.book.default_book.cache_clear()
    told = capsys.readouterr().err
    assert (told.count("\n"), str(path) in told) == ((1, True) if content else (0, False))


def test_the_installed_book_agrees_with_the_solver():
    """The installed book is whole, and random entries have the score that the solver finds."""
    book, solver = c4_bot.book.default_book(), Solver(STANDARD)
    assert book.variant == STANDARD
    entries = [*book]
    assert len(entries) == len(book)
    for word, score in random.Random(7).sample(entries, 50 if THOROUGH else 5):
        if (position := position_of(word, STANDARD)).ply >= 8:  # earlier positions take minutes
            assert solver.solve(position).low == score
