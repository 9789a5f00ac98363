// Threats, and who will have to play below one: the twin of c4_bot/evaluate/zugzwang.py.
#pragma once

#include <array>
#include <iterator>
#include <tuple>
#include <utility>

#include "../contract.hpp"
#include "weighed_windows.hpp"

namespace c4 {

template <class Board>
class Zugzwang final : public Evaluator<typename Board::B> {
  public:
    using B = typename Board::B;

    Zugzwang(const Board& board, Parameters& parameters)
        : board_(board), threat_(take(parameters, "threat")), tempo_(take(parameters, "tempo")),
          spare_(board.bottom << board.variant.height), windows_(board, parameters, 2) {
        const Score won = take(parameters, "zugzwang");
        for (Score safe = 0, parts = ADDED_SAFE_CELLS; safe < std::ssize(ending_);
             ++safe, ++parts) {
            ending_[safe] = won / parts - (won % parts < 0);  // rounded down, as in Python
        }
    }

    /// The score of the player to move, the threats of both players, and the ending: its result
    /// for the player to move, and the number of safe cells.
    struct Judged {
        Score score;
        B ours, theirs;
        int result, safe;
    };

    Score evaluate(B own, B other, bool moves) const override {
        return moves ? judge(own, other).score : -judge(other, own).score;
    }

    /// Judges the position of the owner of `own`, who is to move.
    Judged judge(B own, B other) const {
        const B free = board_.all & ~(own | other);
        const B ours = board_.completing_cells(own) & free;
        const B theirs = board_.completing_cells(other) & free;
        Judged judged{tempo_ + windows_.worth(own, free) - windows_.worth(other, free), ours,
                      theirs, 0, popcount(free)};
        B counted = ours | theirs;
        if (!counted) return judged;
        if (board_.variant.gravity) {
            counted = lowest_cells_of_columns(counted);
            std::tie(judged.result, judged.safe) = ending_result(free, ours, theirs);
            judged.score += judged.result * ending_[judged.safe];
        }
        judged.score += threat_ * (popcount(ours & counted) - popcount(theirs & counted));
        return judged;
    }

  private:
    static constexpr int ADDED_SAFE_CELLS = 3;

    B lowest_cells_of_columns(B cells) const { return cells & ~((cells | spare_) - board_.bottom); }

    /// Returns the result of the ending for the player to move, and the number of safe cells.
    std::pair<int, int> ending_result(B free, B own, B other) const {
        const B critical = (own | other) >> 1 & free;
        if (!critical) return {0, popcount(free)};
        const B ceiling = critical | spare_;
        const int safe = popcount(free & ~ceiling & (ceiling - board_.bottom));
        if (safe % 2) return {-result(critical, other, own), safe};
        return {result(critical, own, other), safe};
    }

    /// Returns the result for the player who must play the first critical cell: the owner of `own`.
    int result(B critical, B own, B other) const {
        int sign = 1;
        for (B first = lowest_cells_of_columns(critical); first;) {
            const B choices = first & ~(other >> 1);
            if (!choices) return -sign;
            if (choices & own >> 2) return sign;
            const B ceiling = spare_ | (critical & ~(first | first << 1));
            const B ends = ceiling & ~(ceiling - board_.bottom);
            const auto [cell, end] = chosen_critical_cell(choices, ends, own, other);
            first ^= cell | (end & board_.all);
            critical &= ~(cell | cell << 1);
            if ((lowest(end) - lowest(cell)) % 2) {
                std::swap(own, other);
                sign = -sign;
            }
        }
        return 0;
    }

    /// Returns the critical cell that a player fills, and the end of the safe cells above it.
    std::pair<B, B> chosen_critical_cell(B choices, B ends, B own, B other) const {
        std::pair<B, B> chosen{0, 0};
        std::tuple<int, B, B> best{-1, 0, 0};
        while (choices) {
            const B cell = take_lowest(choices), above = ends & ~(cell - 1), end = above & -above;
            const int from = lowest(cell);
            const B column = board_.column_of(cell);
            const std::tuple preference((lowest(end) - from) % 2, (own & column) >> from,
                                        (other & column) >> from);
            if (preference <= best) continue;
            best = preference;
            chosen = {cell, end};
        }
        return chosen;
    }

    const Board& board_;
    const Score threat_, tempo_;
    const B spare_;
    const WeighedWindows<Board> windows_;
    std::array<Score, MAX_BITS> ending_;  // the worth of a won ending, by the number of safe cells
};

}  // namespace c4
