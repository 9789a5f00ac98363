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
//
// A player who is to move can make a move first and follow from then on:
//
// - If the number of free cells is odd, this move is the next cell of a column with an odd number of
//   them. It is an upper cell, so no upper cell becomes playable.
// - If the number of free cells is even, this move is the next cell of the column of the trap if it
//   is a lower one, or the next cell of another column if it is an upper one.
//
// Without a trap, a player whose opponent is to move with an odd number of free cells can still keep
// a draw. Some column has an odd number of them; call it the guarded one. The follower answers on top
// there, which gives him all its lower cells, and follows up elsewhere. When the opponent fills this
// column, the follower makes any move. It turns another column into the guarded one. So the cells
// that he gets for certain are the lower ones of the first guarded column. He answers on top in any
// column if the opponent would complete a line of that column there. This does not change which
// columns have an odd number of free cells, so the opponent never completes a line of one column. If
// every other line that is open for the opponent needs a lower cell of the guarded column, the
// opponent cannot win. If the number of free cells is even, the player to move can make a move first,
// as above. The next cell of a column with an even number of free cells makes this column the guarded
// one. The next cell of one with an odd number lets another such column be the guarded one.
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

    /// Returns an upper bound of the score of the player to move in a quiet node: the known `bound`,
    /// or a lower one that is at most `alpha`.
    int upper_bound(const Node<B>& node, int bound, int alpha) const {
        return std::min(bound, is_even(node) ? against_upper_cells(node, bound, alpha)
                                             : against_lower_cells(node, bound, alpha));
    }

    /// Returns a lower bound of this score: the known `bound`, or a higher one above `alpha`.
    int lower_bound(const Node<B>& node, int bound, int alpha) const {
        return std::max(bound, is_even(node) ? with_lower_cells(node, bound, alpha)
                                             : with_upper_cells(node, bound, alpha));
    }

  private:
    /// What a follower with a trap gets.
    struct Claim {
        B sure;   // the free cells that he gets, unless the game ends before
        B ended;  // the cells that complete a line of his, and all cells above them
    };

    bool is_even(const Node<B>& node) const { return (board_.variant.cells() - node.ply) % 2 == 0; }

    B free(const Node<B>& node) const { return board_.all & ~node.occupied(); }

    /// Returns the moves of the player to move after which the opponent does not win at once.
    B safe(const Node<B>& node) const {
        return board_.playable(node.occupied()) & ~(node.threats >> 1);
    }

    /// An even number of cells are free; the follower gets the upper cells that are not playable
    /// yet.
    int against_upper_cells(const Node<B>& node, int bound, int alpha) const {
        const Claim claim = upper_cells(node, node.threats);
        if (!claim.ended && alpha < 0) return bound;
        const int found = -worth_of(claim.ended);
        if (found > alpha || board_.has_line(left(node, node.own, claim))) return bound;
        return found;
    }

    /// An odd number of cells are free; the player to move gets the next cell of a column with an
    /// odd number of them, and then the same upper cells.
    int with_upper_cells(const Node<B>& node, int bound, int alpha) const {
        const Claim claim = upper_cells(node, node.wins);
        if (!claim.ended && alpha >= 0) return bound;
        const int found = worth_of(claim.ended);
        if (found <= alpha) return bound;
        const B open = left(node, node.other, claim);
        return stopped_by(safe(node) & board_.upper, open) ? found : bound;
    }

    /// An odd number of cells are free; the follower guards a column, or has a trap.
    int against_lower_cells(const Node<B>& node, int bound, int alpha) const {
        if (alpha >= 0) {
            const B columns = board_.playable(node.occupied()) & board_.upper;
            if (guards_one(columns, node.own | free(node))) return 0;
        }
        return against_lower_trap(node, bound, alpha);
    }

    /// An even number of cells are free; the player to move makes a move and does the same.
    int with_lower_cells(const Node<B>& node, int bound, int alpha) const {
        if (alpha < 0) {
            const B moves = safe(node);
            B columns = moves & ~board_.upper;
            if (several(moves & board_.upper)) columns |= moves & board_.upper;
            if (guards_one(columns, node.other | free(node))) return 0;
        }
        return with_lower_trap(node, bound, alpha);
    }

    /// An odd number of cells are free; the follower waits for a lower cell that the opponent has
    /// to play below in the end, and follows up elsewhere.
    int against_lower_trap(const Node<B>& node, int bound, int alpha) const {
        for (B traps = lower_traps(node, node.threats); traps;) {
            const B trap = next_trap(traps);
            const Claim claim = lower_cells(node, node.threats, trap);
            const int found = -worth_of(claim.ended);
            if (found <= alpha && !board_.has_line(left(node, node.own, claim))) return found;
        }
        return bound;
    }

    /// An even number of cells are free; the player to move makes a move and does the same.
    int with_lower_trap(const Node<B>& node, int bound, int alpha) const {
        for (B traps = lower_traps(node, node.wins); traps;) {
            const B trap = next_trap(traps);
            const Claim claim = lower_cells(node, node.wins, trap);
            const int found = worth_of(claim.ended);
            const B moves = safe(node) & (board_.upper ^ board_.column_of(trap));
            if (found > alpha && stopped_by(moves, left(node, node.other, claim))) return found;
        }
        return bound;
    }

    /// Returns the upper cells as a claim of the player who completes a line on the cells `wins`.
    Claim upper_cells(const Node<B>& node, B wins) const {
        const B sure = free(node) & board_.upper & ~board_.playable(node.occupied());
        return {sure, from(wins & sure)};
    }

    /// Returns the claim of the player who completes a line on the cells `wins`, with a trap.
    Claim lower_cells(const Node<B>& node, B wins, B trap) const {
        const B column = board_.column_of(trap);
        const B claimed = (board_.upper & ~column) | (~board_.upper & column & (trap - 1));
        const B sure = free(node) & claimed & ~board_.playable(node.occupied());
        return {sure | trap, from((wins & sure) | trap)};
    }

    B lower_traps(const Node<B>& node, B wins) const {
        const B traps = wins & ~board_.upper;
        return traps ? traps & ~board_.playable(node.occupied()) : traps;
    }

    /// Returns the lowest cell, and removes all cells of its column.
    B next_trap(B& traps) const {
        const B trap = traps & -traps;
        traps &= ~board_.column_of(trap);
        return trap;
    }

    /// Returns the stones of a player and all cells that a claim of the other player leaves.
    B left(const Node<B>& node, B stones, const Claim& claim) const {
        return stones | (free(node) & ~claim.sure & ~(claim.ended << 1));
    }

    /// Returns whether no line is in the `open` cells without one of the `moves`.
    bool stopped_by(B moves, B open) const {
        if (!moves || board_.has_line(open & ~moves)) return false;
        while (moves) {
            if (!board_.has_line(open & ~take_lowest(moves))) return true;
        }
        return false;
    }

    /// Returns whether one of some columns, given by their next cells, can be the guarded one: all
    /// lines in the `open` cells, except those of one column, need a lower cell of it.
    bool guards_one(B columns, B open) const {
        if (has_line_across(open & ~lower_from(columns))) return false;
        if (!several(columns)) return true;
        while (columns) {
            if (!has_line_across(open & ~lower_from(take_lowest(columns)))) return true;
        }
        return false;
    }

    B lower_from(B cells) const { return from(cells) & ~board_.upper; }

    /// Returns whether there is a line in these cells that is not a column.
    bool has_line_across(B cells) const {
        B found = 0;
        for (const int step : board_.steps) {
            if (step != 1) found |= board_.lines(cells, step);
        }
        return found != 0;
    }

    /// Returns the cells from the lowest of some cells to the top, in each column.
    B from(B cells) const {
        const B tops = board_.bottom << board_.variant.height;
        return ((tops - cells) | cells) & board_.all;
    }

    /// Returns what a win is worth to a follower who completes a line where `ended` columns begin;
    /// 0 if there is none.
    int worth_of(B ended) const { return ended ? worth(board_.variant, last_ply(ended)) : 0; }

    /// Returns the ply at which the game ends if the opponent plays below the `ended` columns only
    /// when all other cells are taken.
    int last_ply(B ended) const {
        const int columns = popcount(ended & ~(ended << 1));
        return board_.variant.cells() - popcount(ended) - columns + 2;
    }

    const Board& board_;
};

}  // namespace c4
