"""``c4-referee match --openings``: games that begin with given moves."""

import json

from bots import LIGHT


def test_balanced_openings_are_draws(c4_referee, c4_solve, tmp_path):
    """The solver finds that all openings of --openings balanced:N are draws."""
    done = c4_referee("match", LIGHT, LIGHT, "--games", "8", "--openings", "balanced:5",
                      "--no-accuracy", "--events", "-")  # fmt: skip
    events = [json.loads(line) for line in done.stdout.splitlines()]
    found = {event["opening"] for event in events if event["event"] == "game_ended"}
    assert len(found) == 4
    solved = c4_solve(stdin="".join(f"{moves}\n" for moves in found).encode()).stdout
    assert [line.split()[1] for line in solved.splitlines()] == [b"0"] * 4
