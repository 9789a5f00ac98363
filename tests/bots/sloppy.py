"""Kinds of ``misbehaving.py`` that play a normal game, and whose mistakes only the check finds."""

import json
import os
import select
import sys
import time

from misbehaving import good, leftmost, play, precepts, say, stones


def unflushed():
    """Leaves its answers in a buffer."""
    for precept in precepts():
        sys.stdout.write(json.dumps({"move": leftmost(precept)}) + "\n")


def blank_line():
    """Writes an empty line after every answer."""
    for precept in precepts():
        play(precept)
        say("")


def byte_order_mark():
    """Begins with a byte order mark, as some editors do."""
    os.write(1, b"\xef\xbb\xbf")
    good()


def key_twice():
    """Writes its move twice in an answer."""
    for precept in precepts():
        move = f'"move": {leftmost(precept)}'
        say(f"{{{move}, {move}}}")


def prompts():
    """Asks for each line with a text."""
    while True:
        play(json.loads(input("Your move? ")))


def reads_a_number():
    """Asks a person for the other player's column."""
    int(input("Which column? "))


def out_of_memory():
    """Ends as a program without memory does."""
    input()
    raise MemoryError


def no_arguments():
    """Accepts no arguments except its kind."""
    if len(sys.argv) > 2:
        sys.exit("usage: misbehaving.py KIND")
    good()


def number_argument():
    """Reads its first argument as a number."""
    if len(sys.argv) > 2:
        int(sys.argv[2])
    good()


def never_the_edge():
    """Never plays in the last column."""
    for precept in precepts():
        free = [x for x, column in enumerate(precept["grid"][:-1]) if column[0] == 0]
        say(json.dumps({"move": free[0]}))


def flag_believer():
    """Wins for the player that its command line names, even if the other player is to move."""
    flags = sys.argv[2:]
    for precept in precepts():
        if "--player" in flags:
            precept["player"] = int(flags[flags.index("--player") + 1])
        say(json.dumps({"move": winning_column(precept)}))


def winning_column(precept):
    """Return a column in which the player wins, otherwise the leftmost free column."""
    grid, player = precept["grid"], precept["player"]
    for x, column in enumerate(grid):
        if 0 in column:
            y = len(column) - 1 - column[::-1].index(0)
            if any(line(grid, player, x, y, dx, dy) > 3 for dx, dy in STEPS):
                return x
    return leftmost(precept)


STEPS = ((1, 0), (0, 1), (1, 1), (1, -1))


def line(grid, player, x, y, dx, dy):
    """Return the length of the line that a stone on a cell makes in one direction."""
    return 1 + sum(run(grid, player, x, y, sign * dx, sign * dy) for sign in (1, -1))


def run(grid, player, x, y, dx, dy):
    """Return the number of the player's stones that follow each other beside a cell."""
    count = 0
    while True:
        x, y = x + dx, y + dy
        if not (0 <= x < len(grid) and 0 <= y < len(grid[0]) and grid[x][y] == player):
            return count
        count += 1


def compact_only():
    """Accepts only lines that are written like those of the course's driver."""
    for line in sys.stdin:
        if not line.startswith('{"grid":[[') or " " in line:
            sys.exit(f"cannot read {line}")
        play(json.loads(line))


def every_key():
    """Reads its player from the precept, and fails if the precept names none."""
    for precept in precepts():
        if precept["player"]:
            play(precept)


def line_feeds_only():
    """Fails if a line ends with CR LF."""
    for line in sys.stdin.buffer:
        if line.endswith(b"\r\n"):
            sys.exit("a strange character")
        play(json.loads(line))


def half_reader():
    """Mistakes the bytes that are in the pipe for one line."""
    while data := os.read(0, 65536):
        play(json.loads(data))


def impatient():
    """Writes a question if the next line does not come at once."""
    for precept in precepts():
        play(precept)
        if not select.select([0], [], [], 0.1)[0]:
            say("your turn")


def counts_stones():
    """Counts the stones to find who moves, and assumes that player 1 opened the game."""
    for precept in precepts():
        down = stones(precept)
        if precept["player"] != 1 + (down.count(1) > down.count(2)):
            sys.exit("whose turn is it?")
        play(precept)


def player_1_opens():
    """Fails in a game that player 2 opened."""
    for precept in precepts():
        if stones(precept).count(2) > stones(precept).count(1):
            sys.exit("who has cheated?")
        play(precept)


def player_1_only():
    """Fails if it is player 2."""
    for precept in precepts():
        if precept["player"] != 1:
            sys.exit("not my turn")
        play(precept)


def seven_columns():
    """Keeps its own board, which is 7 columns wide."""
    board = [0] * 7
    for precept in precepts():
        for x, column in enumerate(precept["grid"]):
            board[x] = column[0]
        play(precept)


def opens_in_the_centre():
    """Answers its first line without reading it."""
    for number, precept in enumerate(precepts()):
        if number == 0:
            say('{"move":3}')
        else:
            play(precept)


def remembers():
    """Remembers the number of stones, and fails if a later board has fewer."""
    down = 0
    for precept in precepts():
        if len(stones(precept)) < down:
            sys.exit("somebody has taken a stone")
        down = len(stones(precept))
        play(precept)


def slow_later():
    """Thinks longer when there are more stones."""
    for precept in precepts():
        time.sleep(len(stones(precept)) * 0.03)
        play(precept)


def ignores_exit():
    """Reads only precepts, and ignores other lines."""
    for line in sys.stdin:
        if line.startswith("{"):
            play(json.loads(line))
