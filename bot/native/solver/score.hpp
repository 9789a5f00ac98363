// Scores of the solver: they count how soon a game is won, in the winner's stones.
#pragma once

#include "../board.hpp"

namespace c4 {

/// Bounds of a position's score, for the player to move.
///
/// A draw is worth 0. A win is worth half the number of cells plus 1, minus the winner's stones at
/// the end. A loss is worth the negative of the opponent's win (Pons's convention).
struct Bounds {
    int low, high;

    bool is_exact() const { return low >= high; }
    Bounds operator-() const { return {-high, -low}; }

    void narrow(const Bounds& other) {
        low = std::max(low, other.low);
        high = std::min(high, other.high);
    }
};

/// Returns the worth of a win with the `ply`th stone; 0 if the board has fewer cells.
constexpr int worth(const Variant& variant, int ply) {
    return ply <= variant.cells() ? (variant.cells() + 2 - ply) / 2 : 0;
}

}  // namespace c4
