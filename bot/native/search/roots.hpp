// The root of searches to a fixed depth: the twin of c4_bot/search/_roots.py.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "../board.hpp"
#include "../contract.hpp"
#include "parallel.hpp"

namespace c4 {

/// Searches each root move by itself. `visit(child, depth, budget)` returns the score of a child
/// for the player who has just moved. The moves share the limits. Without a deadline, the result
/// does not depend on the number of threads. Among equal moves the highest cell is taken if
/// `preference` is 1, the lowest if it is -1. `proves` says that `visit` finds the nearest end of
/// a game. If it is false, no score is marked as exact.
template <class Board, class Visit>
class Roots {
  public:
    using B = typename Board::B;

    Roots(const Board& board, const Limits& limits, int preference, bool proves, const Visit& visit)
        : board_(board), limits_(limits), preference_(preference), proves_(proves), visit_(visit) {}

    Result search(const Position<B>& position) const {
        const int last = limits_.max_depth(board_.variant.cells() - position.ply());
        const int first = lowest(board_.urgent_first(position).front());
        Result result{.cell = first, .line = {first}};
        Team team;
        for (int depth = limits_.is_bounded() ? 1 : last; depth <= last; ++depth) {
            std::optional<Result> found = at_depth(position, depth, team);
            if (!found) break;
            result = std::move(*found);
            if (result.exact) break;
        }
        return result;
    }

  private:
    /// Returns nothing if the limits were reached.
    std::optional<Result> at_depth(const Position<B>& position, int depth, Team& team) const {
        const std::vector<B> moves = board_.moves(position);
        const int count = static_cast<int>(moves.size());
        std::vector<Scored> scores(moves.size());
        const bool complete = in_parallel(limits_, count, team, [&](int i, int) {
            Budget budget(limits_, &team);
            const Score score = visit_(position.play(moves[i]), depth - 1, budget);
            scores[i] = {lowest(moves[i]), score, is_proof(position, score, depth)};
            budget.total();
        });
        const bool within = limits_.nodes < 0 || team.nodes <= limits_.nodes;
        if (!complete || !within) return std::nullopt;
        return best(position, depth, std::move(scores), team.nodes);
    }

    Result best(const Position<B>& position, int depth, std::vector<Scored> scores,
                std::int64_t nodes) const {
        std::pair<Score, int> best{-WIN, 0};
        for (const auto& [cell, score, exact] : scores) {
            best = std::max(best, {score, preference_ * cell});
        }
        const Score score = best.first;
        const int cell = preference_ * best.second;
        Result result{cell, score, false, depth, nodes, {cell}, std::move(scores)};
        result.exact = is_proof(position, score, depth);
        return result;
    }

    bool is_proof(const Position<B>& position, Score score, int depth) const {
        return proves_ && is_exact(score, depth, position.ply(), board_.variant.cells());
    }

    const Board& board_;
    const Limits& limits_;
    const int preference_;
    const bool proves_;
    const Visit& visit_;
};

}  // namespace c4
