// Scores of the solver: how soon a game is won, in the winner's stones.
#pragma once

#include "../board.hpp"

namespace c4 {

/// What is known of a position's score, for the player to move.
///
/// 0 is a draw; a win is worth one more than half the board's cells less the winner's stones when
/// it wins; a loss is worth the negative of the other player's win (Pons's convention).
struct Bounds {
    int low, high;

    bool is_exact() const { return low >= high; }
    Bounds operator-() const { return {-high, -low}; }

    void narrow(const Bounds& other) {
        low = std::max(low, other.low);
        high = std::min(high, other.high);
    }
};

/// The worth of the win that the `ply`th stone brings; 0 where the board has no room for it.
constexpr int worth(const Variant& variant, int ply) {
    return ply <= variant.cells() ? (variant.cells() + 2 - ply) / 2 : 0;
}

}  // namespace c4
