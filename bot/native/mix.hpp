// Numbers that look random and are the same on every machine: splitmix64 (Steele, Lea and Flood,
// "Fast Splittable Pseudorandom Number Generators", 2014), with the constants of its function
// `mix64variant13`. The Python version is in c4_bot/search/human.py.
#pragma once

#include <cstdint>

namespace c4 {

inline constexpr std::uint64_t MIX_STEP = 0x9E3779B97F4A7C15;

/// Returns the number that splitmix64 draws in a state. The next state is `state + MIX_STEP`.
constexpr std::uint64_t mixed(std::uint64_t state) {
    std::uint64_t z = state + MIX_STEP;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}

static_assert(mixed(0) == 0xE220A8397B1DCDAF && mixed(MIX_STEP) == 0x6E789E6AA1B965F4);

}  // namespace c4
