"""Requests that a server refuses, with the status that each of them gets."""

import contextlib
import re
import socket
import time
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from c4_referee.serve import guard, log
from c4_referee.serve.log import Log
from c4_referee.serve.store import ShownClass, Store
from served import ask, served
from starlette.responses import PlainTextResponse
from starlette.routing import Route

pytestmark = pytest.mark.linux
TOKEN = "a token"
SAME = "same-origin"


async def play(request) -> PlainTextResponse:
    """Return what was sent, as the games of visitors would read it."""
    return PlainTextResponse(await request.body())


def fail(_) -> None:
    """Fail as a mistake in a program does."""
    raise RuntimeError("a mistake\nin two lines")


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """Serve no contests, with a token."""
    routes = [
        Route("/play/games", play, methods=["POST"]),
        Route("/play/", lambda _: PlainTextResponse("play"), methods=["GET"]),
        Route("/fail", fail),
    ]
    with served(Store(list), token=TOKEN, more=routes) as port:
        yield port


def cookie(port: int) -> str:
    """Open the link with the token, and return the cookie."""
    answer = ask(port, "/play/?token=a%20token")
    assert (answer.status, answer.headers["location"]) == (303, "/play/")
    text = answer.headers["set-cookie"]
    assert {"HttpOnly", "Path=/play/", "SameSite=strict"} <= {*text.split("; ")}
    return text.partition(";")[0]


def raw(port: int, data: bytes) -> bytes:
    """Send bytes, and return all that is answered until the connection ends."""
    with socket.create_connection(("127.0.0.1", port), timeout=300) as connection:
        with contextlib.suppress(ConnectionError):
            connection.sendall(data)
        answer = b""
        with contextlib.suppress(ConnectionError):
            while part := connection.recv(65536):
                answer += part
        return answer


@pytest.mark.parametrize(
    "host", ["evil.example:{}", "127.0.0.1", "localhost:1", "", "127.0.0.2:{}"]
)
def test_other_hosts_are_refused(port, host):
    """A name that is not this server's is refused, so that no other page can use it."""
    assert ask(port, "/", Host=host.format(port)).status == 421


@pytest.mark.parametrize("host", ["localhost:{}", "127.0.0.1:{}", "HERE:{}", "[::1]:{}"])
def test_own_names_are_answered(port, host):
    """The server has several names."""
    answer = ask(port, "/", Host=host.format(port))
    assert (answer.status, answer.headers["x-content-type-options"]) == (200, "nosniff")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "http://127.0.0.1:{}"}, 200),
        ({"Sec_Fetch_Site": SAME, "Origin": "https://proxy.example"}, 200),
        ({"Sec_Fetch_Site": "cross-site", "Origin": "http://127.0.0.1:{}"}, 403),
        ({"Sec_Fetch_Site": "same-site"}, 403),
        ({"Origin": "http://evil.example:{}"}, 403),
        ({"Origin": "null"}, 403),
        ({}, 403),
    ],
)
def test_only_own_pages_change_something(port, headers, status):
    """A request that changes something has to come from a page of this server."""
    own = {name: value.format(port) for name, value in headers.items()}
    assert ask(port, "/play/games", "POST", b"1", Cookie=cookie(port), **own).status == status


@pytest.mark.parametrize("given", ["", "c4_token=wrong", "c4_token=\xe9", "c4_token", "[]=;;"])
def test_bots_are_started_with_token_only(port, given):
    """Without the cookie, nobody starts bots. A wrong token sets none."""
    headers = {"Cookie": given, "Sec_Fetch_Site": SAME}
    assert ask(port, "/play/games", "POST", b"1", **headers).status == 403
    wrong = ask(port, "/play/?token=wrong")
    assert (wrong.status, "set-cookie" in wrong.headers) == (403, False)
    assert ask(port, "/play/").status == 200


def test_large_bodies_are_refused(port):
    """A body of more than 4 kB gets 413, and one whose length is not said gets 411."""
    own = {"Cookie": cookie(port), "Sec_Fetch_Site": SAME}
    assert ask(port, "/play/games", "POST", b"x" * 4096, **own).status == 200
    assert ask(port, "/play/games", "POST", b"x" * 4097, **own).status == 413
    head = f"POST /play/games HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {own['Cookie']}\r\n"
    head += f"Sec-Fetch-Site: {SAME}\r\n"
    assert b" 411 " in raw(port, f"{head}Transfer-Encoding: chunked\r\n\r\n1\r\nx".encode())
    assert b" 413 " in raw(port, f"{head}Content-Length: 99999999999999\r\n\r\n".encode())
    assert b" 400 " in raw(port, f"{head}Content-Length: 1\r\nContent-Length: 2\r\n\r\n".encode())
    both = "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    assert b" 411 " in raw(port, f"{head}{both}".encode())


