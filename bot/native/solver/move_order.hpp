// The order in which the solver tries moves: how promising each move is.
#pragma once

#include "../evaluate/open_windows.hpp"
#include "../node.hpp"

namespace c4 {

/// Estimates how good moves are. Hill climbing on the number of nodes found the weights.
template <class Board>
class MoveOrder {
  public:
    using B = typename Board::B;

    explicit constexpr MoveOrder(const Board& board) : board_(board) {
        for (const int step : board.steps) count_lines(step);
    }

    /// Returns how promising the move `stone` is, which leads to `child`.
    int promise(const Node<B>& child, B stone) const {
        const B playable = board_.playable(child.occupied());
        const B threats = child.threats;
        // The rows in which a threat of the player who moved is worth the most.
        const bool is_even = (board_.variant.cells() - child.ply) % 2 == 0;
        const B good = is_even ? board_.upper : board_.all & ~board_.upper;
        return 8 * popcount(threats) + 8 * popcount(threats & (playable << 1)) +
               4 * popcount(threats & (playable << 2)) + 8 * popcount(threats & good) +
               10 * ((threats & (stone << 2)) != 0) + ((stone & good) != 0) + chances(child) +
               lines_[lowest(stone)];
    }

  private:
    /// Returns the number of windows, except in columns, that lack at most two stones.
    int chances(const Node<B>& child) const {
        const B free = board_.all & ~child.occupied();
        int found = 0;
        for (const int step : board_.steps) {
            if (step == 1) continue;
            const OpenWindows<Board> windows(board_, step, child.other, free);
            const int most = std::min(2, board_.connect());
            B few = 0;
            for (int lack = 0; lack <= most; ++lack) few |= windows.lacking[lack];
            found += popcount(few);
        }
        return found;
    }

    /// Counts for each cell the lines of one direction that go through it.
    constexpr void count_lines(int step) {
        B starts = board_.all;
        for (int i = 1; i < board_.connect(); ++i) starts &= board_.all >> (i * step);
        while (starts) {
            const int start = lowest(take_lowest(starts));
            for (int i = 0; i < board_.connect(); ++i) ++lines_[start + i * step];
        }
    }

    const Board& board_;
    std::array<std::uint8_t, 8 * sizeof(B)> lines_{};
};

}  // namespace c4
