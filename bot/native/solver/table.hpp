// The solver's table of positions. Any number of threads may use one table.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>

#ifdef __linux__
#include <sys/mman.h>
#endif

#include "../bits.hpp"
#include "../zeroed.hpp"
#include "score.hpp"

namespace c4 {

/// Returns a number that is different for every position of a variant: the bits of the player's own
/// stones, and one bit above the top of each column.
template <class Board, class B = typename Board::B>
B key_of(const Board& board, const Position<B>& position) {
    return position.own + position.occupied() + board.bottom;
}

/// The place of a key in a table: its bucket, and the number that other keys there do not have.
template <Bits B>
struct Place {
    std::uint64_t bucket;
    B check;
};

/// A table whose buckets have two slots: for the entry that took the most work, and for the last
/// one. Without `WORK_BITS` the work is not stored, and the slots are for the last two entries.
///
/// Keys are scrambled one to one and kept whole, in the number of the bucket and in the slot, so
/// that no position is taken for another. On boards of more than 64 bits, slots have two words. Two
/// threads that write one slot at the same moment can leave half of each entry. The key in it is
/// then that of a third position with a probability of about 2^-64.
template <Bits B, int WORK_BITS = 6>
class SolverTable {
  public:
    /// Odd, so that different keys have different products: 2^64 and 2^128 divided by the golden
    /// ratio (Knuth, The Art of Computer Programming, volume 3, 6.4).
    static constexpr B MULTIPLIER =
        sizeof(B) == 8 ? B{0x9E3779B97F4A7C15}
                       : static_cast<B>(Wide{0x9E3779B97F4A7C15} << 64 | 0xF39CC0605CEDC835);

    /// Makes an empty table of at most `bytes`, but with at least 2^(14 + WORK_BITS) buckets.
    SolverTable(int key_bits, std::size_t bytes)
        : key_bits_(key_bits), bucket_bits_(bits_for(bytes)), words_(zeroed<Word>(words())) {
        use_large_pages();
    }

    void forget() { std::memset(static_cast<void*>(words_.get()), 0, bytes()); }

    Place<B> place_of(B key) const {
        const B mixed = (key * MULTIPLIER) & ones<B>(key_bits_);
        const int check_bits = std::max(0, key_bits_ - bucket_bits_);
        return {static_cast<std::uint64_t>(mixed >> check_bits), mixed & ones<B>(check_bits)};
    }

    void prefetch(const Place<B>& place) const { __builtin_prefetch(bucket(place)); }

    /// Narrows the bounds by the entry of a place, if there is one.
    void find(const Place<B>& place, Bounds& bounds) const {
        const Word* words = bucket(place);
        for (int slot = 0; slot < 2; ++slot) {
            const std::uint64_t entry = read(words + std::ptrdiff_t{slot} * SLOT, place);
            if (entry) {
                const Narrow found = entry >> WORK_BITS;
                bounds.narrow({int(found >> 7 & 127) - 64, int(found & 127) - 64});
                return;
            }
        }
    }

    /// Stores the bounds, and the logarithm of the nodes that they took.
    void store(const Place<B>& place, const Bounds& bounds, std::int64_t nodes) {
        Word* words = bucket(place);
        const Narrow work = WORK_BITS ? std::bit_width(static_cast<Narrow>(nodes)) : 0;
        const Narrow entry =
            (Narrow(bounds.low + 64) << 7 | Narrow(bounds.high + 64)) << WORK_BITS | work;
        Word* const second = words + SLOT;
        if (read(words, place)) return write(words, place, entry);
        if (read(second, place)) return write(second, place, entry);
        if (work < (data(words) & ones<Narrow>(WORK_BITS))) return write(second, place, entry);
        for (int i = 0; i < SLOT; ++i) second[i].store(words[i].load(RELAXED), RELAXED);
        write(words, place, entry);
    }

  private:
    using Word = std::atomic<std::uint64_t>;
    static_assert(Word::is_always_lock_free && sizeof(Word) == 8);

    static constexpr auto RELAXED = std::memory_order_relaxed;
    static constexpr int SLOT = sizeof(B) / sizeof(Word);  // words
    static constexpr int DATA_BITS = 14 + WORK_BITS;
    static constexpr Narrow MIXER = 0x9E3779B97F4A7C15;

    template <Bits T>
    static constexpr T ones(int bits) {
        return bits < int{8 * sizeof(T)} ? (T{1} << bits) - 1 : ~T{0};
    }

    /// Returns the bits of a bucket's number: at least those of the data, so that a whole key fits
    /// into this number and the part of a slot that is not data.
    static int bits_for(std::size_t bytes) {
        const std::size_t buckets = bytes / (2 * sizeof(B));
        return std::max(DATA_BITS, static_cast<int>(std::bit_width(buckets)) - 1);
    }

    std::size_t words() const { return std::size_t{2} * SLOT << bucket_bits_; }
    std::size_t bytes() const { return words() * sizeof(Word); }
    Word* bucket(const Place<B>& place) const { return words_.get() + place.bucket * 2 * SLOT; }

    std::uint64_t data(const Word* slot) const {
        return slot[0].load(RELAXED) & ones<Narrow>(DATA_BITS);
    }

    /// The first word holds the data, and above them the upper part of the check. A second word
    /// holds the rest of the check, mixed with a product of the first word.
    std::uint64_t read(const Word* slot, const Place<B>& place) const {
        const std::uint64_t word = slot[0].load(RELAXED);
        if (word >> DATA_BITS != upper(place.check)) return 0;
        if constexpr (SLOT == 2) {
            if ((slot[1].load(RELAXED) ^ word * MIXER) != low(place.check)) return 0;
        }
        return word & ones<Narrow>(DATA_BITS);
    }

    void write(Word* slot, const Place<B>& place, std::uint64_t entry) {
        const std::uint64_t word = upper(place.check) << DATA_BITS | entry;
        slot[0].store(word, RELAXED);
        if constexpr (SLOT == 2) slot[1].store(low(place.check) ^ word * MIXER, RELAXED);
    }

    static std::uint64_t upper(B check) {
        if constexpr (SLOT == 1) {
            return check;
        } else {
            return high(check);
        }
    }

    void use_large_pages() {
#ifdef MADV_HUGEPAGE
        constexpr std::size_t PAGE = 4096;
        void* start = words_.get();
        std::size_t space = bytes();
        if (std::align(PAGE, PAGE, start, space)) madvise(start, space, MADV_HUGEPAGE);
#endif
    }

    const int key_bits_, bucket_bits_;
    const Zeroed<Word> words_;
};

}  // namespace c4
