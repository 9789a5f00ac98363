"""Charts of pages that a link saves: complete SVG files with their own colours."""

import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from html import unescape
from pathlib import Path
from urllib.parse import unquote

from c4_referee.classroom.pages.class_site import class_pages
from c4_referee.classroom.runs import Run
from c4_referee.report.site.environment import data_address, file_name
from c4_referee.report.site.pages import site_pages
from c4_referee.tuning.arena import Arena
from c4_referee.tuning.evolution import RunSettings, StoppingRule
from c4_referee.tuning.report_page import render_experiment, render_run
from c4_referee.tuning.run_folder import play_run
from contests import HOSTILE, random_contest
from pydantic import TypeAdapter

CLASS = Path(__file__).parents[3] / "golden" / "class" / "runs.json"
SETTINGS = RunSettings(depth=1, population=6, elite=2)
LINK = re.compile(r'<a download="([^"]*)" href="data:image/svg\+xml,([^"]*)"')


def pictures(page):
    """Return the saved pictures of a page by the names of their files, as trees of XML."""
    return {name: ET.fromstring(unquote(unescape(svg))) for name, svg in LINK.findall(page)}


def texts(picture):
    """Return the texts that a picture shows."""
    return [element.text for element in picture.iter("{http://www.w3.org/2000/svg}text")]


def test_each_chart_is_saved_as_a_complete_picture():
    """Each chart has a link to an SVG file with a size, colours, a background and no other file."""
    runs = TypeAdapter(list[Run]).validate_json(CLASS.read_bytes())
    run = play_run(SETTINGS, StoppingRule(3), Arena(SETTINGS.depth))
    charts = {
        render_run(run): 5,
        render_experiment([run, replace(run)]): 2,
        dict(class_pages("class", runs, {}))["index.html"]: 2,
        dict(site_pages([random_contest("ab", 4)], board=False))["index.html"]: 1,
    }
    for page, number in charts.items():
        saved = pictures(page)
        assert len(saved) == number
        for name, picture in saved.items():
            assert re.fullmatch(r"[\w-]+\.svg", name)
            style, paper, title = picture[:3]
            assert "var(" not in style.text
            assert "fill: #fff" in style.text
            assert (paper.get("class"), title.get("class")) == ("paper", "title")
            assert {paper.get("width"), picture.get("width")} == {picture.get("width")}
            assert b"href" not in ET.tostring(picture)


def test_any_names_are_texts_of_a_picture():
    """Names that look like markup or like a part of an address are shown as they are."""
    page = dict(site_pages([random_contest(HOSTILE, 60)], board=False))["index.html"]
    (picture,) = pictures(page).values()
    shown = [text for text in texts(picture) if text]
    assert {text.removesuffix("…") for text in shown} >= {name[:27] for name in HOSTILE[:1]}
    assert {HOSTILE[2], HOSTILE[3], HOSTILE[4], HOSTILE[5]} <= {*shown}


def test_an_address_keeps_every_sign():
    """Signs with a meaning in HTML, in addresses or in SVG come back as they were."""
    text = "<a b=\"c\" d='e'>&amp; 100% #1?\n名前</a>"
    address = data_address(text)
    assert not {*address} & {*"<>\"'&#?\n"}
    assert unquote(address.removeprefix("data:image/svg+xml,")) == text
    assert file_name("Ratios of the winners' mean weights, in %") == (
        "ratios-of-the-winners-mean-weights-in"
    )
