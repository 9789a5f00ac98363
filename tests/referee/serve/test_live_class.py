"""The run of a class on a server: everything that it sends is what students may see."""

from pathlib import Path

import orjson
import pytest
from c4_protocol.records.events import FaultRecord
from c4_referee.classroom.runs import Run, Runs
from c4_referee.classroom.settings import SETTINGS_FILE
from c4_referee.commands.serve import _store
from c4_referee.serve import store, watch
from kept import KEYS, archive, record
from served import Script, ask, served, stream

pytestmark = pytest.mark.linux
FAULT = FaultRecord("a", "bad line", "forfeit", 6, 1.0, 1.0, "SECRET detail", "SECRET line")
FILES = (
    *("index.html", "live.html", "games/1.html", "bots/1.html", "bots/2.html"),
    *(f"exports/{name}" for name in ("games.jsonl", "games.pgn", "games.csv", "summary.md")),
)
"""Pages and downloads of a contest."""


def class_with_secrets(folder: Path, names: dict[str, str]) -> Path:
    """Write a class with a run in progress, of which each text of a bot is a secret."""
    (folder / SETTINGS_FILE).write_text("", encoding="utf-8")
    runs = Runs(folder)
    runs.save(run := Run(name="2026-11-23", names=names))
    texts = {"stderr": {"a": "SECRET stderr"}, "remarks": ["SECRET remark", *[""] * 5]}
    game = record(1, moves="415263", ms=[1.0] * 6, cpu_ms=[1.0] * 6, fault=FAULT, notes=[FAULT],
                  ending="forfeit", winner=2, **texts)  # fmt: skip
    with archive(runs.folder_of(run)) as kept:
        kept.issue(KEYS[0])
        kept.commit(KEYS[0], orjson.dumps(game))
    return folder / "runs"


@pytest.mark.parametrize("names", [{}, {"a": "Ada L."}])
def test_nothing_that_is_sent_has_a_secret(tmp_path, monkeypatch, names):
    """Pages, downloads and events have aliases, or the names that the site has, and no secrets."""
    runs, script = class_with_secrets(tmp_path, names), Script()
    monkeypatch.setattr(watch, "Follower", script)
    monkeypatch.setattr(store, "running_contest", lambda _: 1)
    script.begin("a", "b")
    script.start(2, opening="4")
    script.move(2, 1, 3)
    script.say("remark", game=2, ply=1, text="SECRET remark")
    script.say(
        **orjson.loads(orjson.dumps(record(3, fault=FAULT, notes=[FAULT], remarks=["SECRET"])))
    )
    script.progress(2, 2, complete=True)
    with served(_store([runs])) as port:
        assert ask(port, "/").headers["location"] == "c/2026-11-23/1/live.html"
        sent = [ask(port, f"/c/2026-11-23/1/{name}") for name in FILES]
        assert {answer.status for answer in sent} == {200}
        for name in ("run.json", "../run.json", "..%2frun.json", "arena.sqlite", "live.jsonl"):
            assert ask(port, f"/c/2026-11-23/1/{name}").status == 404
        script.is_running = False
        with stream(port, "/c/2026-11-23/1/events") as events:
            sent_events = repr([*events])
    texts = "".join([sent_events, *(answer.text for answer in sent)])
    assert not any(word in texts for word in ("SECRET", "'true'", str(tmp_path), "exited"))
    assert ("Ada L." in sent_events, "Ada L." in sent[0].text) == (bool(names), bool(names))
    assert ("'a'" in sent_events) is not bool(names)


def test_class_without_a_run_shows_its_site(tmp_path):
    """Between runs, the first page is the site. Without games on the site, none are shown live."""
    runs = class_with_secrets(tmp_path, {})
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text("ranking", encoding="utf-8")
    with served(_store([tmp_path, runs])) as port:
        assert ask(port, "/").headers["location"] == f"class/{tmp_path.name}/index.html"
        assert ask(port, "/c/2026-11-23/1/index.html").status == 200
        (tmp_path / SETTINGS_FILE).write_text("site_games = false", encoding="utf-8")
        assert ask(port, "/c/2026-11-23/1/index.html").status == 404
