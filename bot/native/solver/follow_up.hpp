// What a player can hold by answering every move on top of it (Allis 1988: claimeven, zugzwang).
//
// On boards of even height the player who is not to move can always answer on top, column by
// column, and so has every second cell from some height on. Two more things make the strategies
// here complete:
//
// - Columns with an odd number of free cells come in pairs. When the other player takes the next
//   cell of one, we take that of another; from then on these columns are even as well.
// - A cell that completes our line, reached while we follow up, ends the game: the other player
//   never gets what is above it, and has to play below it when all else is full.
//
// If the other player could not complete a line even with all cells that this leaves open to him,
// he cannot win; where one of ours waits, he loses.
#pragma once

#include <algorithm>

#include "node.hpp"
#include "score.hpp"

namespace c4 {

template <class Board>
class FollowUp {
  public:
    using B = typename Board::B;

    explicit constexpr FollowUp(const Board& board) : board_(board) {}

    /// The most that the player to move can score against these strategies, or `worst` if they
    /// promise nothing.
    int most(const Node<B>& node, int worst) const {
        if (board_.variant.height % 2) return worst;
        return std::min(worst, node.ply % 2 ? against_odd_threat(node, worst)
                                            : against_even_cells(node, worst));
    }

  private:
    /// The first player is to move: the second one gets the even cells that are not playable yet.
    int against_even_cells(const Node<B>& node, int worst) const {
        const B free = board_.all & ~node.occupied();
        const B sure = free & board_.even & ~board_.playable(node.occupied());
        const B traps = node.threats & sure;
        if (board_.has_line(node.own | (free & ~sure & ~above(traps)))) return worst;
        return traps ? -worth(board_.variant, last_ply(traps)) : 0;
    }

    /// The second player is to move: the first one waits for a cell that the second one will have
    /// to play below, and follows up elsewhere.
    int against_odd_threat(const Node<B>& node, int worst) const {
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
        return worst;
    }

    /// Whether the second player might have a line when the first one gets the trap, the odd cells
    /// below it, and the even ones of the other columns that are not playable yet.
    bool wins_without(const Node<B>& node, B column, B trap, B playable) const {
        const B free = board_.all & ~node.occupied();
        const B below = column & (trap - 1);
        const B sure =
            (free & board_.even & ~playable & ~column) | (free & ~board_.even & below) | trap;
        return board_.has_line(node.own | (free & ~sure & ~above(trap)));
    }

    /// The cells above any of some cells, each column by itself.
    B above(B cells) const {
        const B tops = board_.bottom << board_.variant.height;
        return ((((tops - cells) | cells) & board_.all) << 1) & board_.all;
    }

    /// When the lowest of these cells is taken, if all the other columns fill up first.
    int last_ply(B traps) const {
        int row = 0;
        while (!(traps & (board_.bottom << row))) ++row;
        return board_.variant.cells() - (board_.variant.height - row - 1);
    }

    const Board& board_;
};

}  // namespace c4
