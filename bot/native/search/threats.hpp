// Threats that can be read off the lines without a search: the twin of c4_bot/search/_threats.py.
//
// All of this is for games in which stones go anywhere, except `CellWorths`, which serves every game.
#pragma once

#include <algorithm>
#include <array>

#include "../board.hpp"
#include "../evaluate/open_windows.hpp"

namespace c4 {

/// The cells on which a stone makes a threat: a line then lacks one more stone, on the partner.
template <class Board>
class Makers {
  public:
    using B = typename Board::B;

    Makers(const Board& board, B stones, B free) : board_(board) {
        if constexpr (Board::MAX_CONNECT == 4) {
            for (int i = 0; i < board.steps.size(); ++i) find_fours(i, stones, free);
        } else {
            for (int i = 0; i < board.steps.size(); ++i) find(i, stones, free);
        }
    }

    B cells_making_a_threat() const { return once_; }
    B cells_making_two_threats() const { return twice_; }

    /// Returns the cells on which one stone spoils all of `cells_making_two_threats()`, which must not be empty.
    B defences() const {
        B found = ~B{0};
        for (B left = twice_; left;) {
            const B cell = take_lowest(left), partners = partners_of(cell);
            found &= popcount(partners) == 2 ? cell | partners : cell;
        }
        return found;
    }

  private:
    static constexpr int MAX_DISTANCE = Board::MAX_CONNECT - 1;

    /// Makers by the number of steps to their partner, further along the direction or back.
    struct Ways {
        std::array<B, MAX_DISTANCE + 1> further{}, back{};
    };

    void find(int direction, B stones, B free) {
        const int step = board_.steps[direction], connect = board_.connect();
        for (int one = 0; one < connect; ++one) {
            for (int two = one + 1; two < connect; ++two) {
                B lines = board_.all;
                for (int place = 0; place < connect; ++place) {
                    const bool lacks = place == one || place == two;
                    lines &= (lacks ? free : stones) >> (place * step);
                }
                ways_[direction].further[two - one] |= lines << (one * step);
                ways_[direction].back[two - one] |= lines << (two * step);
            }
        }
        count(ways_[direction]);
    }

    /// Does the same for lines of four, and shifts each board once.
    void find_fours(int direction, B stones, B free) {
        const int step = board_.steps[direction];
        const std::array<B, 4> stone = {stones, stones >> step, stones >> 2 * step,
                                        stones >> 3 * step};
        const std::array<B, 4> gap = {free, free >> step, free >> 2 * step, free >> 3 * step};
        const B ab = gap[0] & gap[1] & stone[2] & stone[3];
        const B ac = gap[0] & stone[1] & gap[2] & stone[3];
        const B ad = gap[0] & stone[1] & stone[2] & gap[3];
        const B bc = stone[0] & gap[1] & gap[2] & stone[3];
        const B bd = stone[0] & gap[1] & stone[2] & gap[3];
        const B cd = stone[0] & stone[1] & gap[2] & gap[3];
        Ways& ways = ways_[direction];
        ways.further = {0, ab | bc << step | cd << 2 * step, ac | bd << step, ad};
        ways.back = {0, ab << step | bc << 2 * step | cd << 3 * step,
                     ac << 2 * step | bd << 3 * step, ad << 3 * step};
        count(ways);
    }

    void count(const Ways& ways) {
        for (int way = 1; way < board_.connect(); ++way) {
            for (const B cells : {ways.further[way], ways.back[way]}) {
                twice_ |= once_ & cells;
                once_ |= cells;
            }
        }
    }

    B partners_of(B cell) const {
        B found = 0;
        for (int i = 0; i < board_.steps.size(); ++i) {
            for (int way = 1; way < board_.connect(); ++way) {
                const int distance = way * board_.steps[i];
                if (ways_[i].further[way] & cell) found |= cell << distance;
                if (ways_[i].back[way] & cell) found |= cell >> distance;
            }
        }
        return found;
    }

    const Board& board_;
    B once_ = 0, twice_ = 0;
    std::array<Ways, 4> ways_;  // by direction
};

/// Returns the cells, taken or not, of all lines without any of these stones.
template <class Board>
typename Board::B cells_of_lines_without(const Board& board, typename Board::B stones) {
    using B = typename Board::B;
    const B clear = board.all & ~stones;
    B found = 0;
    for (const int step : board.steps) {
        B lines = clear;
        for (int place = 1; place < board.connect(); ++place) lines &= clear >> (place * step);
        for (int place = 0; place < board.connect(); ++place) found |= lines << (place * step);
    }
    return found;
}

/// The worth of a stone on each free cell: what it builds and what it blocks, added up.
template <class Board>
class CellWorths {
  public:
    using B = typename Board::B;

    CellWorths(const Board& board, B own, B other) {
        const B free = board.all & ~(own | other);
        for (const int step : board.steps) {
            add(board, OpenWindows<Board>(board, step, own, free), {0, 64, 16, 4, 1});
            add(board, OpenWindows<Board>(board, step, other, free), {0, 32, 8, 2, 0});
        }
    }

    int at(B cell) const { return cells_[lowest(cell)]; }

  private:
    /// Adds the worth of all windows to their cells; `worth` is by the stones that a window lacks.
    void add(const Board& board, const OpenWindows<Board>& windows,
             const std::array<int, 5>& worth) {
        const int most = std::min(board.connect(), static_cast<int>(worth.size()) - 1);
        for (int lack = 1; lack <= most; ++lack) {
            if (!worth[lack]) continue;
            for (B lines = windows.lacking[lack]; lines;) {
                const int first = lowest(take_lowest(lines));
                for (int place = 0; place < board.connect(); ++place) {
                    cells_[first + place * windows.step] += worth[lack];
                }
            }
        }
    }

    std::array<int, 8 * sizeof(B)> cells_{};
};

}  // namespace c4
