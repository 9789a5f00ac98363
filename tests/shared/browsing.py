"""A reader of pages for tests: opens them in a browser and collects what is wrong with them."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import pytest
from c4_bot.web import INDEX, PAGE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request

AXE = Path(__file__).parents[1] / "browser" / "node_modules" / "axe-core" / "axe.min.js"
"""The script that checks accessibility: ``npm ci --prefix tests/browser`` installs it."""

NAMES = ("chromium", "chromium-browser", "google-chrome")
"""Names of the browser on different systems."""

OPTIONS = (
    "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--disable-quic",
)  # fmt: skip
"""Options that keep the browser from the network, and from what a container lacks.

Its sandbox does not work for root. The pages are our own, so it is not needed.
"""

BOARD = PAGE / INDEX
"""The board to play on."""

DESKTOP = {"width": 1280, "height": 900}
PHONE = {"width": 360, "height": 740}

Window = dict[str, int]


def go_without(what: str) -> NoReturn:
    """Skip a test because something is not installed, or fail if ``ARENA_BROWSER`` requires it."""
    if os.environ.get("ARENA_BROWSER") == "required":
        pytest.fail(f"{what}, and ARENA_BROWSER=required")
    pytest.skip(what)


@contextmanager
def started_browser() -> Iterator["Browser"]:
    """Start the browser of this system without a window. Its first context has a blank page."""
    executable = next(filter(None, map(shutil.which, NAMES)), None)
    if executable is None:
        go_without("Chromium is not installed")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        go_without("Playwright is not installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=executable, args=OPTIONS, timeout=300_000
        )
        browser.new_context(reduced_motion="reduce").new_page()
        yield browser
        browser.close()


def wait_for_animations(page: "Page") -> None:
    """Wait until nothing on a page changes its colour or place any more."""
    page.wait_for_function("document.getAnimations().every((one) => one.playState !== 'running')")


class Reader:
    """Someone who opens pages in windows of one browser. ``complaints`` are what went wrong.

    ``server`` is the beginning of the addresses that may be asked for. The first window without
    settings of its own is in the first context of the browser, because a new context takes longer
    than most pages. Nothing is stored there when a reader begins.
    """

    def __init__(self, browser: "Browser") -> None:
        self.complaints: list[str] = []
        self.server = "file:"
        self._browser = browser
        self._contexts: list[BrowserContext] = []
        self._shared: BrowserContext | None = None
        self._hears = {
            "console": self._hear,
            "weberror": lambda error: self.complaints.append(f"script: {error.error}"),
            "request": self._see_request,
            "requestfailed": self._see_failure,
        }

    def open(
        self, address: Path | str, window: Window = DESKTOP, *, dark: bool = False, **settings: Any
    ) -> "Page":
        """Open a file or an address in a new window, in light or dark colours.

        ``settings`` are those of a browser context of Playwright.
        """
        scheme = "dark" if dark else "light"
        if self._shared or settings:
            usual = {"viewport": window, "color_scheme": scheme, "reduced_motion": "reduce"}
            context = self._browser.new_context(**usual | settings)
            self._contexts.append(context)
        else:
            context = self._shared = self._browser.contexts[0]
        context.set_default_timeout(300_000)
        for event, hear in self._hears.items():
            context.on(event, hear)
        page = context.new_page()
        if context is self._shared:
            page.set_viewport_size(window)
            page.emulate_media(color_scheme=scheme)
        page.goto(address.as_uri() if isinstance(address, Path) else address)
        return page

    def close(self) -> None:
        """Close all windows."""
        while self._contexts:
            self._contexts.pop().close()
        if self._shared:
            first, *others = self._shared.pages
            for page in others:
                page.close()
            for event, hear in self._hears.items():
                self._shared.remove_listener(event, hear)
            self._shared.set_offline(False)
            session = self._shared.new_cdp_session(first)
            for origin in {"file://", self.server.replace("file:", "file://")}:
                where = {"origin": origin, "storageTypes": "all"}
                session.send("Storage.clearDataForOrigin", where)
            session.detach()
            self._shared = None

    def _hear(self, message: "ConsoleMessage") -> None:
        if message.type in {"error", "warning", "assert"}:
            self.complaints.append(f"console: {message.text}")

    def _see_request(self, request: "Request") -> None:
        if not request.url.startswith((self.server, "file:", "data:", "blob:", "about:")):
            self.complaints.append(f"request: {request.url}")

    def _see_failure(self, request: "Request") -> None:
        if request.failure != "net::ERR_ABORTED":  # as if the page is left before it has its icon
            self.complaints.append(f"no {request.url}: {request.failure}")


def findings(page: "Page", *rules: str) -> list[str]:
    """Return the serious and critical findings of axe-core about a page, or only of some rules."""
    if not AXE.exists():
        go_without("axe-core is not installed: run npm ci --prefix tests/browser")
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    some = {"runOnly": rules} if rules else {}
    options = {"resultTypes": ["violations"], "preload": False, "iframes": False, **some}
    found = page.evaluate("(options) => axe.run(document, options)", options)
    return [
        f"{rule['impact']}: {rule['help']}: {node['html'][:200]} {node['failureSummary']}"
        for rule in found["violations"]
        if rule["impact"] in {"serious", "critical"}
        for node in rule["nodes"]
    ]


def stones(page: "Page") -> int:
    """Return the number of stones on a board."""
    return page.locator("svg.bo :is(.b1, .b2)").count()


def scrolls_sideways(page: "Page") -> bool:
    """Return whether a page is wider than its window."""
    return bool(page.evaluate("document.documentElement.scrollWidth > innerWidth"))
