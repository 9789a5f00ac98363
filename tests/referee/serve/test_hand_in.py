"""Hand-ins over the network: whose a link is, what is taken, and which limits hold."""

from collections.abc import Mapping, Sequence
from http.client import HTTPConnection
from ipaddress import ip_address
from pathlib import Path
from threading import Barrier, Thread

import pytest
from c4_referee.serve import hand_in
from c4_referee.serve.hand_in import HandIns, Uploaded
from c4_referee.serve.store import Store
from handed_in import FORM, form
from served import ask, served
from waiting import wait_for

pytestmark = pytest.mark.linux
ADA, BEN = "A" * 22, "B" * 22
"""Links of two students."""
FILE = form(("bot.py", b"a\r\n\x00\xff--c4"))


class Desk:
    """A desk that keeps what was handed in."""

    max_bytes = 100_000

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.kept: list[tuple[str, Sequence[Uploaded], Mapping[str, str]]] = []
        self.is_full = False

    def bot_of(self, secret: str) -> str | None:
        """Return the bot of a link."""
        return {ADA: "ada", BEN: "ben"}.get(secret)

    def folder_of(self, bot: str) -> Path:
        """Return the folder of a bot."""
        return self.folder / bot

    def shown_name(self, bot: str) -> str:
        """Return the name of a bot."""
        return bot

    def page(self, bot: str, link: str, notice: str, standing: tuple[str, str]) -> str:
        """Return a page."""
        assert self.bot_of(link) == bot
        return f"page of {bot}{standing}. {notice}"

    def put(self, bot: str, files: Sequence[Uploaded], fields: Mapping[str, str]) -> None:
        """Keep what was handed in."""
        if self.is_full:
            raise OSError(28, "No space left on device")
        if not (files or fields.get("again") == "3"):
            raise ValueError("Choose a file first")
        self.kept.append((bot, files, fields))


@pytest.fixture
def desk(tmp_path) -> Desk:
    """Return a desk that has nothing yet."""
    return Desk(tmp_path)


@pytest.fixture
def port(desk):
    """Serve the desk."""
    pages = HandIns(desk, Store(list))
    with served(Store(list), more=pages.routes(), max_hand_in=pages.max_body) as port:
        yield port


def test_student_hands_in_and_sees_the_own_page(port, desk):
    """Bytes arrive as they are. The answer leads to the page, which no cache keeps."""
    answer = ask(port, f"/hand-in/{ADA}", "POST", FILE, **FORM)
    assert (answer.status, answer.headers["location"]) == (303, f"/hand-in/{ADA}")
    assert desk.kept == [("ada", [("bot.py", b"a\r\n\x00\xff--c4")], {})]
    page = ask(port, f"/hand-in/{ADA}")
    assert (page.text, page.headers["cache-control"]) == ("page of ada('', ''). ", "no-store")
    assert page.headers["referrer-policy"] == "no-referrer"
    assert ask(port, f"/hand-in/{BEN}", "POST", form(again="3"), **FORM).status == 303
    assert desk.kept[1] == ("ben", [], {"again": "3"})
    (desk.folder / "ada").mkdir()
    (desk.folder / "ada" / "index.html").write_text("feedback", encoding="utf-8")
    saved = ask(port, f"/hand-in/{ADA}/")
    assert (saved.text, saved.headers["cache-control"]) == ("feedback", "no-store")
    for wrong in (f"{BEN}/", f"{BEN}/../ada/index.html", f"{BEN}/%2e%2e/ada/index.html", "C/"):
        assert ask(port, f"/hand-in/{wrong}").status == 404


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_wrong_link_is_refused(port, desk, capfd, method):
    """Nothing is taken, and no link is in the log, also if it is right."""
    for link in ("C" * 22, ADA[:-1], f"{ADA}A", "", "..", f"{ADA}/", f"{ADA}%00", ADA.lower()):
        assert ask(port, f"/hand-in/{link}", method, FILE, **FORM).status in {404, 405}
    for path in (f"/{ADA}", f"/handin/{ADA}", f"/HAND-IN/{ADA}", f"//hand-in/{ADA}?{ADA}"):
        assert ask(port, path, method, FILE, **FORM).status in {404, 405}
    assert ask(port, f"/hand-in/{ADA}", "PUT", FILE, **FORM).status == 405
    assert ask(port, f"/hand-in/{ADA}", "POST", FILE, Sec_Fetch_Site="cross-site").status == 403
    assert not desk.kept
    log = capfd.readouterr().err
    assert "404" in log
    assert ADA[:12] not in log


