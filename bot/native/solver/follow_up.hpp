// Bounds from a player who answers every move on top of it (Allis 1988: claimeven, zugzwang).
//
// On boards of even height the player who is not to move, the follower, can always answer on top,
// column by column, and so gets every second cell from some height on. Two rules complete the
// strategies here:
//
// - Columns with an odd number of free cells come in pairs. When the opponent takes the next cell
//   of one, the follower takes the next cell of another; from then on both columns are even.
// - The game ends when the follower reaches a cell that completes a line. So the opponent never
//   gets a cell above it, and has to play below it when all other columns are full.
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
        if (board_.variant.height % 2) return bound;
        return std::min(bound, node.ply % 2 ? against_odd_threat(node, bound)
                                            : against_even_cells(node, bound));
    }

  private:
    /// The first player is to move; the second player gets the even cells that are not playable
    /// yet.
    int against_even_cells(const Node<B>& node, int bound) const {
        const B free = board_.all & ~node.occupied();
        const B sure = free & board_.even & ~board_.playable(node.occupied());
        const B traps = node.threats & sure;
        if (board_.has_line(node.own | (free & ~sure & ~above(traps)))) return bound;
        return traps ? -worth(board_.variant, last_ply(traps)) : 0;
    }

    /// The second player is to move; the first player waits for a cell that the second player has
    /// to play below in the end, and follows up elsewhere.
    int against_odd_threat(const Node<B>& node, int bound) const {
        const B playable = board_.playable(node.occupied());
        for (B traps = node.threats & ~board_.even & ~playable; traps;) {
            const B trap = traps & -traps;
            const B column = board_.column_of(trap);
            traps &= ~column;
            if (!(playable & board_.even & column)) continue;
            if (!wins_without(node, column, trap, playable)) {
                return -worth(board_.variant, last_ply(trap));
            }
        }
        return bound;
    }

    /// Returns whether the second player might complete a line if the first player gets the trap,
    /// the odd cells below it, and the even cells of the other columns that are not playable yet.
    bool wins_without(const Node<B>& node, B column, B trap, B playable) const {
        const B free = board_.all & ~node.occupied();
        const B below = column & (trap - 1);
        const B sure =
            (free & board_.even & ~playable & ~column) | (free & ~board_.even & below) | trap;
        return board_.has_line(node.own | (free & ~sure & ~above(trap)));
    }

    /// Returns the cells above any of some cells, in each column.
    B above(B cells) const {
        const B tops = board_.bottom << board_.variant.height;
        return ((((tops - cells) | cells) & board_.all) << 1) & board_.all;
    }

    /// Returns the ply at which the lowest trap is taken if all the other columns fill up first.
    int last_ply(B traps) const {
        int row = 0;
        while (!(traps & (board_.bottom << row))) ++row;
        return board_.variant.cells() - (board_.variant.height - row - 1);
    }

    const Board& board_;
};

}  // namespace c4
