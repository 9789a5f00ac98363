// Iterative deepening alpha-beta with a transposition table: the twin of
// c4_bot/search/deepening.py.
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

template <class Board>
class Deepening {
  public:
    using B = typename Board::B;

    Deepening(const Board& board, const Evaluator<B>& evaluator, const Numbers& parameters,
              const Limits& limits)
        : board_(board), evaluator_(evaluator), budget_(limits), most_(limits.depth),
          reduces_(number_at(parameters, 0) && most_ < 0),
          moves_(board.variant.cells(), board.choices.size()) {}

    Result search(const Position<B>& position) {
        const int left = board_.variant.cells() - position.ply();
        const int last = most_ < 0 ? left : std::clamp(most_, 1, left);
        std::vector<B> moves = board_.urgent_first(position);
        Result result{.cell = lowest(moves[0]), .line = {lowest(moves[0])}};
        for (int depth = 1; depth <= last && !result.exact;) {
            auto [found, complete] = root(node_of(board_, position), depth, moves);
            if (found) {
                result = std::move(*found);
                const auto best = std::ranges::find(moves, B{1} << result.cell);
                std::rotate(moves.begin(), best, best + 1);
            }
            if (!complete) break;
            if (result.exact && reduces_) {
                result.exact = false;
                stop_reducing();
            } else {
                ++depth;
            }
        }
        result.nodes = budget_.nodes;
        return result;
    }

  private:
    struct Move {
        B stone;
        B completing;  // the cells that then complete a line of the player who made the move
        int promise;
    };

    /// Runs one iteration; returns its best finished move, and whether it finished all moves.
    std::pair<std::optional<Result>, bool> root(const Node<B>& node, int depth,
                                                const std::vector<B>& moves) {
        std::optional<Result> best;
        try {
            for (const B stone : moves) {
                const Score alpha = best ? best->score : -WIN;
                const Score score = root_score(node, stone, depth, alpha);
                if (score <= alpha) continue;
                best = {lowest(stone), score, false, depth, 0,
                        table_.line(board_, node, stone, depth)};
            }
        } catch (const OutOfBudget&) {
            return {best, false};
        }
        if (best) {
            best->exact = is_exact(best->score, depth, node.ply, board_.variant.cells());
        }
        return {best, true};
    }

    /// Searches all moves to the full depth from now on, and forgets what was found before.
    void stop_reducing() {
        reduces_ = false;
        table_.forget();
    }

    /// Returns the score of a root move; `best` is the best score of the previous moves.
    Score root_score(const Node<B>& node, B stone, int depth, Score best) {
        if (node.wins & stone) return won(node.ply + 1);
        const Node<B> child = play(board_, node, stone);
        if (best == -WIN) return after(child, depth - 1, -WIN, WIN);
        return score_if_better(child, 0, depth - 1, best, WIN);
    }

    /// Returns the score of a later move, for the player who made it. The move is first searched
    /// `less` plies less deep if `less` is not 0, and then to `depth`, until it is not better than
    /// `alpha`.
    Score score_if_better(const Node<B>& child, int less, int depth, Score alpha, Score beta) {
        if (less) {
            const Score score = after(child, depth - less, -alpha - 1, -alpha);
            if (score <= alpha) return score;
        }
        const Score score = after(child, depth, -alpha - 1, -alpha);
        return score <= alpha || score >= beta ? score : after(child, depth, -beta, -alpha);
    }

    /// Returns the score of a move that does not win, for the player who made it.
    Score after(const Node<B>& child, int depth, Score alpha, Score beta) {
        return board_.is_full(child) ? 0 : -visit(child, depth, alpha, beta);
    }

    /// Returns the score for the player to move, in a game that is not over.
    Score visit(const Node<B>& node, int depth, Score alpha, Score beta) {
        budget_.visit();
        const B playable = board_.playable(node.occupied());
        if (node.wins & playable) return won(node.ply + 1);
        if (const B threats = node.threats & playable) {
            if (several(threats)) return -won(node.ply + 2);
            return after(play(board_, node, threats), depth, -beta, -alpha);
        }
        if (depth <= 0) return evaluator_.evaluate(node.own, node.other, true);
        return expand(node, depth, alpha, beta);
    }

    Score expand(const Node<B>& node, int depth, Score alpha, Score beta) {
        const Entry<B>* entry = table_.find(node);
        if (entry && entry->answers(depth, alpha, beta)) return entry->score;
        const B first = entry ? B{1} << entry->cell : 0;
        const auto [score, stone] = best_of(node, depth, alpha, beta, first);
        table_.store(node, depth, score, bound_of(score, alpha, beta), lowest(stone));
        return score;
    }

    /// Returns the best move and its score; tries the moves in the order of `ordered`.
    std::pair<Score, B> best_of(const Node<B>& node, int depth, Score alpha, Score beta, B first) {
        std::pair<Score, B> best{-WIN, 0};
        const Ranking<Move> moves = ordered(node, first);
        if (depth > 1) prefetch(node, moves);
        int index = 0;
        for (const Move& move : moves) {
            const Node<B> child = play(node, move.stone, move.completing);
            const Score score = score_of_child(child, index++, depth - 1, alpha, beta);
            if (score > best.first) best = {score, move.stone};
            alpha = std::max(alpha, score);
            if (alpha >= beta) break;
        }
        return best;
    }

    /// Returns the score of the move that is tried at `index`.
    Score score_of_child(const Node<B>& child, int index, int depth, Score alpha, Score beta) {
        if (!index) return after(child, depth, -beta, -alpha);
        int less = 0;
        if (reduces_ && index >= 3 && !(child.threats & board_.playable(child.occupied()))) {
            less = (depth >= 2) + (index >= 5 && depth >= 4);
        }
        return score_if_better(child, less, depth, alpha, beta);
    }

    /// Returns `first`, then the moves after which the most free cells win, most first; equal
    /// moves come centre first.
    Ranking<Move> ordered(const Node<B>& node, B first) {
        const B free = board_.all & ~node.occupied();
        const B playable = board_.playable(node.occupied());
        Ranking<Move> moves(moves_.at(node.ply));
        for (const B choice : board_.choices) {
            const B stone = playable & choice;
            if (!stone) continue;
            const B completing = board_.completing_cells(node.own | stone);
            const int promise =
                stone == first ? board_.variant.cells() : popcount(completing & free);
            moves.insert({stone, completing, promise});
        }
        return moves;
    }

    /// Fetches the table's entries of all children while the first child is searched. One ply above
    /// the leaves this is not needed, because the table holds no leaves.
    void prefetch(const Node<B>& node, const Ranking<Move>& moves) const {
        for (const Move& move : moves) table_.prefetch(node.play(move.stone));
    }

    const Board& board_;
    const Evaluator<B>& evaluator_;
    Budget budget_;
    const int most_;
    bool reduces_;
    Lists<Move> moves_;
    Table<B> table_;
};

}  // namespace c4
