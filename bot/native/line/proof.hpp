// The proof of a win: the winner's move in every position, for anyone to check.
#pragma once

#include <algorithm>
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
    int cell, most;
    Lines lines;
};

/// Makes proofs of the wins that `Attack` finds.
template <class Grid>
class Proof {
  public:
    using B = typename Grid::B;

    Proof(const Grid& grid, Attack<Grid>& attack) : grid_(grid), attack_(attack) {}

    /// Returns the steps of a win of the player to move with at most `most` stones. The first step
    /// is that of the position itself.
    std::vector<Step<B>> of_win(const Position<B>& position, int most, int plain) {
        win(position, most, plain);
        return std::move(steps_);
    }

    /// Returns the steps of a win of the opponent.
    std::vector<Step<B>> of_loss(const Position<B>& position, int most, int plain) {
        go_on({position.other, position.own}, 0, most, plain);
        return std::move(steps_);
    }

  private:
    void win(const Position<B>& position, int most, int plain) {
        const Position<B> key = grid_.canonical(position).first;
        if (!seen_.insert({key.own, key.other}).second) return;
        if (const B ends = grid_.winning_cells(position.own, position.other)) {
            steps_.push_back({position, lowest(ends), 1, {}});
            return;
        }
        std::tie(most, plain) = least(position, most, plain);
        const bool by_fours = attack_.wins_by_fours(position, most);
        const B stone = by_fours ? B{1} << attack_.line()[0] : attack_.move(position, most, plain);
        go_on(position, stone, most - 1, plain);
    }

    /// Returns the fewest stones of a win without plain moves, or else the numbers that are known.
    std::pair<int, int> least(const Position<B>& position, int most, int plain) {
        for (int few = 1; few <= most; ++few) {
            if (attack_.wins(position, few, 0)) return {few, 0};
        }
        return {most, plain};
    }

    void go_on(const Position<B>& position, B stone, int most, int plain) {
        const Position<B> attack{position.own | stone, position.other};
        Lines lines;
        const B replies = attack_.replies_to(attack, most, &lines);
        B hard = attack_.unrefuted(attack, replies, most, &lines);
        if (stone && replies == attack_.free(attack)) --plain;
        steps_.push_back(
            {position, stone ? lowest(stone) : -1, most + (stone != 0), std::move(lines)});
        while (hard) win({attack.own, attack.other | take_lowest(hard)}, most, plain);
    }

    const Grid& grid_;
    Attack<Grid>& attack_;
    std::set<std::pair<B, B>> seen_;
    std::vector<Step<B>> steps_;
};

}  // namespace c4
