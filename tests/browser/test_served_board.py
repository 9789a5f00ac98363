"""The board on a web server with a strict content security policy."""

from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from c4_bot.web import PAGE

POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src blob:; "
    "style-src 'self'; img-src data:"
)


class Handler(SimpleHTTPRequestHandler):
    """Sends files with the policy of ``docs/board.md``, and logs nothing."""

    def end_headers(self) -> None:
        """Add the policy."""
        self.send_header("Content-Security-Policy", POLICY)
        super().end_headers()

    def log_message(self, *_: object) -> None:
        """Write nothing."""


@pytest.fixture
def address() -> Iterator[str]:
    """Serve the page, and yield its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=PAGE)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def test_the_board_plays_from_a_server(browser, address):
    """The computer answers on two boards, and the page only asks for its own files."""
    page, seen, said = browser.new_page(), [], []
    page.set_default_timeout(300_000)
    page.on("request", lambda request: seen.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    for link, moves in (("#&level=1", 2), ("#44&board=8x7x4&level=1", 4)):
        page.goto("about:blank")
        page.goto(address + link)
        page.keyboard.press("4")
        page.wait_for_function(
            "(count) => location.hash.match(/#(\\w+)/)[1].length === count", arg=moves
        )
    own = {"", "page.css", "puzzles.js", "board.js", "engine.js", "network-8x7x4.js"}
    assert {url.removeprefix(address).split("#")[0] for url in seen if "blob:" not in url} == own
    assert said == []
