// Counts positions: the twin of c4_protocol/rules/perft.py.
#pragma once

#include <cstdint>

#include "bits.hpp"
#include "board.hpp"
#include "contract.hpp"

namespace c4 {

/// Returns the number of nodes of the tree of a game that is not won, to a depth of 1 or more.
template <class Board, Bits B>
std::uint64_t perft_of_open(const Board& board, const Position<B>& position, int depth) {
    B playable = board.playable(position.occupied());
    std::uint64_t nodes = 1 + popcount(playable);  // every child is a node
    if (depth == 1) return nodes;
    playable &= ~board.winning_cells(position);  // these children win, and have no children
    while (playable) {
        nodes += perft_of_open(board, position.play(take_lowest(playable)), depth - 1) - 1;
    }
    return nodes;
}

/// Does the same within a budget, which counts only nodes with more than four plies left: all
/// others take too little time.
template <class Board, Bits B>
std::uint64_t perft_of_open(const Board& board, const Position<B>& position, int depth,
                            Budget& budget) {
    if (depth <= 3) return perft_of_open(board, position, depth);
    budget.visit();
    B playable = board.playable(position.occupied());
    const B wins = board.winning_cells(position);
    std::uint64_t nodes = 1 + popcount(wins);
    for (playable &= ~wins; playable;) {
        nodes += perft_of_open(board, position.play(take_lowest(playable)), depth - 1, budget);
    }
    return nodes;
}

/// Returns the number of nodes of the tree of all games from a position to `depth` plies, with the
/// position itself.
template <class Board, Bits B>
std::uint64_t perft(const Board& board, const Position<B>& position, int depth, Budget& budget) {
    if (depth <= 0 || board.has_line(position.other)) return 1;
    return perft_of_open(board, position, depth, budget);
}

/// Does the same for a position in which the steal may be the next move or the move after it: the
/// board is empty, or the opponent has the only stone. After the steal, the player to move again has
/// no stone and the opponent has this one, so the position after the steal has the same bits.
template <class Board, Bits B>
std::uint64_t perft_with_steal(const Board& board, const Position<B>& position, int depth,
                               Budget& budget) {
    if (depth <= 0) return 1;
    const B playable = board.playable(position.occupied());
    if (position.other) {
        const std::uint64_t placed = perft(board, position, depth, budget);
        return playable ? placed + perft(board, position, depth - 1, budget) : placed;
    }
    std::uint64_t nodes = 1;
    for (B left = playable; left;) {
        nodes += perft_with_steal(board, position.play(take_lowest(left)), depth - 1, budget);
    }
    return nodes;
}

}  // namespace c4
