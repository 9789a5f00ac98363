// The hash of a position, for tables of positions.
#pragma once

#include "board.hpp"

namespace c4 {

/// Returns a number whose upper bits are spread well: multiplicative hashing, as in
/// c4_bot/search/_table.py.
template <Bits B>
constexpr Narrow hash_of(const Position<B>& position) {
    const Wide own = position.own, other = position.other;
    return low(own) * 0x9E3779B97F4A7C15 + high(own) * 0xC2B2AE3D27D4EB4F +
           low(other) * 0x165667B19E3779F9 + high(other) * 0xD6E8FEB86659FD93;
}

}  // namespace c4
