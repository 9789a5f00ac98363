// Negamax with alpha-beta pruning to a fixed depth: the twin of c4_bot/search/negamax.py.
#pragma once

#include <algorithm>

#include "../board.hpp"
#include "../contract.hpp"
#include "roots.hpp"

namespace c4 {

template <class Board>
class Negamax {
  public:
    using B = typename Board::B;

    Negamax(const Board& board, const Evaluator<B>& evaluator, Parameters& parameters,
            const Limits& limits)
        : board_(board), evaluator_(evaluator), sooner_wins_(take(parameters, "sooner_wins")),
          limits_(limits) {}

    Result search(const Position<B>& position) const {
        const auto after_root = [this](const Position<B>& child, int depth, Budget& budget) {
            return -score_of_position(child, depth, -WIN, WIN, -1, budget);
        };
        return Roots(board_, limits_, 1, sooner_wins_, after_root).search(position);
    }

  private:
    /// Returns the score for the player to move; `sign` is 1 for the root's player or -1.
    Score score_of_position(const Position<B>& position, int depth, Score alpha, Score beta,
                            int sign, Budget& budget) const {
        budget.visit();
        if (board_.has_line(position.other)) {
            return -won(sooner_wins_ ? position.ply() : board_.variant.cells());
        }
        if (board_.is_full(position)) return 0;
        if (depth == 0) {
            return evaluator_.evaluate_for(sign, position.own, position.other);
        }
        return score_by_search(position, depth, alpha, beta, sign, budget);
    }

    Score score_by_search(const Position<B>& position, int depth, Score alpha, Score beta, int sign,
                          Budget& budget) const {
        const B playable = board_.playable(position.occupied());
        Score best = -WIN;
        for (const B choice : board_.choices) {
            const B stone = playable & choice;
            if (!stone) continue;
            const Score score =
                -score_of_position(position.play(stone), depth - 1, -beta, -alpha, -sign, budget);
            best = std::max(best, score);
            alpha = std::max(alpha, score);
            if (alpha >= beta) break;
        }
        return best;
    }

    const Board& board_;
    const Evaluator<B>& evaluator_;
    const bool sooner_wins_;
    const Limits limits_;
};

}  // namespace c4
