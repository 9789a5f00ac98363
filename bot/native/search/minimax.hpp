// Plain minimax to a fixed depth, without pruning: the twin of c4_bot/search/minimax.py.
#pragma once

#include <algorithm>

#include "../board.hpp"
#include "../contract.hpp"
#include "roots.hpp"

namespace c4 {

template <class Board>
class Minimax {
  public:
    using B = typename Board::B;

    Minimax(const Board& board, const Evaluator<B>& evaluator, Parameters& parameters,
            const Limits& limits)
        : board_(board), evaluator_(evaluator), sooner_wins_(take(parameters, "sooner_wins")),
          ends_at_wins_(take(parameters, "ends_at_wins")), limits_(limits) {}

    Result search(const Position<B>& position) const {
        const auto after_root = [this](const Position<B>& child, int depth, Budget& budget) {
            return -score_of_position(child, depth, -1, budget);
        };
        const bool proves = sooner_wins_ && ends_at_wins_;
        return Roots(board_, limits_, -1, proves, after_root).search(position);
    }

  private:
    /// Returns the score for the player to move; `sign` is 1 for the root's player or -1.
    Score score_of_position(const Position<B>& position, int depth, int sign,
                            Budget& budget) const {
        budget.visit();
        if (ends_at_wins_ && board_.has_line(position.other)) {
            return -won(sooner_wins_ ? position.ply() : board_.variant.cells());
        }
        const bool is_full = board_.is_full(position);
        if (is_full && ends_at_wins_) return 0;
        if (is_full || !depth) return evaluator_.evaluate_for(sign, position.own, position.other);
        return score_by_search(position, depth, sign, budget);
    }

    Score score_by_search(const Position<B>& position, int depth, int sign, Budget& budget) const {
        const B playable = board_.playable(position.occupied());
        Score best = -WIN;
        for (const B choice : board_.choices) {
            const B stone = playable & choice;
            if (stone) {
                best = std::max(best,
                                -score_of_position(position.play(stone), depth - 1, -sign, budget));
            }
        }
        return best;
    }

    const Board& board_;
    const Evaluator<B>& evaluator_;
    const bool sooner_wins_, ends_at_wins_;
    const Limits limits_;
};

}  // namespace c4
