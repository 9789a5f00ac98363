// Iterative deepening alpha-beta, as several searches share it: the twin of
// c4_bot/search/_iterations.py.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "../board.hpp"
#include "../contract.hpp"
#include "../node.hpp"
#include "../ranking.hpp"
#include "table.hpp"

namespace c4 {

/// The state of one search. `Self` is the search, which inherits from this class. It defines
/// `evaluate`, `ordered`, `child`, `REDUCTIONS`, `sees_threats_` and `transpositions_`, and may
/// define other versions of the functions that are called with `self()`. `Node` is a `c4::Node`.
template <class Self, class Board, class Node>
class Iterations {
  public:
    using B = typename Board::B;

  protected:
    Iterations(const Board& board, const Evaluator<B>& evaluator, const Limits& limits,
               bool reduces)
        : board_(board), evaluator_(evaluator), limits_(limits), budget_(limits),
          reduces_(reduces && limits.depth < 0) {}

    /// Returns the best of `moves`, which are sorted: the first is played without a search.
    Result deepen(const Node& node, std::vector<B> moves) {
        const int last = limits_.max_depth(board_.variant.cells() - node.ply);
        Result result{.cell = lowest(moves[0]), .line = {lowest(moves[0])}};
        for (int depth = 1; depth <= last && !result.exact;) {
            auto [found, complete] = search_root(node, moves, depth, result);
            if (found) {
                result = std::move(*found);
                const auto best = std::ranges::find(moves, B{1} << result.cell);
                std::rotate(moves.begin(), best, best + 1);
            }
            if (!complete) break;
            if (result.exact && reduces_) {
                result.exact = reduces_ = false;
                table_.forget();
            } else {
                ++depth;
            }
        }
        result.nodes = budget_.nodes;
        return result;
    }

    std::vector<B> ordered_at_root(const Node&, const std::vector<B>& moves, int,
                                   const Result&) const {
        return moves;
    }

    std::optional<Result> result_when_cut_short(const Result& best, B, const Result&) const {
        return best;
    }

    /// Returns the cells to try, and an upper bound of the score of all other moves.
    std::pair<B, Score> cells_to_try(const Node&, B playable) const { return {playable, -WIN}; }

    /// Returns the score of a win that is seen without a search of all moves; 0 if there is none.
    Score foreseen_win(const Node&, B, int, Score) { return 0; }

    bool searches_with_null_window() const { return true; }

    template <class Moves>
    void prefetch(const Node&, const Moves&, int) const {}

    /// Returns the score for the player to move, in a game that is not over.
    Score score_of_position(const Node& node, int depth, Score alpha, Score beta) {
        budget_.visit();
        const B playable = board_.playable(node.occupied());
        if (node.wins & playable) return won(node.ply + 1);
        if (const B threats = node.threats & playable) {
            if (several(threats)) return -won(node.ply + 2);
            return score_after(self().child(node, threats), depth, -beta, -alpha);
        }
        if (const Score win = self().foreseen_win(node, playable, depth, beta)) return win;
        return depth <= 0 ? self().evaluate(node) : score_by_search(node, depth, alpha, beta);
    }

    /// Returns the score of the best move, and stores it in the table.
    Score score_by_search(const Node& node, int depth, Score alpha, Score beta) {
        const Entry<B>* entry = self().transpositions_ ? table_.find(node) : nullptr;
        if (entry && entry->answers(depth, alpha, beta)) return entry->score;
        const B first = entry && entry->depth ? B{1} << entry->cell : 0;
        const auto [cells, rest] = self().cells_to_try(node, board_.playable(node.occupied()));
        if (!cells) return rest;
        const auto [score, stone] = best_of(node, cells, rest, first, depth, alpha, beta);
        table_.store(node, depth, score, kind_of_bound(score, alpha, beta), lowest(stone));
        return score;
    }

    /// Returns the score of a root move; `best` is the best score of the previous moves.
    Score root_score(const Node& node, B stone, int depth, Score best) {
        if (self().sees_threats_ && node.wins & stone) return won(node.ply + 1);
        const Node child = self().child(node, stone);
        if (best != -WIN && self().searches_with_null_window()) {
            return score_if_better(child, 0, depth - 1, best, WIN);
        }
        return score_after(child, depth - 1, -WIN, -best);
    }

    const Board& board_;
    const Evaluator<B>& evaluator_;
    const Limits& limits_;
    Budget budget_;
    bool reduces_;
    Table<B> table_;

  private:
    friend Self;

    Self& self() { return static_cast<Self&>(*this); }

    /// Runs one iteration; returns its move, and whether it finished all moves. `previous` is the
    /// result of the previous iteration.
    std::pair<std::optional<Result>, bool> search_root(const Node& node,
                                                       const std::vector<B>& moves, int depth,
                                                       const Result& previous) {
        std::optional<Result> best;
        B latest = 0;
        try {
            for (const B stone : self().ordered_at_root(node, moves, depth, previous)) {
                latest = stone;
                const Score alpha = best ? best->score : -WIN;
                const Score score = self().root_score(node, stone, depth, alpha);
                if (score <= alpha) continue;
                best = {lowest(stone), score, false,
                        depth,         0,     table_.line(board_, node, stone, depth)};
            }
        } catch (const OutOfBudget&) {
            if (best) best = self().result_when_cut_short(*best, latest, previous);
            return {best, false};
        }
        if (best && self().sees_threats_) {
            best->exact = is_exact(best->score, depth, node.ply, board_.variant.cells());
        }
        return {best, true};
    }

    /// Returns the score of a later move, for the player who made it. The move is first searched
    /// `less` plies less deep if `less` is not 0, and then to `depth`, until it is not better than
    /// `alpha`.
    Score score_if_better(const Node& child, int less, int depth, Score alpha, Score beta) {
        if (less) {
            const Score score = score_after(child, depth - less, -alpha - 1, -alpha);
            if (score <= alpha) return score;
        }
        const Score score = score_after(child, depth, -alpha - 1, -alpha);
        return score <= alpha || score >= beta ? score : score_after(child, depth, -beta, -alpha);
    }

    /// Returns the score of a move that does not win, for the player who made it.
    Score score_after(const Node& child, int depth, Score alpha, Score beta) {
        if (self().sees_threats_ && board_.is_full(child)) return 0;
        return -self().score_of_position(child, depth, alpha, beta);
    }

    /// Returns the best of the moves on `cells` and its score, which is at least `best`.
    std::pair<Score, B> best_of(const Node& node, B cells, Score best, B first, int depth,
                                Score alpha, Score beta) {
        B best_stone = 0;
        int index = 0;
        const auto moves = self().ordered(node, cells, first, depth);
        self().prefetch(node, moves, depth);
        for (const auto& move : moves) {
            const Score score =
                score_of_move_at(self().child(node, move), index++, depth - 1, alpha, beta);
            if (score > best || !best_stone) {
                best = std::max(best, score);
                best_stone = move.stone;
            }
            alpha = std::max(alpha, score);
            if (alpha >= beta) break;
        }
        return {best, best_stone};
    }

    /// Returns the score of the move that is tried at `index`.
    Score score_of_move_at(const Node& child, int index, int depth, Score alpha, Score beta) {
        if (!index || !self().searches_with_null_window())
            return score_after(child, depth, -beta, -alpha);
        int less = 0;
        if (reduces_ && !(child.threats & board_.playable(child.occupied()))) {
            for (const auto& [late, far] : Self::REDUCTIONS) less += index >= late && depth >= far;
        }
        return score_if_better(child, less, depth, alpha, beta);
    }
};

}  // namespace c4
