"""The board to play on in a site: which games get it, and what happens if it cannot be copied."""

import sys
from dataclasses import replace

import pytest
from c4_bot import web
from c4_protocol.rules.variant import LINE8, STANDARD, Variant
from c4_referee.bots import own
from c4_referee.report.site import board_folder
from c4_referee.report.site.board_folder import copied_board, is_for_board
from contests import random_contest

GAMES = [random_contest(2, 3)]


@pytest.mark.parametrize(
    ("variant", "is_wanted"),
    [
        (STANDARD, True),
        (Variant(11, 10, 6), True),
        (Variant(11, 10, 7), False),
        (Variant(5, 4, 6), False),
        (Variant(12, 6), False),
        (Variant(7, 11), False),
        (Variant(2, 6), False),
        (Variant(7, 6, 2), False),
        (LINE8, False),
        (replace(STANDARD, directions=("horizontal", "vertical")), False),
        (replace(STANDARD, steal=True), False),
    ],
)
def test_variants_that_can_be_played_on_the_board(variant, is_wanted):
    """The board and the lines have usual sizes, stones fall, and there is no steal."""
    assert is_for_board(variant) == is_wanted


def test_sizes_are_those_of_the_bot():
    """The referee knows the same sizes of boards as ``c4-bot --web``."""
    names = ("WIDTHS", "HEIGHTS", "CONNECTS")
    assert [getattr(board_folder, name) for name in names] == [getattr(web, name) for name in names]


def test_copy_is_made_while_other_work_is_done(tmp_path, capsys):
    """The folder has the board when the function that waits for it returns true."""
    with copied_board(tmp_path / "board", GAMES) as has_board:
        assert has_board()
    assert (tmp_path / "board" / "index.html").is_file()
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("contest", [random_contest(2, 0), random_contest(2, 3, LINE8)])
def test_no_copy_without_games_for_it(tmp_path, capsys, contest):
    """Without a game that can be played on the board, nothing is copied and nothing is said."""
    with copied_board(tmp_path / "board", [contest]) as has_board:
        assert not has_board()
    assert ([*tmp_path.iterdir()], capsys.readouterr().err) == ([], "")


def _put_file(folder, _):
    folder.write_text("mine")


def _put_link(folder, _):
    (folder.parent / "elsewhere").mkdir()
    folder.symlink_to("elsewhere")


def _remove_command(_, monkeypatch):
    monkeypatch.setattr(own, "package_folder", lambda _: None)


def _start_nothing(_, monkeypatch):
    monkeypatch.setattr(board_folder, "start_of", lambda _: ("/no/python",))


def _start_what_is_killed(_, monkeypatch):
    command = (sys.executable, "-c", "import os; os.kill(os.getpid(), 9)")
    monkeypatch.setattr(board_folder, "start_of", lambda _: command)


@pytest.mark.parametrize(
    ("hinder", "reason"),
    [
        (_put_file, "c4-bot: cannot write {}: it is a file: name a folder"),
        (_put_link, "cannot write {}: it is a link: move it away"),
        (_remove_command, "c4-bot is not in this installation: reinstall c4-arena"),
        (_start_nothing, "cannot start c4-bot: No such file or directory"),
        (_start_what_is_killed, "c4-bot was ended by signal 9"),
    ],
)
def test_failed_copy_is_said_in_one_line(tmp_path, monkeypatch, capsys, hinder, reason):
    """If the board cannot be copied, one line says why, and there is no board."""
    folder = tmp_path / "board"
    hinder(folder, monkeypatch)
    with copied_board(folder, GAMES) as has_board:
        assert not has_board()
    said = reason.format(folder)
    assert capsys.readouterr().err == f"c4-referee: the pages have no board to play on: {said}\n"
    assert not (folder / "index.html").exists()
