// Lines that can still be made, and blocked lines: the twin of c4_bot/evaluate/blocker.py.
#pragma once

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "../contract.hpp"
#include "open_windows.hpp"

namespace c4 {

template <class Board>
class Blocker final : public Evaluator<typename Board::B> {
  public:
    using B = typename Board::B;

    Blocker(const Board& board, Parameters& weights)
        : board_(board), centre_(take(weights, "centre")), block_(take(weights, "block")),
          worth_{take(weights, "four"), take(weights, "three"), take(weights, "two")},
          live_lines_(take(weights, "live_lines")) {
        for (B inner = inside(board.all); inner; inner = inside(inner)) rings_.push_back(inner);
    }

    Score evaluate(B own, B other, bool) const override {
        const Counts ours = lines(own, board_.all & ~(own | other));
        if (live_lines_) {
            const Counts theirs = lines(other, board_.all & ~(own | other));
            const Score centre = centre_ * (rings(own) - rings(other));
            return UNIT * (worth(ours) + centre) - block_ * worth(theirs);
        }
        const auto [lost, blocks] = against(own, other);
        return UNIT * (worth(ours) + centre_ * rings(own) - worth_[0] * lost + block_ * blocks);
    }

  private:
    static constexpr Score UNIT = 1000;
    using Counts = std::array<Score, 3>;  // number of lines by the stones that they lack

    /// Counts the lines that hold some of these stones and otherwise only free cells.
    Counts lines(B stones, B free) const {
        Counts counts{};
        for (const int step : board_.steps) {
            const OpenWindows<Board> windows(board_, step, stones, free);
            for (int lack = 0; lack < std::min(3, board_.connect()); ++lack) {
                counts[lack] += popcount(windows.lacking[lack]);
            }
        }
        return counts;
    }

    /// Returns the number of lines that `others` hold, and the number of `stones` in lines of which
    /// `others` lack one or two.
    std::pair<Score, Score> against(B stones, B others) const {
        Score lost = 0, blocks = 0;
        for (const int step : board_.steps) {
            const OpenWindows<Board> windows(board_, step, others, board_.all & ~others);
            lost += popcount(windows.lacking[0]);
            B lines = windows.lacking[1];
            if (board_.connect() > 2) lines |= windows.lacking[2];
            for (int place = 0; place < board_.connect(); ++place) {
                blocks += popcount(lines & stones >> (place * step));
            }
        }
        return {lost, blocks};
    }

    Score worth(const Counts& counts) const {
        return worth_[0] * counts[0] + worth_[1] * counts[1] + worth_[2] * counts[2];
    }

    Score rings(B stones) const {
        Score count = 0;
        for (const B ring : rings_) count += popcount(stones & ring);
        return count;
    }

    B inside(B cells) const {
        const int stride = board_.variant.stride();
        return cells & cells << 1 & cells >> 1 & cells << stride & cells >> stride;
    }

    const Board& board_;
    const Score centre_, block_;
    const Counts worth_;
    const bool live_lines_;
    std::vector<B> rings_;  // the cells inside the outermost ring, inside the second, ...
};

}  // namespace c4
