"""A contest with 100 viewers: nobody misses a move, and the server's memory does not grow."""

import asyncio
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from commands import SCRIPTS
from served import SLOW, started
from stored import stored_games, wait_for_results

pytestmark = [pytest.mark.linux, pytest.mark.weekly]
VIEWERS = 100
GAMES = 60
"""Number of games. They last a minute or more."""


async def watch(port: int, draw: Random) -> list[tuple[int, dict]]:
    """Return all messages of a viewer with their numbers. Some lose the connection now and then."""
    messages, last = [], ""
    while not messages or messages[-1][1]["event"] != "end":
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**20)
        head = (
            f"GET /c/cup/1/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nLast-Event-ID: {last}\r\n"
        )
        writer.write(f"{head}\r\n".encode())
        patience = draw.choice([50, 200, 10**9])
        async for line in reader:
            name, _, value = line.decode().strip().partition(": ")
            last = value if name == "id" else last
            if name == "data":
                messages.append((int(last.partition("-")[2]), json.loads(value)))
                patience -= 1
            if not patience or (messages and messages[-1][1]["event"] == "end"):
                break
        writer.close()
    return messages


def memory(pid: int) -> int:
    """Return the memory of a process in kB."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


def check_viewer(messages: list[tuple[int, dict]], games: dict[int, str]) -> None:
    """Check that a viewer got each message once, and all moves of the games that began."""
    numbers = [
        number for number, message in messages if message["event"] not in {"snapshot", "end"}
    ]
    assert numbers == [*range(numbers[0], numbers[0] + len(numbers))]
    begun = {message["game"] for _, message in messages if message["event"] == "game_started"}
    moves = Counter(message["game"] for _, message in messages if message["event"] == "move")
    assert len(begun) > GAMES / 2
    ended = {each["game"]: each["moves"] for _, each in messages if each["event"] == "game_ended"}
    assert {game: ended[game] for game in begun} == {game: games[game] for game in begun}
    assert {game: moves[game] for game in begun} == {game: len(games[game]) for game in begun}


@pytest.mark.timeout(300)
def test_nobody_misses_a_move(tmp_path):
    """All viewers get the same messages, also after lost connections, and memory stays flat."""
    (tmp_path / "slow.py").write_text(SLOW, encoding="utf-8")
    slow = f"{sys.executable} -S {tmp_path / 'slow.py'}"
    out = tmp_path / "all" / "cup"
    out.parent.mkdir()
    match = ["match", slow, slow, "--games", str(GAMES), "--no-accuracy", "--concurrency", "1"]
    sizes = []

    async def watch_all(port: int, pid: int) -> list[list[tuple[int, dict]]]:
        tasks = [asyncio.create_task(watch(port, Random(seed))) for seed in range(VIEWERS)]
        while not all(task.done() for task in tasks):
            await asyncio.sleep(5)
            sizes.append(memory(pid))
        return [task.result() for task in tasks]

    with started(str(out.parent)) as (port, server):
        command = [SCRIPTS / "c4-referee", *match, "--openings", "none", "--out", out]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL):
            wait_for_results(out)
            viewers = asyncio.run(watch_all(port, server.pid))
    games = {game["game"]: game["moves"] for game in stored_games(out)}
    for messages in viewers:
        check_viewer(messages, games)
    assert max(sizes) < 1.1 * sizes[1]