def test_only_hand_ins_may_be_large(port, desk):
    """Neither another path nor a larger body is read."""
    most = b"x" * (desk.max_bytes - 1)
    assert ask(port, f"/hand-in/{ADA}", "POST", form(("bot.py", most)), **FORM).status == 303
    for path in ("/", "/play/games", "/c/ladder/1/events"):
        assert ask(port, path, "POST", b"x" * 5000, **FORM).status == 413
    too_large = b"x" * (desk.max_bytes + hand_in.ROOM + 1)
    assert ask(port, f"/hand-in/{BEN}", "POST", too_large, **FORM).status == 413
    assert len(desk.kept) == 1


def test_flood_by_one_link_stops_nobody_else(port, desk):
    """One of many requests by a link is taken. The others say how long to wait."""
    statuses, together = [], Barrier(20)

    def send() -> None:
        together.wait()
        statuses.append(ask(port, f"/hand-in/{ADA}", "POST", FILE, **FORM).status)

    threads = [Thread(target=send) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [303] + [429] * 19
    assert "Wait " in ask(port, f"/hand-in/{ADA}", "POST", FILE, **FORM).text
    assert ask(port, f"/hand-in/{BEN}", "POST", FILE, **FORM).status == 303
    assert [bot for bot, *_ in desk.kept] == ["ada", "ben"]


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"", "multipart/form-data; boundary=--c4"),
        (FILE[:-4], "multipart/form-data; boundary=--c4"),
        (FILE, "multipart/form-data; boundary=other"),
        (FILE, "multipart/form-data"),
        (FILE, "application/x-www-form-urlencoded"),
        (form(("", b"")), "multipart/form-data; boundary=--c4"),
        (form(again="-1"), "multipart/form-data; boundary=--c4"),
        (form(*[("a.py", b"")] * 102), "multipart/form-data; boundary=--c4"),
        (form(("a" * 256, b"")), "multipart/form-data; boundary=--c4"),
    ],
)
def test_form_that_is_no_hand_in_costs_no_turn(port, desk, body, kind):
    """The page says what is wrong, and the student can hand in at once."""
    answer = ask(port, f"/hand-in/{ADA}", "POST", body, **FORM | {"Content_Type": kind})
    assert (answer.status, "Nothing was taken." in answer.text) == (400, True)
    assert ask(port, f"/hand-in/{ADA}", "POST", FILE, **FORM).status == 303
    assert len(desk.kept) == 1


def test_names_have_no_folders(port, desk):
    """A name is that of a file, whatever a program sends."""
    files = [("../../a.py", b"1"), ("C:\\fake\\b.py", b"2"), ("é \u202e.py", b"3")]
    ask(port, f"/hand-in/{ADA}", "POST", form(*files), **FORM)
    assert [file.name for file in desk.kept[0][1]] == ["a.py", "b.py", "é \u202e.py"]


def test_broken_upload_costs_no_turn(port, desk):
    """If a part of it has arrived and the connection ends, the student can hand in at once."""
    connection = HTTPConnection("127.0.0.1", port)
    connection.putrequest("POST", f"/hand-in/{ADA}")
    for name, value in (FORM | {"Content_Length": "9999"}).items():
        connection.putheader(name.replace("_", "-"), value)
    connection.endheaders(b"----c4")
    assert wait_for(lambda: ask(port, f"/hand-in/{ADA}", "POST", FILE, **FORM).status == 429)
    connection.close()
    assert wait_for(lambda: ask(port, f"/hand-in/{ADA}", "POST", FILE, **FORM).status == 303)
    assert len(desk.kept) == 1


def test_full_disk_is_no_acknowledgement(port, desk):
    """The page says so, and the student can hand in again at once."""
    desk.is_full = True
    assert ask(port, f"/hand-in/{ADA}", "POST", FILE, **FORM).status == 503
    desk.is_full = False
    assert ask(port, f"/hand-in/{ADA}", "POST", FILE, **FORM).status == 303


def test_connection_without_encryption_is_refused(port, desk, monkeypatch):
    """A proxy on this machine says how it was reached. Nobody else may be without encryption."""
    for method in ("GET", "POST"):
        plain = ask(port, f"/hand-in/{ADA}", method, FILE, X_Forwarded_Proto="http", **FORM)
        assert (plain.status, "https" in plain.text) == (403, True)
    assert not desk.kept
    assert ask(port, f"/hand-in/{ADA}", X_Forwarded_For="192.0.2.1").status == 403
    assert ask(port, f"/hand-in/{ADA}", X_Forwarded_Proto="https, http").status == 403
    assert ask(port, f"/hand-in/{ADA}", X_Forwarded_Proto="https").status == 200
    monkeypatch.setattr(hand_in, "ip_address", lambda _: ip_address("192.0.2.1"))
    assert ask(port, f"/hand-in/{ADA}", X_Forwarded_Proto="https").status == 403
