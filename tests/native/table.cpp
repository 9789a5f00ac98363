// Checks that the solver's table takes no position for another, on boards of all sizes.
//
// Two keys in the same bucket may differ in one bit only. Such pairs are made from their places: the
// table multiplies a key by an odd number, and a multiplication by its inverse leads back.

#include "solver/table.hpp"

#include <algorithm>
#include <cstdio>

namespace {

using c4::Narrow;
using c4::Wide;

/// Returns the inverse of an odd number modulo a power of two, by Newton's method.
template <class B>
constexpr B inverse(B odd) {
    B found = odd;
    for (int i = 0; i < 7; ++i) found *= 2 - odd * found;
    return found;
}

template <class B, int WORK_BITS>
bool holds(const c4::SolverTable<B, WORK_BITS>& table, B key, c4::Bounds expected) {
    c4::Bounds bounds{-64, 63};
    table.find(table.place_of(key), bounds);
    return bounds.low == expected.low && bounds.high == expected.high;
}

/// Returns the number of mistakes with keys of this length in the smallest table.
template <class B, int WORK_BITS>
int check(int key_bits) {
    constexpr c4::Bounds UNKNOWN{-64, 63}, SCORE{5, 7};
    const B mask = ~B{0} >> (int{8 * sizeof(B)} - key_bits);
    const B one = (B{0x0123456789ABCDEF} * 0x9E3779B97F4A7C15) & mask;
    using Table = c4::SolverTable<B, WORK_BITS>;
    constexpr int FEWEST_BITS = 14 + WORK_BITS;  // of a bucket
    Table table(key_bits, 1);
    table.store(table.place_of(one), SCORE, 3);
    int mistakes = !holds(table, one, SCORE), neighbours = 0;
    for (int bit = 0; bit < key_bits; ++bit) {
        const B product = one * Table::MULTIPLIER ^ B{1} << bit;
        const B other = (product * inverse(Table::MULTIPLIER)) & mask;
        neighbours += table.place_of(other).bucket == table.place_of(one).bucket;
        mistakes += !holds(table, other, UNKNOWN);
    }
    // The number of bits that a bucket cannot tell apart.
    const int different_bits = std::max(0, key_bits - FEWEST_BITS - 1);
    return mistakes + (neighbours < different_bits);
}

}  // namespace

int main() {
    int mistakes = 0;
    for (int bits = 2; bits <= 64; ++bits)
        mistakes += check<Narrow, 6>(bits) + check<Narrow, 0>(bits);
    for (int bits = 65; bits <= 128; ++bits)
        mistakes += check<Wide, 6>(bits) + check<Wide, 0>(bits);
    std::printf("%d mistakes\n", mistakes);
    return mistakes != 0;
}
