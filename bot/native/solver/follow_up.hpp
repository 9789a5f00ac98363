// Bounds from a player who answers every move on top of it (Allis 1988: claimeven, zugzwang).
//
// The player who is not to move, the follower, answers on top, column by column. In columns with an
// even number of free cells this gives him the upper cells: those with an even number of cells
// above them. Three rules complete the strategies here:
//
// - If the number of free cells is even, columns with an odd number of them come in pairs. When the
//   opponent takes the next cell of one, the follower takes the next cell of another; from then on
//   both columns are even.
// - If the number of free cells is odd, the follower needs a trap: a lower cell, not playable yet,
//   that completes a line of his. He gives up the upper cells of this column and gets the lower
//   cells up to the trap. He answers on top as soon as the next cell of this column is an upper
//   one. Until then the column is even, and some other column is odd: when the opponent takes the
//   next cell of one of the two, the follower takes the next cell of the other. The remaining odd
//   columns come in pairs.
// - The game ends when the follower reaches a cell that completes a line. So the opponent never
//   gets a cell above it, and has to play below it when all other cells are taken.
//
// If the opponent could not complete a line even with all cells that this leaves open, the opponent
// cannot win. If there is a cell that completes a line of the follower, the opponent loses.
#pragma once

#include <algorithm>

#include "../node.hpp"
#include "score.hpp"

namespace c4 {

template <class Board>
class FollowUp {
  public:
    using B = typename Board::B;

    explicit constexpr FollowUp(const Board& board) : board_(board) {}

    /// Returns an upper bound of the score of the player to move, not above the known `bound`.
    int upper_bound(const Node<B>& node, int bound) const {
        const bool is_even = (board_.variant.cells() - node.ply) % 2 == 0;
        return std::min(bound, is_even ? against_upper_cells(node, bound)
                                       : against_lower_trap(node, bound));
    }

  private:
    /// An even number of cells are free; the follower gets the upper cells that are not playable
    /// yet.
    int against_upper_cells(const Node<B>& node, int bound) const {
        const B free = board_.all & ~node.occupied();
        const B sure = free & board_.upper & ~board_.playable(node.occupied());
        const B traps = node.threats & sure;
        const B ended = from(traps);
        if (board_.has_line(node.own | (free & ~sure & ~(ended << 1)))) return bound;
        return traps ? -worth(board_.variant, last_ply(ended)) : 0;
    }

    /// An odd number of cells are free; the follower waits for a lower cell that the opponent has
    /// to play below in the end, and follows up elsewhere.
    int against_lower_trap(const Node<B>& node, int bound) const {
        const B playable = board_.playable(node.occupied());
        const B free = board_.all & ~node.occupied();
        for (B traps = node.threats & ~board_.upper & ~playable; traps;) {
            const B trap = traps & -traps;
            const B column = board_.column_of(trap);
            traps &= ~column;
            const B below = column & (trap - 1);
            const B claimed = (board_.upper & ~column) | (~board_.upper & below);
            const B sure = free & claimed & ~playable;
            const B ended = from((node.threats & sure) | trap);
            if (!board_.has_line(node.own | (free & ~sure & ~trap & ~(ended << 1)))) {
                return -worth(board_.variant, last_ply(ended));
            }
        }
        return bound;
    }

    /// Returns the cells from the lowest of some cells to the top, in each column.
    B from(B cells) const {
        const B tops = board_.bottom << board_.variant.height;
        return ((tops - cells) | cells) & board_.all;
    }

    /// Returns the ply at which the game ends if the opponent plays below the `ended` columns only
    /// when all other cells are taken.
    int last_ply(B ended) const {
        const int columns = popcount(ended & ~(ended << 1));
        return board_.variant.cells() - popcount(ended) - columns + 2;
    }

    const Board& board_;
};

}  // namespace c4
