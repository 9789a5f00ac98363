// Iterative deepening that orders moves by the last iteration: the twin of
// c4_bot/search/last_iteration.py.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "iterations.hpp"
#include "threats.hpp"

namespace c4 {

/// All cells of a board, sorted by their distance from some stones. Lists for a single stone are
/// needed at every node, so they are made once.
template <class Board>
class Nearest {
  public:
    using B = typename Board::B;

    explicit Nearest(const Board& board) : board_(board), of_one_(board.variant.bits()) {}

    const std::vector<B>& to(B stones) {
        if (popcount(stones) != 1) return of_several_ = sorted(stones);
        std::vector<B>& cells = of_one_[lowest(stones)];
        if (cells.empty()) cells = sorted(stones);
        return cells;
    }

  private:
    /// Returns all cells by their steps along rows and columns to the nearest of the stones; equal
    /// ones, and all without stones, in the order of the board's choices.
    std::vector<B> sorted(B stones) const {
        const int stride = board_.variant.stride();
        std::vector<B> cells;
        B reached = 0;
        for (B ring = stones ? stones : board_.all; ring;) {
            for (const B choice : board_.choices) {
                for (B left = choice & ring; left;) cells.push_back(take_lowest(left));
            }
            reached |= ring;
            const B beside = ring << 1 | ring >> 1 | ring << stride | ring >> stride;
            ring = beside & board_.all & ~reached;
        }
        return cells;
    }

    const Board& board_;
    std::vector<std::vector<B>> of_one_;
    std::vector<B> of_several_;
};

/// A position with the latest stone; at the root, with all stones of the opponent.
template <Bits B>
struct NodeWithLast : Node<B> {
    B last;
};

template <class Board, class B = typename Board::B>
class LastIteration : public Iterations<LastIteration<Board>, Board, NodeWithLast<B>> {
    using Child = NodeWithLast<B>;
    using Base = Iterations<LastIteration<Board>, Board, Child>;
    friend Base;
    using Base::board_, Base::evaluator_, Base::reduces_, Base::table_;

  public:
    LastIteration(const Board& board, const Evaluator<B>& evaluator, Parameters& parameters,
                  const Limits& limits)
        : Base(board, evaluator, limits, take(parameters, "reduces")),
          sorts_for_mover_(take(parameters, "sorts_for_mover")),
          sees_threats_(take(parameters, "sees_threats")),
          transpositions_(take(parameters, "transpositions")),
          most_fours_(take(parameters, "fours")),
          moves_(board.variant.cells(), board.variant.cells()) {}

    Result search(const Position<B>& position) {
        return search(position, board_.playable(position.occupied()));
    }

    /// Searches only the moves among some cells.
    Result search(const Position<B>& position, B among) {
        root_ply_ = position.ply();
        std::vector<B> moves = board_.urgent_first(position);
        std::erase_if(moves, [among](B stone) { return !(stone & among); });
        return this->deepen({node_of(board_, position), position.other}, std::move(moves));
    }

  private:
    static constexpr std::array REDUCTIONS = {std::pair(3, 1), std::pair(6, 2), std::pair(12, 3)};

    struct Move {
        B stone;
        Score promise;
    };

    /// The cells that complete a line are found only if somebody asks for them.
    Child child(const Child& node, B stone) const {
        if (sees_threats_ || reduces_) return {play(board_, node, stone), stone};
        return {{node.play(stone), 0, 0, node.ply + 1}, stone};
    }
    Child child(const Child& node, const Move& move) const { return child(node, move.stone); }

    bool searches_with_null_window() const { return reduces_; }

    std::vector<B> ordered_at_root(const Child& node, const std::vector<B>& moves, int depth,
                                   const Result& previous) {
        B cells = 0;
        for (const B stone : moves) cells |= stone;
        const B first = previous.depth ? B{1} << previous.cell : 0;
        const Ranking<Move> ranked = ordered(node, cells, first, depth);
        std::vector<B> stones(ranked.size());
        std::ranges::transform(ranked, stones.begin(), &Move::stone);
        return stones;
    }

    /// Returns the next move if all finished moves lose; nothing if the previous iteration has
    /// already found that all moves lose.
    static std::optional<Result> result_when_cut_short(const Result& best, B stone,
                                                       const Result& previous) {
        if (best.score >= -MAX_EVALUATION) return best;
        if (previous.score < -MAX_EVALUATION) return {};
        Result result = previous;
        result.cell = lowest(stone);
        result.line = {result.cell};
        return result;
    }

    Score score_of_position(const Child& node, int depth, Score alpha, Score beta) {
        if (sees_threats_) return Base::score_of_position(node, depth, alpha, beta);
        this->budget_.visit();
        if (depth == 0 || board_.has_line(node.other) || board_.is_full(node)) {
            const Score score = evaluate(node);
            table_.store(node, 0, score, Bound::EXACT, 0);
            return score;
        }
        return this->score_by_search(node, depth, alpha, beta);
    }

