"""Bots of a file are checked in processes of their own."""

import sys

import pytest
from c4_referee.check.whole_file import check_all


@pytest.mark.timeout(60)
def test_check_that_takes_too_long_is_ended(monkeypatch, tmp_path):
    """A bot that starts slowly for every question does not hold up the others."""
    program = tmp_path / "python"
    program.write_text("#!/bin/sh\nexec sleep 1000\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(program))
    (checked,) = check_all(["slow"], ["check"], 1, lambda _: None, seconds=0.2)
    assert checked.report is None
    assert checked.reason.startswith("its check took more than 0.2 s")
