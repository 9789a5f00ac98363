// Counts positions: the twin of c4_protocol/perft.py.
#pragma once

#include <cstdint>

#include "bits.hpp"
#include "board.hpp"

namespace c4 {

/// The nodes of the tree of a position that its mover may go on from, to a depth of 1 or more.
template <class Board, Bits B>
std::uint64_t perft_of_open(const Board& board, const Position<B>& position, int depth) {
    B playable = board.playable(position.occupied());
    std::uint64_t nodes = 1 + popcount(playable);  // every child is a node, however it goes on
    if (depth == 1) return nodes;
    playable &= ~board.winning_cells(position);  // won at once, with no children
    while (playable) {
        nodes += perft_of_open(board, position.play(take_lowest(playable)), depth - 1) - 1;
    }
    return nodes;
}

/// The nodes of the tree of all games from a position, itself included, to so many plies.
template <class Board, Bits B>
std::uint64_t perft(const Board& board, const Position<B>& position, int depth) {
    if (depth <= 0 || board.has_line(position.other)) return 1;
    return perft_of_open(board, position, depth);
}

}  // namespace c4
