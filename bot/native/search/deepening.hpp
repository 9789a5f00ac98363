// Iterative deepening alpha-beta with a transposition table: the twin of
// c4_bot/search/deepening.py.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "../board.hpp"
#include "../contract.hpp"
#include "table.hpp"

namespace c4 {

template <class Board>
class Deepening {
  public:
    using B = typename Board::B;

    Deepening(const Board& board, const Evaluator<B>& evaluator, const Numbers&,
              const Limits& limits)
        : board_(board), evaluator_(evaluator), budget_(limits), most_(limits.depth) {}

    Result search(const Position<B>& position) {
        const int left = board_.variant.cells() - position.ply();
        const int last = most_ < 0 ? left : std::clamp(most_, 1, left);
        std::vector<B> moves = board_.urgent_first(position);
        Result result{.cell = lowest(moves[0]), .line = {lowest(moves[0])}};
        for (int depth = 1; depth <= last; ++depth) {
            auto [found, complete] = root(node_of(position), depth, moves);
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
    /// A position with the cells, taken or not, that complete a line of the player to move (`wins`)
    /// and of the opponent (`threats`). A move changes only one of the two, so a child takes over
    /// the other from its parent.
    struct Node : Position<B> {
        B wins, threats;
    };

    struct Move {
        B stone;
        B wins;  // the cells that then complete a line of the player who made the move
        int promise;
    };

    /// Moves by their promise, the best first; equal ones keep their order.
    class Moves {
      public:
        void insert(const Move& move) {
            int place = count_++;
            for (; place > 0 && moves_[place - 1].promise < move.promise; --place) {
                moves_[place] = moves_[place - 1];
            }
            moves_[place] = move;
        }

        const Move* begin() const { return moves_.data(); }
        const Move* end() const { return moves_.data() + count_; }

      private:
        std::array<Move, 8 * sizeof(B)> moves_;
        int count_ = 0;
    };

    Node node_of(const Position<B>& position) const {
        return {position, board_.completing_cells(position.own),
                board_.completing_cells(position.other)};
    }

    static Node play(const Node& node, B stone, B wins) {
        return {node.Position<B>::play(stone), node.threats, wins};
    }

    Node play(const Node& node, B stone) const {
        return play(node, stone, board_.completing_cells(node.own | stone));
    }

    /// Runs one iteration; returns its best finished move, and whether it finished all moves.
    std::pair<std::optional<Result>, bool> root(const Node& node, int depth,
                                                const std::vector<B>& moves) {
        std::optional<Result> best;
        try {
            for (const B stone : moves) {
                const Score beta = best ? -best->score : WIN;
                const Score score = node.wins & stone
                                        ? won(node.ply() + 1)
                                        : after(play(node, stone), depth - 1, -WIN, beta);
                if (score <= -beta) continue;
                best = {lowest(stone), score, false, depth, 0, line(node, stone, depth)};
            }
        } catch (const OutOfBudget&) {
            return {best, false};
        }
        if (best) {
            best->exact = is_exact(best->score, depth, node.ply(), board_.variant.cells());
        }
        return {best, true};
    }

    /// Returns the score of a move that does not win, for the player who made it.
    Score after(const Node& child, int depth, Score alpha, Score beta) {
        return board_.is_full(child) ? 0 : -visit(child, depth, alpha, beta);
    }

    /// Returns the score for the player to move, in a game that is not over.
    Score visit(const Node& node, int depth, Score alpha, Score beta) {
        budget_.visit();
        const B playable = board_.playable(node.occupied());
        if (node.wins & playable) return won(node.ply() + 1);
        if (const B threats = node.threats & playable) {
            if (several(threats)) return -won(node.ply() + 2);
            return after(play(node, threats), depth, -beta, -alpha);
        }
        if (depth <= 0) return evaluator_.evaluate(node.own, node.other);
        return expand(node, depth, alpha, beta);
    }

    Score expand(const Node& node, int depth, Score alpha, Score beta) {
        const Entry<B>* entry = table_.find(node);
        if (entry && entry->answers(depth, alpha, beta)) return entry->score;
        const B first = entry ? B{1} << entry->cell : 0;
        const auto [score, stone] = best_of(node, depth, alpha, beta, first);
        table_.store(node, depth, score, bound_of(score, alpha, beta), lowest(stone));
        return score;
    }

    /// Returns the best move and its score; tries the moves in the order of `ordered`.
    std::pair<Score, B> best_of(const Node& node, int depth, Score alpha, Score beta, B first) {
        std::pair<Score, B> best{-WIN, 0};
        const Moves moves = ordered(node, first);
        if (depth > 1) prefetch(node, moves);
        for (const Move& move : moves) {
            const Node child = play(node, move.stone, move.wins);
            const Score score = after(child, depth - 1, -beta, -alpha);
            if (score > best.first) best = {score, move.stone};
            alpha = std::max(alpha, score);
            if (alpha >= beta) break;
        }
        return best;
    }

    /// Returns `first`, then the moves after which the most free cells win, most first; equal
    /// moves come centre first.
    Moves ordered(const Node& node, B first) const {
        const B free = board_.all & ~node.occupied();
        const B playable = board_.playable(node.occupied());
        Moves moves;
        for (const B choice : board_.choices) {
            const B stone = playable & choice;
            if (!stone) continue;
            const B wins = board_.completing_cells(node.own | stone);
            const int promise = stone == first ? board_.variant.cells() : popcount(wins & free);
            moves.insert({stone, wins, promise});
        }
        return moves;
    }

    /// Fetches the table's entries of all children while the first child is searched. One ply above
    /// the leaves this is not needed, because the table holds no leaves.
    void prefetch(const Node& node, const Moves& moves) const {
        for (const Move& move : moves) table_.prefetch(node.Position<B>::play(move.stone));
    }

    /// Returns `stone` and the expected moves after it that the table holds.
    std::vector<int> line(Position<B> position, B stone, int most) const {
        std::vector<int> cells = {lowest(stone)};
        position = position.play(stone);
        while (static_cast<int>(cells.size()) < most && !board_.is_over(position)) {
            const Entry<B>* entry = table_.find(position);
            if (!entry) break;
            cells.push_back(entry->cell);
            position = position.play(B{1} << entry->cell);
        }
        return cells;
    }

    const Board& board_;
    const Evaluator<B>& evaluator_;
    Budget budget_;
    const int most_;
    Table<B>& table_ = Table<B>::empty();
};

}  // namespace c4
