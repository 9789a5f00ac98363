// Negamax with alpha-beta pruning to a fixed depth: the twin of bot/search/negamax.py.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "../board.hpp"
#include "../contract.hpp"
#include "parallel.hpp"

namespace c4 {

template <class Board, class Evaluator>
class Negamax {
  public:
    using B = typename Board::B;

    Negamax(const Board& board, const Evaluator& evaluator, const Limits& limits)
        : board_(board), evaluator_(evaluator), limits_(limits) {}

    Result search(const Position<B>& position) const {
        const int left = board_.variant.cells() - position.ply();
        const int last = limits_.depth < 0 ? left : std::clamp(limits_.depth, 1, left);
        const int first = lowest(board_.urgent_first(position).front());
        Result result{.cell = first, .line = {first}};
        std::int64_t nodes = 0;
        for (int depth = limits_.is_bounded() ? 1 : last; depth <= last; ++depth) {
            std::optional<Result> found = root(position, depth);
            if (!found) break;
            nodes += found->nodes;
            result = std::move(*found);
            if (result.exact) break;
        }
        result.nodes = nodes;
        return result;
    }

  private:
    struct Scored {
        Score score;
        std::int64_t nodes;
    };

    /// One depth: the best root move, and the nodes of all; nothing if one ran out of its budget.
    std::optional<Result> root(const Position<B>& position, int depth) const {
        const std::vector<B> moves = board_.urgent_first(position);
        std::vector<Scored> scored(moves.size());
        const bool complete = in_parallel(limits_.threads, moves.size(), [&](int i) {
            Budget budget(limits_);
            try {
                const Score score =
                    -visit(position.play(moves[i]), depth - 1, -WIN, WIN, -1, budget);
                scored[i] = {score, budget.nodes};
                return true;
            } catch (const OutOfBudget&) {
                return false;
            }
        });
        if (!complete) return std::nullopt;
        return best(position, depth, moves, scored);
    }

    /// Of equal moves the one on the highest cell.
    Result best(const Position<B>& position, int depth, const std::vector<B>& moves,
                const std::vector<Scored>& scored) const {
        std::pair<Score, int> best{-WIN, -1};
        std::int64_t nodes = 0;
        for (std::size_t i = 0; i < moves.size(); ++i) {
            best = std::max(best, {scored[i].score, lowest(moves[i])});
            nodes += scored[i].nodes;
        }
        const auto [score, cell] = best;
        const bool exact = is_exact(score, depth, position.ply(), board_.variant.cells());
        return {cell, score, exact, depth, nodes, {cell}};
    }

    /// The score for the player to move; `sign` is 1 where that is the root's player, else -1.
    Score visit(const Position<B>& position, int depth, Score alpha, Score beta, int sign,
                Budget& budget) const {
        budget.visit();
        if (board_.has_line(position.other)) return -won(position.ply());
        if (board_.is_full(position)) return 0;
        if (depth == 0) {
            return sign == 1 ? evaluator_.evaluate(position.own, position.other)
                             : -evaluator_.evaluate(position.other, position.own);
        }
        return expand(position, depth, alpha, beta, sign, budget);
    }

    Score expand(const Position<B>& position, int depth, Score alpha, Score beta, int sign,
                 Budget& budget) const {
        const B playable = board_.playable(position.occupied());
        Score best = -WIN;
        for (const B choice : board_.choices) {
            const B stone = playable & choice;
            if (!stone) continue;
            const Score score =
                -visit(position.play(stone), depth - 1, -beta, -alpha, -sign, budget);
            best = std::max(best, score);
            alpha = std::max(alpha, score);
            if (alpha >= beta) break;
        }
        return best;
    }

    const Board& board_;
    const Evaluator& evaluator_;
    const Limits limits_;
};

}  // namespace c4
