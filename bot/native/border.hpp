// The types that are exchanged with Python, and their conversions.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "board.hpp"
#include "contract.hpp"

namespace c4 {

using Halves = std::pair<std::uint64_t, std::uint64_t>;   // a bitboard: lower 64 bits, upper 64
using Stones = std::pair<Halves, Halves>;                 // of the player to move, of the opponent
using Sizes = std::tuple<int, int, int, bool, unsigned>;  // the fields of a `Variant`
using LimitFields = std::tuple<int, std::int64_t, double, int>;  // depth, nodes, seconds, threads

/// Adds the class `Solver` to the module; in solver.cpp.
void add_solver(nanobind::module_& module);

/// Adds the class `LineSolver` to the module; in line.cpp.
void add_line_solver(nanobind::module_& module);

inline Variant variant_of(const Sizes& sizes) {
    const auto [width, height, connect, gravity, directions] = sizes;
    const auto is_side = [](int n) { return 1 <= n && n <= MAX_SIDE; };
    if (!is_side(width) || !is_side(height) || !is_side(connect)) {
        throw std::invalid_argument("no such variant");
    }
    return {width, height, connect, gravity, directions};
}

template <Bits B>
B whole(const Halves& halves) {
    return static_cast<B>(Wide{halves.second} << 64 | halves.first);
}

template <Bits B>
Position<B> position_of(const Stones& stones) {
    return {whole<B>(stones.first), whole<B>(stones.second)};
}

/// Returns the limits of a search that starts now.
inline Limits limits_of(const LimitFields& fields) {
    const auto [depth, nodes, seconds, threads] = fields;
    Limits limits{depth, nodes, std::nullopt, threads};
    if (seconds >= 0) {
        const std::chrono::duration<double> left(std::min(seconds, 1e9));  // more would overflow
        limits.deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(left);
    }
    return limits;
}

}  // namespace c4
