// Checks that the solver's table takes no position for another, also on boards of more than 64
// bits.
//
// Two keys are chosen so that multiplicative hashes of their halves are equal. A table that stores
// only such a hash would find the entry of one under the other.

#include "solver/table.hpp"

#include <bit>
#include <cstdio>
#include <utility>

namespace {

using c4::Narrow;
using c4::Wide;

constexpr Narrow LOW = 0x165667B19E3779F9, HIGH = 0xD6E8FEB86659FD93;

/// Returns the inverse of an odd number modulo 2^64, by Newton's method.
constexpr Narrow inverse(Narrow odd) {
    Narrow found = odd;
    for (int i = 0; i < 6; ++i) found *= 2 - odd * found;
    return found;
}

constexpr int bucket(Wide key) {
    const Narrow mixed = c4::low(key) * 0x9E3779B97F4A7C15 ^
                         std::rotl(c4::high(key) * 0xC2B2AE3D27D4EB4F, 32);
    return static_cast<int>((mixed * 0x9E3779B97F4A7C15) >> 44);
}

/// Returns two different keys with the same hashes of 64 and of 20 bits.
std::pair<Wide, Wide> twins() {
    for (Narrow seed = 1;; ++seed) {
        const Narrow low = seed * 0x9E3779B97F4A7C15, high = seed * 0xC2B2AE3D27D4EB4F;
        const Wide one = Wide{high} << 64 | low;
        const Narrow other_high = high + 1, other_low = low - HIGH * inverse(LOW);
        const Wide other = Wide{other_high} << 64 | other_low;
        if (bucket(one) == bucket(other)) return {one, other};
    }
}

template <class B>
bool holds(const c4::SolverTable<B>& table, B key, c4::Bounds expected) {
    c4::Bounds bounds{-64, 63};
    table.find(table.place_of(key), bounds);
    return bounds.low == expected.low && bounds.high == expected.high;
}

template <class B>
int check(int key_bits, B one, B other) {
    constexpr c4::Bounds UNKNOWN{-64, 63}, SCORE{5, 7};
    c4::SolverTable<B> table(key_bits, 1);
    table.store(table.place_of(one), SCORE, 3);
    int mistakes = !holds(table, one, SCORE) + !holds(table, other, UNKNOWN);
    for (int bit = 0; bit < key_bits; ++bit) {
        mistakes += !holds(table, static_cast<B>(one ^ (B{1} << bit)), UNKNOWN);
    }
    return mistakes;
}

}  // namespace

int main() {
    const auto [one, other] = twins();
    int mistakes = check<Wide>(128, one, other);
    for (int bits = 65; bits <= 128; ++bits) {
        const Wide mask = ~Wide{0} >> (128 - bits);
        mistakes += check<Wide>(bits, one & mask, (one + 1) & mask);
    }
    for (int bits = 2; bits <= 64; ++bits) {
        const Narrow mask = ~Narrow{0} >> (64 - bits);
        mistakes += check<Narrow>(bits, c4::low(one) & mask, (c4::low(one) + 1) & mask);
    }
    std::printf("%d mistakes\n", mistakes);
    return mistakes != 0;
}