    Score foreseen_win(const Child& node, B playable, int depth, Score beta) {
        if (board_.variant.gravity) return 0;
        const Makers makers(board_, node.own, playable);
        if (makers.cells_making_two_threats()) return won(node.ply + 3);
        const auto fours =
            static_cast<int>(fours_to_win(node, makers.cells_making_a_threat(), most_fours_));
        return fours && counts(node.ply, fours, depth, beta) ? won(node.ply + 3 + 2 * fours) : 0;
    }

    /// Returns whether a win by fours ends the search of a position. A sooner win does not matter if
    /// the score need not be exact, or if it, too, comes later than the search looks ahead.
    bool counts(int ply, int fours, int depth, Score beta) const {
        const int last = 3 + 2 * fours;
        return reduces_ || fours <= 1 || last - 2 > depth || won(ply + last) >= beta;
    }

    /// Returns with how many fours, at most `most`, the player to move gets a stone that makes two
    /// threats; 0 if this player does not. `makers` are the stones to try first.
    Score fours_to_win(const Position<B>& position, B makers, Score most) {
        if (!most) return 0;
        while (makers) {
            const Score found = fours_after(position, take_lowest(makers), most);
            if (found) return found;
        }
        return 0;
    }

    /// Returns the same if the first four is made with `stone`.
    Score fours_after(const Position<B>& position, B stone, Score most) {
        this->budget_.visit();
        const B own = position.own | stone;
        const Position<B> next{own, position.other | board_.winning_cells({own, position.other})};
        const B playable = board_.playable(next.occupied());
        const B threats = board_.opponent_winning_cells(next);
        const B choices = !threats ? playable : several(threats) ? B{0} : threats;
        const Makers makers(board_, next.own, playable);
        if (makers.cells_making_two_threats() & choices) return 1;
        const Score found = fours_to_win(next, makers.cells_making_a_threat() & choices, most - 1);
        return found ? found + 1 : 0;
    }

    bool is_root_player(const Child& node) const { return (node.ply - root_ply_) % 2 == 0; }

    /// Returns the score of a leaf, evaluated for the player who moves at the root.
    Score evaluate(const Child& node) const {
        return evaluator_.evaluate_for(is_root_player(node) ? 1 : -1, node.own, node.other);
    }

    std::pair<B, Score> cells_to_try(const Child& node, B playable) const {
        if (board_.variant.gravity || !sees_threats_) return {playable, -WIN};
        const Makers theirs(board_, node.other, playable);
        if (theirs.cells_making_two_threats()) {
            const Makers ours(board_, node.own, playable);
            return {ours.cells_making_a_threat() | theirs.defences(), -won(node.ply + 4)};
        }
        const B alive = playable & (cells_of_lines_without(board_, node.own) |
                                    cells_of_lines_without(board_, node.other));
        return {alive, alive ? -WIN : 0};
    }

    /// Returns `first`, then the moves that the last iteration scored (not if late moves are
    /// searched less deep: looking them up takes longer than it saves), then the others: by their
    /// promise if threats are seen, and among equal ones the nearest to the last stones first.
    Ranking<Move> ordered(const Child& node, B cells, B first, int depth) {
        Ranking<Move> moves(moves_.at(node.ply));
        if (cells & first) moves.insert({first, 0});
        cells &= ~first;
        // Leaves are new to each iteration. If leaves are not stored, their parents are new too.
        if (depth > 1 + sees_threats_ && !reduces_) cells &= ~add_known(node, cells, moves);
        if (sees_threats_) {
            add_promising(node, cells, moves);
        } else {
            for (const B stone : nearest_.to(node.last)) {
                if (stone & cells) moves.insert({stone, 0}, moves.size());
            }
        }
        return moves;
    }

    /// Adds the moves by their promise; among equal ones the nearest first.
    void add_promising(const Child& node, B cells, Ranking<Move>& moves) {
        const CellWorths worths(board_, node.own, node.other);
        const int before = moves.size();
        for (const B stone : nearest_.to(node.last)) {
            if (stone & cells) moves.insert({stone, worths.at(stone)}, before);
        }
    }

    /// Adds the moves to positions that the table holds, the best first; returns these moves.
    B add_known(const Child& node, B cells, Ranking<Move>& moves) const {
        const int sign = sorts_for_mover_ || is_root_player(node) ? 1 : -1;
        const int before = moves.size();
        B found = 0;
        for (const B choice : board_.choices) {
            const B stone = choice & cells;
            const Entry<B>* entry = stone ? table_.find(node.play(stone)) : nullptr;
            if (!entry) continue;
            moves.insert({stone, -sign * entry->score}, before);
            found |= stone;
        }
        return found;
    }

    const bool sorts_for_mover_, sees_threats_, transpositions_;
    const Score most_fours_;
    int root_ply_ = 0;
    Lists<Move> moves_;
    Nearest<Board> nearest_{board_};
};

}  // namespace c4
