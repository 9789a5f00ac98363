// A search that overlooks lines as people do: the twin of c4_bot/search/human.py.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

#include "../mix.hpp"
#include "deepening.hpp"

namespace c4 {

/// The draws of one answer: numbers that depend on the seed and the position alone.
template <Bits B>
class Draws {
  public:
    Draws(std::uint64_t seed, const Position<B>& position) : key_(seed) {
        for (const Wide stones : {Wide{position.own}, Wide{position.other}}) {
            key_ = mixed(mixed(key_ ^ low(stones)) ^ high(stones));
        }
    }

    /// Returns the number of a subject: a cell and a direction, or a cell and `NOISE`.
    std::uint64_t of(int cell, int subject) const { return mixed(key_ ^ (4 * cell + subject)); }

  private:
    std::uint64_t key_;
};

template <class Board, class B = typename Board::B>
class Human : public DeepeningBase<Human<Board>, Board> {
    using Base = DeepeningBase<Human<Board>, Board>;
    friend Base;
    friend Iterations<Human<Board>, Board, Node<B>>;
    using Base::board_, Base::budget_, Base::limits_;

  public:
    Human(const Board& board, const Evaluator<B>& evaluator, Parameters& parameters,
          const Limits& limits)
        : Base(board, evaluator, limits, true), nodes_(take(parameters, "nodes")),
          overlooks_now_(take(parameters, "overlooks_now")),
          overlooks_later_(take(parameters, "overlooks_later")), noise_(take(parameters, "noise")),
          seed_(take(parameters, "seed")) {}

    Result search(const Position<B>& position) {
        ply_ = position.ply();
        look(position);
        const Score most = nodes_ * CELLS / std::max(CELLS, Score{board_.variant.cells()});
        budget_.allow(limits_.nodes < 0 ? most : std::min(most, limits_.nodes));
        const Node<B> root{position, seen_completing(position.own, 0, position.occupied()),
                           seen_completing(position.other, 1, position.occupied()), ply_};
        return without_claims(position, this->deepen(root, board_.moves(position)));
    }

  private:
    static constexpr int HORIZONTALS = 0, VERTICALS = 1, DIAGONALS = 2, NOISE = 3;
    static constexpr std::array<Score, 3> PERCENT = {100, 100, 160};
    static constexpr Score CELLS = 64;         // of the largest board without fewer nodes
    static constexpr Score BELIEVED = 10'000;  // of a move that seems to win

    int direction_of(int step) const {
        const int stride = board_.variant.stride();
        return step == stride ? HORIZONTALS : step == 1 ? VERTICALS : DIAGONALS;
    }

    /// Finds the cells on which lines of both players are seen, and the noise of all moves.
    void look(const Position<B>& position) {
        const Draws<B> draws(seed_, position);
        const B playable = board_.playable(position.occupied());
        for (int direction = 0; direction < 3; ++direction) {
            const B now = seen_cells(position, draws, direction, overlooks_now_);
            const B later = seen_cells(position, draws, direction, overlooks_later_);
            for (const int who : {0, 1}) {
                const B stones = who ? position.other : position.own;
                const B close = completing_cells(stones, direction) & playable;
                seen_[who][direction] = (close & now) | (~close & later);
            }
        }
        for (B left = playable; left;) {
            const int cell = lowest(take_lowest(left));
            noise_of_[cell] = noise(draws.of(cell, NOISE));
        }
    }

    /// Returns the free cells on which a line is seen if `overlooks` thousandths are not.
    B seen_cells(const Position<B>& position, const Draws<B>& draws, int direction,
                 Score overlooks) const {
        B found = 0;
        for (B left = board_.all & ~position.occupied(); left;) {
            const B cell = take_lowest(left);
            const Score drawn = draws.of(lowest(cell), direction) % 10'000'000;
            const Score percent = PERCENT[direction] * percent_of(lowest(cell));
            if (drawn >= overlooks * percent) found |= cell;
        }
        return found;
    }

    B completing_cells(B stones, int direction) const {
        B found = 0;
        for (const int step : board_.steps) {
            if (direction_of(step) == direction) found |= board_.completing_in(stones, step);
        }
        return found;
    }

    Score noise(std::uint64_t drawn) const {
        const std::uint64_t count = noise_ + 1;
        return static_cast<Score>((drawn & 0xFFFFFFFF) % count) -
               static_cast<Score>((drawn >> 32) % count);
    }

    /// Returns how often a line on a cell is overlooked, in hundredths of the usual share.
    Score percent_of(int cell) const {
        const auto& [width, height, connect, gravity, directions] = board_.variant;
        const int x = cell / board_.variant.stride(), y = cell % board_.variant.stride();
        return 50 + 50 * std::abs(2 * x - width + 1) / std::max(width - 1, 1) +
               50 * (height - 1 - y) / std::max(height - 1, 1);
    }

    /// Returns the free cells on which a player is seen to complete a line; `who` is 0 for the
    /// player to move at the root.
    B seen_completing(B stones, int who, B occupied) const {
        B found = 0;
        for (const int step : board_.steps) {
            found |= board_.completing_in(stones, step) & seen_[who][direction_of(step)];
        }
        return found & ~occupied;
    }

    /// Returns the node after a move, with the completing cells that are seen.
    Node<B> child(const Node<B>& node, B stone) const {
        const B own = node.own | stone, occupied = node.occupied() | stone;
        return play(node, stone, seen_completing(own, (node.ply - ply_) & 1, occupied));
    }
    template <class Move>
    Node<B> child(const Node<B>& node, const Move& move) const {
        return child(node, move.stone);
    }

    Score root_score(const Node<B>& node, B stone, int depth, Score best) {
        const Score noise = noise_of_[lowest(stone)];
        const Score floor = is_proven(best) ? best : best - noise;
        const Score score = Base::root_score(node, stone, depth, floor);
        return is_proven(score) ? score : score + noise;
    }

    /// Returns a result that claims a win only if the move completes a line.
    Result without_claims(const Position<B>& position, Result result) const {
        result.exact = false;
        if (board_.has_line(position.own | B{1} << result.cell)) {
            return {.cell = result.cell,
                    .score = won(position.ply() + 1),
                    .exact = true,
                    .depth = std::max(result.depth, 1),
                    .nodes = result.nodes,
                    .line = {result.cell}};
        }
        result.reason = "judged as a person would";
        if (is_proven(result.score)) {
            result.reason = result.score > 0 ? "seems to win" : "seems to lose";
            result.score = result.score > 0 ? BELIEVED : -BELIEVED;
        }
        return result;
    }

    const Score nodes_, overlooks_now_, overlooks_later_, noise_;
    const std::uint64_t seed_;
    int ply_ = 0;
    std::array<std::array<B, 3>, 2> seen_{};
    std::array<Score, 8 * sizeof(B)> noise_of_{};
};

}  // namespace c4
