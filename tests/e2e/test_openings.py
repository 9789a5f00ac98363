"""``c4-referee match --openings``: games that begin with given moves."""

import json

from bots import LIGHT


def test_openings_are_played_with_both_colours(c4_referee, tmp_path):
    """Each opening begins two games with exchanged colours, and bots move after it."""
    path = tmp_path / "openings.txt"
    path.write_text("4453\n1234\n")
    events = tmp_path / "events.jsonl"
    done = c4_referee(
        "match", LIGHT, "c4-bot --plays needed --depth 2",
        "--games", "4", "--openings", str(path), "--json", "--events", str(events),
    )  # fmt: skip
    assert json.loads(done.stdout)["games"] == 4
    records = [json.loads(line) for line in events.read_text().splitlines()]
    ended = [record for record in records if record["event"] == "game_ended"]
    found = sorted((game["opening"], game["first"]) for game in ended)
    assert [opening for opening, _ in found] == ["1234", "1234", "4453", "4453"]
    assert len(set(found)) == 4
    for game in ended:
        assert game["moves"].startswith(game["opening"])
        assert len(game["ms"]) == len(game["moves"]) - 4


def test_balanced_openings_are_draws(c4_referee, c4_solve, tmp_path):
    """The solver finds that all openings of --openings balanced:N are draws."""
    done = c4_referee("match", LIGHT, LIGHT, "--games", "8", "--openings", "balanced:5",
                      "--no-accuracy", "--events", "-")  # fmt: skip
    events = [json.loads(line) for line in done.stdout.splitlines()]
    found = {event["opening"] for event in events if event["event"] == "game_ended"}
    assert len(found) == 4
    solved = c4_solve(stdin="".join(f"{moves}\n" for moves in found).encode()).stdout
    assert [line.split()[1] for line in solved.splitlines()] == [b"0"] * 4
