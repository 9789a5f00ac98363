"""Links, pipes and folders in the place of files that a command writes do no harm.

A bot may have put them there.
"""

import os
import shutil
import subprocess
import sys
import threading
from itertools import product
from pathlib import Path

import pytest
from commands import SCRIPTS
from effort import one_in, sampled
from odd_files import ODD, make_odd

BOT = Path(__file__).parent.parent / "bots" / "misbehaving.py"
INSIDE = [("cwd", "bot"), ("folder", "bot/out"), ("cwd", "bot/deep/../out"), ("folder", "link"),
          ("cwd", "link/out")]  # fmt: skip
"""Keys of a bot with the folder ``bot``, and paths that lead into it."""
FILES = ("games.jsonl", "arena.sqlite", "arena.sqlite-wal", "arena.sqlite-shm",
         "arena.sqlite-journal", "events.jsonl")  # fmt: skip
STORED = ("rounds.jsonl", "settings.json")
"""Files of a tuning run."""
EVOLVE = ("evolve", "--rounds", "2", "--depth", "1", "--population", "6", "--elite", "2", "--json")


def failed(done: subprocess.CompletedProcess[bytes], *reasons: str) -> None:
    """Check that a command failed with one line that states the reasons, and without a result."""
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.count(b"\n") == 1
    for reason in reasons:
        assert reason in done.stderr.decode()


def tune(out: Path) -> subprocess.CompletedProcess[bytes]:
    """Run ``c4-tune evolve`` with a folder."""
    command = [SCRIPTS / "c4-tune", *EVOLVE, "--out", out]
    return subprocess.run(command, capture_output=True, check=False, timeout=300)


def match(out: Path, games: int) -> subprocess.CompletedProcess[bytes]:
    """Play games of a match in a folder, with a log of events there."""
    bots = [f"{sys.executable} -S -E {BOT} {kind}" for kind in ("good", "column_7")]
    command = [SCRIPTS / "c4-referee", "match", *bots, "--variant", "4x4", "--games", str(games),
               "--json", "--out", out, "--events", out / "events.jsonl"]  # fmt: skip
    return subprocess.run(command, capture_output=True, check=False, timeout=300)


@pytest.fixture(scope="module")
def two_games(tmp_path_factory):
    """Return a folder with two games of a match."""
    folder = tmp_path_factory.mktemp("match") / "out"
    assert match(folder, 2).returncode == 0
    return folder


@pytest.fixture
def out(two_games, tmp_path):
    """Return a copy of the folder with two games."""
    return shutil.copytree(two_games, tmp_path / "out")


@pytest.mark.parametrize(("name", "kind"), one_in(8, product(FILES, ODD)))
def test_match_refuses_odd_files(out, name, kind):
    """One line names the odd file. No other file is changed, and no game is lost."""
    path = out / name
    before = path.read_bytes() if path.exists() else None
    precious = make_odd(path, kind)
    content = precious.read_bytes()
    is_unread = (name, kind) == ("events.jsonl", "pipe")
    failed(match(out, 4), str(path), "no program reads this pipe" if is_unread else ODD[kind])
    assert precious.read_bytes() == content
    path.rmdir() if kind == "folder" else path.unlink()
    if before is not None:
        path.write_bytes(before)
    done = match(out, 4)
    assert (done.returncode, done.stderr) == (0, b"2 of 4 games were played before\n")


def test_events_are_written_to_a_pipe_that_is_read(out):
    """A user may send events to another program, through a pipe or a device."""
    events = out / "events.jsonl"
    events.unlink()
    os.mkfifo(events)
    with subprocess.Popen(["cat", events], stdout=subprocess.PIPE) as reader:
        kept = os.open(events, os.O_RDONLY | os.O_NONBLOCK)  # cat may not have opened it yet
        done = match(out, 4)
        os.close(kept)
        lines, _ = reader.communicate(timeout=300)
    assert done.returncode == 0, done.stderr
    assert lines.count(b"game_ended") == 2
    assert b"match_ended" in lines


