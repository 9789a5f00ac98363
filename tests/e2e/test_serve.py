"""``c4-referee serve`` as users start it: a contest in progress, its end, and mistakes."""

import re
import shlex
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from bots import LIGHT
from commands import SCRIPTS
from served import SLOW, ask, started, stream

pytestmark = pytest.mark.linux


@pytest.mark.weekly
def test_contest_is_followed_from_start_to_end(tmp_path):
    """Moves arrive before the result, each once, and the contest does not notice."""
    bot = tmp_path / "slow.py"
    bot.write_text(SLOW, encoding="utf-8")
    slow = f"{sys.executable} -S {bot}"
    match = [SCRIPTS / "c4-referee", "match", slow, LIGHT, "--games", "6", "--no-accuracy"]
    (tmp_path / "all").mkdir()
    with started(str(tmp_path / "all")) as (port, server):
        done = subprocess.Popen(
            [*match, "--out", tmp_path / "all" / "cup"], stdout=subprocess.DEVNULL
        )
        while "live.html" not in ask(port, "/").text:
            assert done.poll() is None
        assert "1 contest" in ask(port, "/").text
        with stream(port, "/c/cup/1/events") as events:
            messages = [message for _, message in events]
        assert done.wait() == 0
        kinds = [message["event"] for message in messages]
        assert (kinds[0], kinds[-1]) == ("snapshot", "end")
        moves = [(each["game"], each["ply"]) for each in messages if each["event"] == "move"]
        assert len({*moves}) == len(moves) > 0
        ended = [each["moves"] for each in messages if each["event"] == "game_ended"]
        assert ended
        (rows,) = [each["bots"] for each in messages if each["event"] == "standings"][-1:]
        assert sum(row["points"] for row in rows) == 6
        assert ended[-1] in ask(port, "/c/cup/1/exports/games.jsonl").text
        server.send_signal(signal.SIGINT)
        assert server.stderr.read() == ""


def test_address_that_is_in_use_is_a_mistake(c4_referee, tmp_path):
    """A port that another server has, and a host that does not exist, are one line."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = c4_referee("serve", str(tmp_path), "--port", port)
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
    assert b"Address already in use" in done.stderr


def test_other_hosts_need_a_token(tmp_path):
    """On another address, a link with a token is printed. Without it, bots are not started."""
    with started(str(tmp_path), "--host", "0.0.0.0") as (port, server):
        assert "Everybody" in server.stderr.readline()
        (link,) = re.findall(r"/play/\?token=\S+", server.stderr.readline())
        own = {"Sec_Fetch_Site": "same-origin"}
        assert ask(port, "/play/games", "POST", b"{}", **own).status == 403
        cookie = ask(port, link).headers["set-cookie"].partition(";")[0]
        assert ask(port, "/play/games", "POST", b"{}", Cookie=cookie, **own).status == 422


@pytest.mark.weekly
@pytest.mark.documented
def test_commands_of_the_document_work(run_command, tmp_path):
    """The server starts as the document shows, and shows the match that was played before."""
    page = (Path(__file__).parents[2] / "docs" / "serve.md").read_text(encoding="utf-8")
    match, *servers = re.search(r"```sh\n(.*?)```", page, re.DOTALL)[1].splitlines()
    command, *words = shlex.split(match)
    assert run_command(command, *words, cwd=tmp_path).returncode == 0
    (tmp_path / "bots.toml").write_text("[bots.a]\ncommand = 'c4-bot'\n", encoding="utf-8")
    for server in servers:
        _, _, *words = shlex.split(server)
        with started(*words, "--port", "0", cwd=tmp_path) as (port, _):
            assert "c4-bot --level 3" in ask(port, "/").text
