// Bitboards: unsigned integers of 64 or 128 bits, and functions that count and find their bits.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>

namespace c4 {

using Narrow = std::uint64_t;
__extension__ using Wide = unsigned __int128;

inline constexpr int MAX_BITS = 128;  // of a board

template <class T>
concept Bits = std::same_as<T, Narrow> || std::same_as<T, Wide>;

constexpr Narrow low(Wide board) { return static_cast<Narrow>(board); }
constexpr Narrow high(Wide board) { return static_cast<Narrow>(board >> 64); }

constexpr int popcount(Narrow board) { return std::popcount(board); }
constexpr int popcount(Wide board) { return popcount(low(board)) + popcount(high(board)); }

/// Returns the index of the lowest bit of a board that is not empty.
constexpr int lowest(Narrow board) { return std::countr_zero(board); }
constexpr int lowest(Wide board) {
    return low(board) ? lowest(low(board)) : 64 + lowest(high(board));
}

/// Returns whether a board has more than one bit.
template <Bits B>
constexpr bool several(B board) {
    return (board & (board - 1)) != 0;
}

/// Removes the lowest bit of a board that is not empty, and returns it as a board.
template <Bits B>
constexpr B take_lowest(B& board) {
    const B bit = board & -board;
    board ^= bit;
    return bit;
}

}  // namespace c4
