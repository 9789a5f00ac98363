// Open sequences of stones, weighed by length: the twin of bot/evaluate/sequences.py.
#pragma once

#include <algorithm>
#include <array>

#include "../contract.hpp"
#include "windows.hpp"

namespace c4 {

template <class Board>
class Sequences {
  public:
    using B = typename Board::B;

    Sequences(const Board& board, const Weights& weights) : board_(board) {
        const int most = std::min<int>(weights.size(), board.connect() - 1);
        for (int lack = 1; lack <= most; ++lack) worth_[lack] = weights[weights.size() - lack];
    }

    Score evaluate(B own, B other) const {
        const B free = board_.all & ~(own | other);
        return worth(own, free) - worth(other, free);
    }

  private:
    Score worth(B stones, B free) const {
        Score sum = 0;
        for (const int step : board_.steps) {
            const Windows<Board> windows(board_, step, stones, free);
            for (int lack = 1; lack < board_.connect(); ++lack) {
                sum += worth_[lack] * popcount(windows.lacking[lack]);
            }
        }
        return sum;
    }

    const Board& board_;
    std::array<Score, MAX_SIDE> worth_{};
};

}  // namespace c4