@pytest.mark.parametrize(("name", "kind"), one_in(5, product(STORED, ODD)))
def test_tuning_refuses_odd_files(tmp_path, name, kind):
    """One line names the odd file, and no other file is changed."""
    assert tune(tmp_path / "run").returncode == 0
    precious = make_odd(tmp_path / "run" / name, kind)
    content = precious.read_bytes()
    failed(tune(tmp_path / "run"), str(tmp_path / "run" / name), ODD[kind])
    assert precious.read_bytes() == content


@pytest.mark.parametrize(("key", "out"), sampled(INSIDE, INSIDE[2:4]))
def test_folder_that_a_bot_may_change_is_refused(c4_referee, tmp_path, key, out):
    """Games and events are not stored in the folder of a bot, by any path."""
    bot = tmp_path / "bot"
    bot.mkdir()
    (bot / "deep").mkdir()
    (tmp_path / "link").symlink_to(bot)
    before = sorted(tmp_path.rglob("*"))
    bots = tmp_path / "bots.toml"
    bots.write_text(f'[bots.mine]\ncommand = "{sys.executable} {BOT} good"\n{key} = "bot"\n')
    before.append(bots)
    run = ("match", "mine", "mine", "--bots", "bots.toml", "--variant", "4x4", "--json")
    reason = "bot 'mine' could change it, because it is in the bot's folder bot: name a place"
    failed(c4_referee(*run, "--out", out, cwd=tmp_path), f"cannot write {out}: {reason}")
    events = f"{out}/events.jsonl"
    failed(c4_referee(*run, "--events", events, cwd=tmp_path), f"cannot write {events}: {reason}")
    assert sorted(tmp_path.rglob("*")) == sorted(before)
    assert c4_referee(*run, "--out", "bots", "--events", "bot.jsonl", cwd=tmp_path).returncode == 0


@pytest.mark.parametrize("kind", sampled([*ODD, "endless"], ["pipe", "endless"]))
def test_rate_refuses_odd_files_of_a_folder(c4_referee, out, kind):
    """``rate`` follows no link in a folder without a database, and waits for no pipe there."""
    (out / "arena.sqlite").unlink()
    games = out / "games.jsonl"
    if kind == "endless":
        games.unlink()
        games.symlink_to("/dev/zero")
        failed(c4_referee("rate", str(games), timeout=300), f"cannot read {games}: it is not a reg")
    else:
        make_odd(games, kind)
    failed(c4_referee("rate", str(out), timeout=300), str(games), ODD.get(kind, ODD["link"]))


def test_report_refuses_odd_files_of_a_site(c4_referee, out):
    """``report`` waits for no pipe in a folder of games, and writes through no link there."""
    report = ("report", str(out), "--analysis-seconds", "0")
    (out / "site").mkdir()
    os.mkfifo(out / "site" / "site.txt")
    failed(c4_referee(*report, timeout=300), f"{out}/site/site.txt: it is not a regular file")
    (out / "site").rename(out.parent / "other")
    (out / "site").symlink_to("../other")
    failed(c4_referee(*report, timeout=300), f"cannot write {out}/site: it is a link")


@pytest.mark.weekly
def test_ratings_are_read_from_a_pipe(c4_referee, out, tmp_path):
    """A user may name a pipe or a link with games to rate."""
    games = (out / "games.jsonl").read_bytes()
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=(games,))
    writer.start()
    piped = c4_referee("rate", str(tmp_path / "pipe"), "--csv", timeout=300)
    writer.join()
    (tmp_path / "link").symlink_to("out/games.jsonl")
    linked = c4_referee("rate", str(tmp_path / "link"), "--csv")
    assert (piped.returncode, piped.stdout) == (linked.returncode, linked.stdout)
    assert piped.returncode == 0
    assert b"column_7" in piped.stdout


def test_tournament_in_the_folder_of_a_bot_is_refused(c4_referee, tmp_path):
    """The folder beside a tournament's file is refused if a bot runs in the folder of the file."""
    command = f'command = "{sys.executable} {BOT} good"\n'
    text = f'variant = "4x4"\n[bots.a]\n{command}[bots.b]\n{command}cwd = "."\n'
    (tmp_path / "class.toml").write_text(text)
    done = c4_referee("tournament", "class.toml", "--json", cwd=tmp_path)
    failed(done, "cannot write class: bot 'b' could change it")
    assert [path.name for path in tmp_path.iterdir()] == ["class.toml"]
