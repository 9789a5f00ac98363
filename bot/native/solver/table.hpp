// The solver's table of positions. Any number of threads may use one table.
#pragma once

#include <atomic>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

#include "../bits.hpp"
#include "score.hpp"

namespace c4 {

/// Returns a number that is different for every position of a variant: the bits of the player's own
/// stones, and one bit above the top of each column.
template <class Board, class B = typename Board::B>
B key_of(const Board& board, const Position<B>& position) {
    return position.own + position.occupied() + board.bottom;
}

/// The place of a key in a table: its bucket, and the number that tells it from other keys there.
struct Place {
    std::uint64_t bucket, check;
};

/// A table whose buckets have two slots: for the entry that took the most work, and for the last
/// one.
///
/// Keys of up to 64 bits are scrambled one to one and kept whole, in the number of the bucket and
/// in the slot, so that no position is taken for another. For longer keys the slot keeps 64 bits of
/// a hash in addition to the number of the bucket.
template <Bits B>
class SolverTable {
  public:
    SolverTable(int key_bits, std::size_t megabytes)
        : key_bits_(key_bits), bucket_bits_(bits_for(megabytes)), words_(zeroed(bytes())) {}

    void forget() { std::memset(static_cast<void*>(words_.get()), 0, bytes()); }

    Place place_of(B key) const {
        if constexpr (sizeof(B) == 8) {
            const std::uint64_t mixed = (key * 0x9E3779B97F4A7C15) & ones(key_bits_);
            const int check_bits = std::max(0, key_bits_ - bucket_bits_);
            return {mixed >> check_bits, mixed & ones(check_bits)};
        } else {
            const std::uint64_t mixed = low(key) * 0x9E3779B97F4A7C15 ^
                                        std::rotl(high(key) * 0xC2B2AE3D27D4EB4F, 32);
            const std::uint64_t check =
                low(key) * 0x165667B19E3779F9 + high(key) * 0xD6E8FEB86659FD93;
            return {(mixed * 0x9E3779B97F4A7C15) >> (64 - bucket_bits_), check};
        }
    }

    void prefetch(const Place& place) const { __builtin_prefetch(bucket(place)); }

    /// Narrows the bounds by the entry of a place, if there is one.
    void find(const Place& place, Bounds& bounds) const {
        const Word* words = bucket(place);
        for (int slot = 0; slot < 2; ++slot) {
            const std::uint64_t entry = read(words + slot * WORDS, place);
            if (entry) {
                bounds.narrow({int(entry >> 13 & 127) - 64, int(entry >> 6 & 127) - 64});
                return;
            }
        }
    }

    /// Stores the bounds; `work` is the logarithm of the nodes that they took, up to 63.
    void store(const Place& place, const Bounds& bounds, int work) {
        Word* words = bucket(place);
        const std::uint64_t entry = std::uint64_t(bounds.low + 64) << 13 |
                                    std::uint64_t(bounds.high + 64) << 6 | std::uint64_t(work);
        Word* const second = words + WORDS;
        if (read(words, place)) return write(words, place, entry);
        if (read(second, place)) return write(second, place, entry);
        if (work < int(data(words) & 63)) return write(second, place, entry);
        for (int i = 0; i < WORDS; ++i) second[i].store(words[i].load(RELAXED), RELAXED);
        write(words, place, entry);
    }

  private:
    using Word = std::atomic<std::uint64_t>;
    static_assert(Word::is_always_lock_free && sizeof(Word) == 8);

    static constexpr auto RELAXED = std::memory_order_relaxed;
    static constexpr int WORDS = sizeof(B) / 8;
    static constexpr int DATA_BITS = 20;

    static constexpr std::uint64_t ones(int bits) {
        return bits < 64 ? (std::uint64_t{1} << bits) - 1 : ~std::uint64_t{0};
    }

    /// Returns the bits of a bucket's number: at least 20, so that a key of 64 bits fits into the
    /// number and a slot.
    static int bits_for(std::size_t megabytes) {
        const std::size_t buckets = (std::max<std::size_t>(megabytes, 1) << 20) / (16 * WORDS);
        return std::max(20, int(std::bit_width(buckets)) - 1);
    }

    std::size_t bytes() const { return std::size_t{16} * WORDS << bucket_bits_; }
    Word* bucket(const Place& place) const { return words_.get() + place.bucket * 2 * WORDS; }

    /// One word holds check and data. Two words hold the data, and the check mixed with the data:
    /// if two threads write a slot at once, no position matches it.
    std::uint64_t data(const Word* slot) const { return slot[0].load(RELAXED) & ones(DATA_BITS); }

    std::uint64_t read(const Word* slot, const Place& place) const {
        const std::uint64_t word = slot[0].load(RELAXED);
        if constexpr (WORDS == 1) {
            return word >> DATA_BITS == place.check ? word & ones(DATA_BITS) : 0;
        } else {
            return (slot[1].load(RELAXED) ^ word) == place.check ? word : 0;
        }
    }

    void write(Word* slot, const Place& place, std::uint64_t entry) {
        if constexpr (WORDS == 1) {
            slot[0].store(place.check << DATA_BITS | entry, RELAXED);
        } else {
            slot[0].store(entry, RELAXED);
            slot[1].store(place.check ^ entry, RELAXED);
        }
    }

    struct Free {
        void operator()(void* memory) const { std::free(memory); }
    };

    /// The system provides pages when they are first written to, and large ones if it has them.
    static Word* zeroed(std::size_t bytes) {
        void* memory = std::calloc(bytes, 1);
        if (!memory) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
        constexpr std::uintptr_t PAGE = 4096;
        const auto start = (reinterpret_cast<std::uintptr_t>(memory) + PAGE - 1) & ~(PAGE - 1);
        madvise(reinterpret_cast<void*>(start), bytes - PAGE, MADV_HUGEPAGE);
#endif
        return static_cast<Word*>(memory);
    }

    const int key_bits_, bucket_bits_;
    const std::unique_ptr<Word[], Free> words_;
};

}  // namespace c4
