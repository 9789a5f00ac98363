// The sets of cells that a player still needs: the twin of c4_bot/evaluate/needed.py.
//
// Two facts make it fast. The greedy windows of a stone are the first and the last open window
// through it. And two cells have only one direction, so a set of several cells contains another set
// of several cells only if both come from windows of the same direction.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "../contract.hpp"
#include "open_windows.hpp"

namespace c4 {

/// The worth of needed sets, by the number of cells and the sum of their heights.
template <Bits B>
class Worth {
  public:
    Worth(const Variant& variant, B bottom, int most, const Numbers& weights)
        : planes_(std::bit_width<unsigned>(variant.height)), table_(most + 1) {
        for (int height = 1; height <= variant.height; ++height) {
            for (std::size_t k = 0; k < planes_.size(); ++k) {
                if (height >> k & 1) planes_[k] |= bottom << (height - 1);
            }
        }
        for (int count = 1; count <= most; ++count) {
            const Score worth = UNITS_PER_POINT * weights[count - 1] * variant.height * count;
            table_[count].push_back(0);  // for no heights at all
            for (int heights = 1; heights <= count * variant.height; ++heights) {
                table_[count].push_back(floor_divide(worth, heights));
            }
        }
    }

    Score at(B needed, int count) const {
        int heights = 0;
        for (std::size_t k = 0; k < planes_.size(); ++k) {
            heights += popcount(needed & planes_[k]) << k;
        }
        return table_[count][heights];
    }

  private:
    static constexpr Score UNITS_PER_POINT = 12'252'240;  // the least common multiple of 1 to 18

    /// Python's `//`.
    static Score floor_divide(Score dividend, Score divisor) {
        return dividend / divisor - (dividend % divisor < 0);
    }

    std::vector<B> planes_;  // the cells whose height has bit k
    std::vector<std::vector<Score>> table_;
};

template <class Board>
class Needed final : public Evaluator<typename Board::B> {
  public:
    using B = typename Board::B;

    Needed(const Board& board, Parameters& parameters)
        : board_(board), weights_(take_list(parameters, "weights")),
          most_(std::min(static_cast<int>(weights_.size()), board.connect() - 1)),
          worth_(board.variant, board.bottom, most_, weights_) {}

    Score evaluate(B own, B other, bool) const override {
        const B free = board_.all & ~(own | other);
        std::array<OpenWindows<Board>, 4> tried;
        B singles = 0, lines = 0;
        for (int i = 0; i < board_.steps.size(); ++i) {
            tried[i] = tried_windows(board_.steps[i], own, free);
            singles |= tried[i].cells(board_, tried[i].lacking[1]) & free;
            lines |= tried[i].lacking[0];
        }
        if (lines) return 0;  // a complete line needs no cell, and every set contains that set
        Score sum = most_ < 1 ? 0 : worth_of_each(singles);
        for (int i = 0; i < board_.steps.size(); ++i) {
            sum += worth_of_larger(tried[i], singles, free);
        }
        return sum;
    }

  private:
    /// Returns the first and the last open window through every stone.
    OpenWindows<Board> tried_windows(int step, B own, B free) const {
        OpenWindows<Board> windows(board_, step, own, free);
        const B open = windows.open(board_);
        B tried = 0, without_first = own, without_last = own;
        for (int place = 0, end = board_.connect() - 1; place <= end; ++place) {
            const B last = open << (place * step) & without_last;
            const B first = open << ((end - place) * step) & without_first;
            tried |= last >> (place * step) | first >> ((end - place) * step);
            without_last ^= last;
            without_first ^= first;
        }
        for (int lack = 1; lack < board_.connect(); ++lack) windows.lacking[lack] &= tried;
        return windows;
    }

    Score worth_of_each(B singles) const {
        Score sum = 0;
        while (singles) sum += worth_.at(take_lowest(singles), 1);
        return sum;
    }

    /// Returns the worth of the sets of several cells of one direction that contain no other set.
    Score worth_of_larger(const OpenWindows<Board>& windows, B singles, B free) const {
        const B line = windows.cells(board_, 1);
        const B minimal = ~windows.through(board_, singles);
        std::array<B, 8 * sizeof(B)> smallest;
        auto end = smallest.begin();
        Score sum = 0;
        for (int lack = 2; lack <= most_; ++lack) {
            for (B starts = windows.lacking[lack] & minimal; starts; starts &= starts - 1) {
                const B needed = line << lowest(starts) & free;
                const auto inside = [needed](B other) { return (needed & other) == other; };
                if (std::any_of(smallest.begin(), end, inside)) continue;
                *end++ = needed;
                sum += worth_.at(needed, lack);
            }
        }
        return sum;
    }

    const Board& board_;
    const Numbers weights_;
    const int most_;
    const Worth<B> worth_;
};

}  // namespace c4
