// A position with the threats of both players, for searches that look at threats at every node.
#pragma once

#include "board.hpp"

namespace c4 {

/// A position with the empty cells, playable or not, that complete a line of the player to move
/// (`wins`) and of the opponent (`threats`). A move changes only one of the two, so a child takes
/// over the other from its parent.
template <Bits B>
struct Node : Position<B> {
    B wins, threats;
    int ply;
};

template <class Board, class B = typename Board::B>
B empty_completing(const Board& board, B stones, B occupied) {
    return board.completing_cells(stones) & ~occupied;
}

template <class Board, class B = typename Board::B>
Node<B> node_of(const Board& board, const Position<B>& position) {
    const B occupied = position.occupied();
    return {position, empty_completing(board, position.own, occupied),
            empty_completing(board, position.other, occupied), position.ply()};
}

/// Returns the node after a move. `completing` are the cells, taken or not, that then complete a
/// line of the player who made the move.
template <Bits B>
[[gnu::always_inline]] inline Node<B> play(const Node<B>& node, B stone, B completing) {
    const B own = node.own | stone;
    return {
        {node.other, own}, node.threats & ~stone, completing & ~(node.other | own), node.ply + 1};
}

/// Always inlined: the compiler's own choice differs from build to build, by a tenth of the time.
template <class Board, class B = typename Board::B>
[[gnu::always_inline]] inline Node<B> play(const Board& board, const Node<B>& node, B stone) {
    return play(node, stone, board.completing_cells(node.own | stone));
}

}  // namespace c4
