"""Speaks UCI with the variant cfour. It wins or stops a win if it can, or plays near the middle.

c4-referee match uci random --bots examples/dialects/standard.toml --games 4
"""

import sys

Board = dict[tuple[int, int], str]  # stones by file and rank, from 0; "P" is White, "p" is Black
FILES = "abcdefg"
EMPTY_CELLS = {ord(str(count)): "." * count for count in range(1, 8)}  # FEN counts empty cells
UCI = "id name example\noption name UCI_Variant type combo default cfour var cfour\nuciok"


def read_position(words: list[str]) -> tuple[Board, str]:
    """Return the board and the player to move."""
    board, player = {}, "P"
    if words[1] == "fen":
        player = "P" if words[3] == "w" else "p"
        for y, row in enumerate(reversed(words[2].partition("[")[0].split("/"))):
            cells = enumerate(row.translate(EMPTY_CELLS))
            board |= {(x, y): stone for x, stone in cells if stone != "."}
    for word in words[words.index("moves") + 1 :] if "moves" in words else []:
        board[FILES.index(word[2]), int(word[3]) - 1] = player
        player = player.swapcase()
    return board, player


def stones(board: Board, x: int, y: int, dx: int, dy: int, player: str) -> int:
    """Count the player's stones in a row, starting beside a cell."""
    x, y = x + dx, y + dy
    return 1 + stones(board, x, y, dx, dy, player) if board.get((x, y)) == player else 0


def choose(board: Board, player: str) -> tuple[int, int]:
    """Return the cell to play."""
    columns = [x for x, _ in board]
    free = [(x, columns.count(x)) for x in (3, 2, 4, 1, 5, 0, 6) if columns.count(x) < 6]
    for who in (player, player.swapcase()):
        for x, y in free:
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                if stones(board, x, y, dx, dy, who) + stones(board, x, y, -dx, -dy, who) >= 3:
                    return x, y
    return free[0]


board, player = {}, "P"
for line in sys.stdin:
    match line.split():
        case ["uci"]:
            print(UCI, flush=True)
        case ["isready"]:
            print("readyok", flush=True)
        case ["position", *_] as words:
            board, player = read_position(words)
        case ["go", *_]:
            x, y = choose(board, player)
            print(f"bestmove P@{FILES[x]}{y + 1}", flush=True)
        case ["quit"]:
            break
