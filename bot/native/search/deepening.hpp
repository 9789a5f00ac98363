// Iterative deepening that orders moves by the threats that they make: the twin of
// c4_bot/search/deepening.py.
#pragma once

#include <array>
#include <utility>

#include "iterations.hpp"

namespace c4 {

/// What `Deepening` and searches that inherit from it share. `Self` is the search.
template <class Self, class Board, class B = typename Board::B>
class DeepeningBase : public Iterations<Self, Board, Node<B>> {
    using Base = Iterations<Self, Board, Node<B>>;
    friend Base;

  protected:
    using Base::board_;

    DeepeningBase(const Board& board, const Evaluator<B>& evaluator, const Limits& limits,
                  bool reduces)
        : Base(board, evaluator, limits, reduces),
          moves_(board.variant.cells(), board.choices.size()) {}

    static constexpr std::array REDUCTIONS = {std::pair(3, 2), std::pair(5, 4)};
    static constexpr bool sees_threats_ = true, transpositions_ = true;

    struct Move {
        B stone;
        B completing;  // the cells that then complete a line of the player who made the move
        int promise;
    };

    Node<B> child(const Node<B>& node, B stone) const { return play(board_, node, stone); }
    Node<B> child(const Node<B>& node, const Move& move) const {
        return play(node, move.stone, move.completing);
    }

    Score evaluate(const Node<B>& node) const {
        return this->evaluator_.evaluate(node.own, node.other, true);
    }

    /// Returns `first`, then the moves after which the most free cells win, most first; equal
    /// moves come centre first.
    Ranking<Move> ordered(const Node<B>& node, B playable, B first, int) {
        const B free = board_.all & ~node.occupied();
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
    void prefetch(const Node<B>& node, const Ranking<Move>& moves, int depth) const {
        if (depth <= 1) return;
        for (const Move& move : moves) this->table_.prefetch(node.play(move.stone));
    }

    Lists<Move> moves_;
};

template <class Board, class B = typename Board::B>
class Deepening : public DeepeningBase<Deepening<Board>, Board> {
    using Base = DeepeningBase<Deepening<Board>, Board>;

  public:
    Deepening(const Board& board, const Evaluator<B>& evaluator, Parameters& parameters,
              const Limits& limits)
        : Base(board, evaluator, limits, take(parameters, "reduces")) {}

    Result search(const Position<B>& position) {
        return this->deepen(node_of(this->board_, position), this->board_.urgent_first(position));
    }
};

}  // namespace c4
