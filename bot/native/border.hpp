// What crosses the border to Python, and how.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "board.hpp"
#include "contract.hpp"

namespace c4 {

using Halves = std::pair<std::uint64_t, std::uint64_t>;   // of a bitboard, the lower one first
using Sizes = std::tuple<int, int, int, bool, unsigned>;  // the fields of a `Variant`

/// Adds the class `Solver` to the module; in solver.cpp.
void add_solver(nanobind::module_& module);

/// Adds the class `LineSolver`; in line.cpp.
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

inline Limits limits_of(int depth, std::int64_t nodes, double seconds, int threads) {
    Limits limits{depth, nodes, std::nullopt, threads};
    if (seconds >= 0) {
        const std::chrono::duration<double> left(std::min(seconds, 1e9));  // more would overflow
        limits.deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(left);
    }
    return limits;
}

}  // namespace c4
