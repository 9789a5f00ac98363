// Windows weighted by the stones that they lack: the twin of c4_bot/evaluate/_open_windows.py, of
// sequences.py and of windows.py.
#pragma once

#include <array>

#include "../contract.hpp"
#include "open_windows.hpp"

namespace c4 {

template <class Board>
class WeighedWindows : public Evaluator<typename Board::B> {
  public:
    using B = typename Board::B;

    /// The last weight is for windows that lack `least` stones, the one before it for one stone
    /// more.
    WeighedWindows(const Board& board, Parameters& parameters, int least) : board_(board) {
        const auto weights = take_list(parameters, "weights");
        int lack = least;
        for (auto weight = weights.rbegin(); weight != weights.rend(); ++weight, ++lack) {
            if (lack < board.connect()) worth_[lack] = *weight;
        }
    }

    Score evaluate(B own, B other, bool) const final {
        const B free = board_.all & ~(own | other);
        return worth(own, free) - worth(other, free);
    }

    Score worth(B stones, B free) const {
        Score sum = 0;
        for (const int step : board_.steps) {
            const OpenWindows<Board> windows(board_, step, stones, free);
            for (int lack = 0; lack < board_.connect(); ++lack) {
                sum += worth_[lack] * popcount(windows.lacking[lack]);
            }
        }
        return sum;
    }

  private:
    const Board& board_;
    std::array<Score, MAX_SIDE> worth_{};
};

template <class Board>
struct Sequences final : WeighedWindows<Board> {
    Sequences(const Board& board, Parameters& parameters)
        : WeighedWindows<Board>(board, parameters, 1) {}
};

template <class Board>
struct Windows final : WeighedWindows<Board> {
    Windows(const Board& board, Parameters& parameters)
        : WeighedWindows<Board>(board, parameters, 0) {}
};

}  // namespace c4
