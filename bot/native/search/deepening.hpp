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

    Deepening(const Board& board, const Evaluator<B>& evaluator, const Numbers&,
              const Limits& limits)
        : board_(board), evaluator_(evaluator), budget_(limits), most_(limits.depth),
          moves_(board.variant.cells(), board.choices.size()) {}

    Result search(const Position<B>& position) {
        const int left = board_.variant.cells() - position.ply();
        const int last = most_ < 0 ? left : std::clamp(most_, 1, left);
        std::vector<B> moves = board_.urgent_first(position);
        Result result{.cell = lowest(moves[0]), .line = {lowest(moves[0])}};
        for (int depth = 1; depth <= last; ++depth) {
            auto [found, complete] = root(node_of(board_, position), depth, moves);
            if (found) {
                result = std::move(*found);
                const auto best = std::ranges::find(moves, B{1} << result.cell);
                std::rotate(moves.begin(), best, best + 1);
            }
            if (!complete || result.exact) break;
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
                const Score beta = best ? -best->score : WIN;
                const Score score = node.wins & stone
                                        ? won(node.ply + 1)
                                        : after(play(board_, node, stone), depth - 1, -WIN, beta);
                if (score <= -beta) continue;
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
        for (const Move& move : moves) {
            const Node<B> child = play(node, move.stone, move.completing);
            const Score score = after(child, depth - 1, -beta, -alpha);
            if (score > best.first) best = {score, move.stone};
            alpha = std::max(alpha, score);
            if (alpha >= beta) break;
        }
        return best;
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
    Lists<Move> moves_;
    Table<B> table_;
};

}  // namespace c4
