"""Pages and streams of a server: what each address shows, and what it does not."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from c4_referee.serve import app, log
from c4_referee.serve.app import file_below
from c4_referee.serve.store import ShownClass, Store
from kept import keep, match
from served import Script, ask, scripted_server, served, stream
from waiting import wait_for

pytestmark = pytest.mark.linux


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Return a folder with a contest of a and b."""
    folder = tmp_path_factory.mktemp("contests") / "cup"
    folder.mkdir()
    keep(folder, next(match(1)))
    return folder


@pytest.fixture(scope="module")
def port(folder) -> Iterator[int]:
    """Serve the contest."""
    with served(Store(lambda: [folder])) as port:
        yield port


@pytest.fixture
def script(monkeypatch, folder) -> Iterator[Script]:
    """Serve the contest at the address in ``port``. It says what a test writes."""
    with scripted_server(monkeypatch, folder, "a", "b") as script:
        yield script


def test_all_pages_of_a_contest_are_shown(port):
    """The overview leads to the standings, games, bots, exports and static files."""
    assert 'href="c/cup/1/index.html"' in ask(port, "/").text
    for path in ("index.html", "games/1.html", "bots/2.html", "exports/games.pgn", "live.html"):
        answer = ask(port, f"/c/cup/1/{path}")
        assert answer.status == 200, path
        assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert ask(port, "/style.css").headers["content-type"].startswith("text/css")
    assert ask(port, "/c/cup/1/").headers["location"] == "/c/cup/1/index.html"


@pytest.mark.parametrize(
    "path",
    [
        *("/nothing", "/c/", "/c/cup/", "/c/cup/2/index.html", "/c/cup/1/games/2.html"),
        *("/c/cup/01/live.html", "/c/cup/x/events", "/c/cup/1/games/..%2f..%2farena.sqlite"),
        *(
            "/c/../../etc/passwd",
            "/c/cup/arena.sqlite",
            "/class/cup/index.html",
            "/board/index.html",
        ),
        *("/c/%00/1/index.html", "/..%5c..%5c", "/c/cup/1/games/%2e%2e/index.html"),
    ],
)
def test_other_paths_are_not_found(port, path, capfd, monkeypatch):
    """Nothing but pages has an address, and each refusal is one line of the log."""
    monkeypatch.setattr(log, "MAX_LINES_PER_SECOND", 1000)
    assert ask(port, path).status == 404
    assert len(capfd.readouterr().err.splitlines()) == 1


def test_engine_is_allowed_only_where_it_is(port):
    """Pages of games may run WebAssembly, other pages may not."""
    policies = [
        ask(port, f"/c/cup/1/{path}").headers["content-security-policy"]
        for path in ("games/1.html", "index.html")
    ]
    assert ["wasm-unsafe-eval" in policy for policy in policies] == [True, False]


def test_viewer_gets_each_message_once(script):
    """A viewer begins with a snapshot. One who comes back gets what was missed, and no more."""
    port = script.port
    with stream(port, "/c/cup/1/events") as events:
        _, snapshot = next(events)
        assert (snapshot["event"], snapshot["games"], snapshot["running"]) == ("snapshot", [], True)
        script.start(1)
        script.move(1, 0, 3)
        assert [next(events)[1]["event"] for _ in range(1)] == ["game_started"]
        last, moved = next(events)
        assert moved["move"] == 3
    script.move(1, 1, 4)
    with stream(port, "/c/cup/1/events", last) as events:
        assert next(events)[1]["move"] == 4
    with stream(port, "/c/cup/1/events", "other-7") as events:
        assert next(events)[1]["games"][0]["moves"] == [3, 4]
    script.end(1, "4545454")
    script.progress(2, 2, complete=True)
    script.is_running = False
    with stream(port, "/c/cup/1/events", last) as events:
        kinds = [message["event"] for _, message in events]
    assert kinds[-1] == "end"
    assert "game_ended" in kinds


def test_stream_of_a_broken_contest_ends(script, capfd):
    """If a contest cannot be read any more, its streams end without ``end``: viewers try again."""
    with stream(script.port, "/c/cup/1/events") as events:
        next(events)
        script.say("nonsense")
        script.messages[-1].pop("event")
        assert [*events] == []
    assert "cannot follow cup" in capfd.readouterr().err


def test_number_of_streams_is_bounded(monkeypatch, script):
    """One viewer too many gets 503, and a place is free when a viewer has left."""
    port = script.port
    monkeypatch.setattr(app, "MAX_STREAMS_OF_ONE", 1)
    with stream(port, "/c/cup/1/events") as events:
        next(events)
        assert ask(port, "/c/cup/1/events").status == 503
    wait_for(lambda: ask(port, "/c/cup/1/events", "HEAD").status == 200)


def test_only_site_of_class_is_served(tmp_path):
    """Files of the site are shown. What is beside it, hidden, or behind a link is not."""
    site = tmp_path / "class" / "site"
    (site / "runs").mkdir(parents=True)
    (site / "index.html").write_text("ranking", encoding="utf-8")
    (site / ".hidden").write_text("SECRET", encoding="utf-8")
    (tmp_path / "class" / "grades.csv").write_text("SECRET", encoding="utf-8")
    (site / "link.csv").symlink_to("../grades.csv")
    with served(Store(list, [ShownClass("class", site, lambda: None)])) as port:
        assert ask(port, "/class/class/").text == "ranking"
        for path in (
            *("../grades.csv", "%2e%2e/grades.csv", "..%2fgrades.csv", ".hidden", "link.csv"),
            *("runs", "/etc/passwd", "..%5cgrades.csv", "%00", "x" * 5000, "index.html/"),
        ):
            answer = ask(port, f"/class/class/{path}")
            assert (answer.status, "SECRET" in answer.text) == (404, False), path


def test_file_below_a_folder(tmp_path):
    """A path leads to a file in the folder, or to nothing."""
    (tmp_path / "a b").write_text("", encoding="utf-8")
    assert file_below(tmp_path, "a b") == tmp_path / "a b"
    assert all(file_below(tmp_path, path) is None for path in ("", "a b/", "./a b", "/a b"))
