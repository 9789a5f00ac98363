"""Node counts, to test the rules: two programs with the same rules get the same counts."""

from c4_protocol.rules.position import Position


def perft(position: Position, depth: int) -> int:
    """Return the number of nodes in the tree of all games from a position, to ``depth`` plies.

    The position itself counts as a node. A position in which a player has won has no nodes below
    it. Published values for the empty 7x6 board at depths 1 to 8: 8, 57, 400, 2801, 19608, 137257,
    960793, 6634027 (the assignment that seed document 001_1294e05e20fb963c.txt belongs to). Values
    for 9x7 with the steal (``codingame``) at depths 1 to 5: 10, 100, 910, 8200, 73810.
    """
    if depth <= 0 or position.is_won:
        return 1
    return 1 + sum(perft(position.play(cell), depth - 1) for cell in position.moves)
