// Wins by fours alone: after every stone a line lacks one stone more, which leaves one reply.
#pragma once

#include <cstdint>
#include <vector>

#include "../contract.hpp"
#include "../ranking.hpp"
#include "grid.hpp"

namespace c4 {

/// Finds wins by fours, and the replies to the threat of one that could spoil it.
///
/// After a win is found, `line()` holds its stones and the replies in turn, up to the stone that
/// leaves two ways to complete a line. `zone()` holds the cells that matter: with one more stone of
/// the opponent on any other cell, the same line still wins. These are the cells of the line
/// itself, and all cells from which the opponent could get a four while the line is played: the
/// cells of windows that then lack two of the opponent's stones and hold none of the attacker's.
template <class Grid>
class Fours {
  public:
    using B = typename Grid::B;

    Fours(const Grid& grid, Budget& budget)
        : grid_(grid), budget_(budget), replies_(grid.variant.cells(), grid.variant.cells()) {}

    /// Returns whether the player to move, who has no winning cell, wins by fours with at most
    /// `max_stones` stones. `must` are the opponent's winning cells.
    bool win(const Position<B>& position, B must, int max_stones) {
        budget_.visit();
        const auto [own, other] = position;
        B makers = max_stones < 2 ? 0 : grid_.template lacking<2>(own, other)[2];
        if (must) makers = several(must) ? 0 : makers & must;
        B* const replies = replies_.at(position.ply());
        int count = 0;
        for (B left = makers; left;) {
            const B stone = take_lowest(left), threats = grid_.winning_cells(own | stone, other);
            if (several(threats)) return end(position, stone, threats);
            replies[count++] = threats;
        }
        if (max_stones < 3) return false;
        count = 0;
        for (B left = makers; left;) {
            const B stone = take_lowest(left), reply = replies[count++];
            const Position<B> next{own | stone, other | reply};
            if (!win(next, grid_.winning_cells(next.other, next.own), max_stones - 1)) continue;
            zone_ |= reply;
            line_.push_back(cell_of(reply));
            return extend(position, stone);
        }
        return false;
    }

    B first() const { return B{1} << line_.back(); }
    B zone() const { return zone_; }
    std::vector<std::uint8_t> line() const { return {line_.rbegin(), line_.rend()}; }

  private:
    /// Ends a line with a stone that makes several threats, of which two are enough.
    bool end(const Position<B>& position, B stone, B threats) {
        line_.clear();
        zone_ = take_lowest(threats);
        zone_ |= take_lowest(threats);
        return extend(position, stone);
    }

    bool extend(const Position<B>& position, B stone) {
        const auto [own, other] = position;
        zone_ |= stone | grid_.template lacking<2>(other, own | stone)[2];
        line_.push_back(cell_of(stone));
        return true;
    }

    const Grid& grid_;
    Budget& budget_;
    Lists<B> replies_;
    B zone_ = 0;
    std::vector<std::uint8_t> line_;  // in reverse order
};

}  // namespace c4
