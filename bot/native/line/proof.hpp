// The proof of a win: the winner's move in every position, for anyone to check.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "attack.hpp"

namespace c4 {

/// The winner's move in a position that is seen by the winner (-1 if the opponent is to move), and
/// the maximum number of stones that the winner needs, with this one. Against every reply one of
/// the lines wins (the winner's stones and the forced replies in turn), or there is a step for the
/// position that it leads to, or for an image of it.
template <Bits B>
struct Step {
    Position<B> position;
    int cell, max_stones;
    Lines lines;
};

/// Makes proofs of the wins that `Attack` finds.
template <class Grid>
class Proof {
  public:
    using B = typename Grid::B;

    Proof(const Grid& grid, Attack<Grid>& attack) : grid_(grid), attack_(attack) {}

    /// Returns the steps of a win of the player to move with at most `max_stones` stones. The first
    /// step is that of the position itself.
    std::vector<Step<B>> of_win(const Position<B>& position, int max_stones, int max_plain) {
        win(position, max_stones, max_plain);
        return std::move(steps_);
    }

    /// Returns the steps of a win of the opponent.
    std::vector<Step<B>> of_loss(const Position<B>& position, int max_stones, int max_plain) {
        go_on({position.other, position.own}, 0, max_stones, max_plain);
        return std::move(steps_);
    }

  private:
    void win(const Position<B>& position, int max_stones, int max_plain) {
        const Position<B> key = grid_.canonical(position).first;
        if (!seen_.insert({key.own, key.other}).second) return;
        if (const B ends = grid_.winning_cells(position.own, position.other)) {
            steps_.push_back({position, lowest(ends), 1, {}});
            return;
        }
        std::tie(max_stones, max_plain) = least(position, max_stones, max_plain);
        go_on(position, attack_.first_move(position, max_stones, max_plain), max_stones - 1,
              max_plain);
    }

    /// Returns the fewest stones of a win without plain moves, or else the numbers that are known.
    std::pair<int, int> least(const Position<B>& position, int max_stones, int max_plain) {
        for (int few = 1; few <= max_stones; ++few) {
            if (attack_.wins(position, few, 0)) return {few, 0};
        }
        return {max_stones, max_plain};
    }

    void go_on(const Position<B>& position, B stone, int max_stones, int max_plain) {
        const Position<B> attack{position.own | stone, position.other};
        Lines lines;
        const B replies = attack_.replies_to(attack, max_stones, &lines);
        B hard = attack_.unrefuted(attack, replies, max_stones, &lines);
        if (stone && replies == attack_.free(attack)) --max_plain;
        steps_.push_back(
            {position, stone ? lowest(stone) : -1, max_stones + (stone != 0), std::move(lines)});
        while (hard) win({attack.own, attack.other | take_lowest(hard)}, max_stones, max_plain);
    }

    const Grid& grid_;
    Attack<Grid>& attack_;
    std::set<std::pair<B, B>> seen_;
    std::vector<Step<B>> steps_;
};

}  // namespace c4