@pytest.mark.parametrize(
    "data",
    [
        *(b"\0\1\2\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n", b"GET http://a b HTTP/1.1\r\n\r\n"),
        b"GET /" + b"a" * 1_000_000 + b" HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 100_000,
    ],
)
def test_bytes_that_are_no_request_are_refused(port, data):
    """Arbitrary bytes get 400, or the connection ends."""
    answer = raw(port, data)
    assert not answer or b" 400 " in answer


@pytest.mark.parametrize(
    ("padding", "status"),
    [
        ("b: {}".format("x" * 16_000), 200),
        ("b: {}".format("x" * 16_400), 400),
        ("b: {}x".format(" " * 16_400), 400),
        ("b: c\r\n" * 3_000 + "b: c", 400),
    ],
)
@pytest.mark.parametrize("requests_before", [0, 1])
def test_large_heads_are_refused(port, requests_before, padding, status):
    """A head of more than 16 kB gets 400, also if it arrives at once or behind another request."""
    head = f"GET /play/ HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
    small, large = f"{head}\r\n" * requests_before, f"{head}{padding}\r\nConnection: close\r\n\r\n"
    answers = re.findall(rb"HTTP/1.1 (\d+) ", raw(port, f"{small}{large}".encode()))
    assert [*map(int, answers)] == [200] * requests_before + [status]


def test_other_methods_are_refused(port):
    """Only methods that some page has are answered."""
    for method in ("PUT", "DELETE", "TRACE", "OPTIONS", "CONNECT", "X"):
        assert ask(port, "/", method, Sec_Fetch_Site=SAME).status == 405
    assert ask(port, "/", "POST", Sec_Fetch_Site=SAME).status == 405


def test_failure_is_one_line(port, capfd, monkeypatch):
    """A mistake in the server gets 500 and one line, and the server goes on."""
    monkeypatch.setattr(log, "MAX_LINES_PER_SECOND", 1000)
    answer = ask(port, "/fail")
    assert (answer.status, "mistake" in answer.text) == (500, False)
    assert ask(port, "/").status == 200
    *_, line = capfd.readouterr().err.splitlines()
    assert "a mistake\\nin two lines" in line


def test_slow_requests_end(port, monkeypatch):
    """Half a request, or half a body, ends after a time, and so does an idle connection."""
    monkeypatch.setattr(guard, "REQUEST_SECONDS", 0.1)
    head = f"POST /play/games HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 9\r\n"
    for data in (b"", b"GET / HT", head.encode(), f"{head}\r\nhalf".encode()):
        assert b" 200 " not in raw(port, data)


@pytest.mark.weekly
def test_visitor_who_does_not_read_is_let_go(tmp_path, monkeypatch):
    """A large answer that nobody reads ends after a time. Otherwise it is sent as a whole."""
    monkeypatch.setattr(guard, "REQUEST_SECONDS", 0.3)
    size = 30_000_000
    (tmp_path / "large").write_bytes(bytes(size))
    with served(Store(list, [ShownClass("class", tmp_path, lambda: None)])) as port:
        for wait, is_whole in ((0.0, True), (2.0, False)):
            with socket.create_connection(("127.0.0.1", port), timeout=300) as connection:
                head = f"GET /class/class/large HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
                connection.sendall(f"{head}Connection: close\r\n\r\n".encode())
                time.sleep(wait)
                got = 0
                with contextlib.suppress(ConnectionError):
                    while part := connection.recv(1 << 20):
                        got += len(part)
            assert (got > size) == is_whole


def test_log_is_bounded(monkeypatch, capsys):
    """Lines are harmless and short, and a flood of them is only counted."""
    write, now = Log(), [5.0]
    monkeypatch.setattr(log, "time", SimpleNamespace(monotonic=lambda: now[0]))
    for _ in range(30):
        write("\x1b[2J\n" + "x" * 1000)
    now[0] += 1
    write("later")
    lines = capsys.readouterr().err.splitlines()
    assert lines[-2:] == ["c4-referee: 20 more lines", "c4-referee: later"]
    assert len(lines) == 12
    assert max(map(len, lines)) < 200
