// Wins by fours alone: every stone makes a line lack one stone more, which leaves one reply.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "../contract.hpp"
#include "grid.hpp"

namespace c4 {

/// Finds them, and tells which replies to the threat of one could spoil it.
///
/// After a win was found, `line()` has its stones and the replies in turn, up to the stone that
/// leaves two ways to complete a line, and `zone()` the cells that matter: against one more stone
/// of the other player anywhere else the same line wins. They are those of the line itself, and
/// all from which the other player could get a four of his own while it is played: windows of
/// which he lacks two then, and into which the line puts no stone in time.
template <class Grid>
class Fours {
  public:
    using B = typename Grid::B;

    Fours(const Grid& grid, Budget& budget) : grid_(grid), budget_(budget) {}

    /// Whether the player to move, who cannot complete a line at once, wins so with at most `most`
    /// stones. `must` are the cells on which the other player could complete one.
    bool win(const Position<B>& position, B must, int most) {
        budget_.visit();
        const auto [own, other] = position;
        B makers = most < 2 ? 0 : grid_.template lacking<2>(own, other)[2];
        if (must) makers = several(must) ? 0 : makers & must;
        std::array<B, Grid::CELLS> replies;
        int count = 0;
        for (B left = makers; left;) {
            const B stone = take_lowest(left), threats = grid_.winning_cells(own | stone, other);
            if (several(threats)) return end(position, stone, threats);
            replies[count++] = threats;
        }
        if (most < 3) return false;
        count = 0;
        for (B left = makers; left;) {
            const B stone = take_lowest(left), reply = replies[count++];
            const Position<B> next{own | stone, other | reply};
            if (!win(next, grid_.winning_cells(next.other, next.own), most - 1)) continue;
            zone_ |= reply;
            line_.push_back(lowest(reply));
            return extend(position, stone);
        }
        return false;
    }

    B zone() const { return zone_; }
    std::vector<std::uint8_t> line() const { return {line_.rbegin(), line_.rend()}; }

  private:
    /// Two of the threats are enough for the line to work.
    bool end(const Position<B>& position, B stone, B threats) {
        line_.clear();
        zone_ = take_lowest(threats);
        zone_ |= take_lowest(threats);
        return extend(position, stone);
    }

    bool extend(const Position<B>& position, B stone) {
        const auto [own, other] = position;
        zone_ |= stone | grid_.template lacking<2>(other, own | stone)[2];
        line_.push_back(lowest(stone));
        return true;
    }

    const Grid& grid_;
    Budget& budget_;
    B zone_ = 0;
    std::vector<std::uint8_t> line_;  // the last one first
};

}  // namespace c4
