// The transposition table: the twin of c4_bot/search/_table.py.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

#include "../board.hpp"
#include "../contract.hpp"

namespace c4 {

enum class Bound : std::uint8_t { EXACT, LOWER, UPPER };

/// The content of one slot; `search` is the number of the search that wrote it.
template <Bits B>
struct Entry {
    B own, other;
    Score score;
    std::uint32_t search;
    std::uint8_t depth;
    Bound bound;
    std::uint8_t cell;

    /// Returns whether the score settles a search to depth `wanted` with this window.
    bool answers(int wanted, Score alpha, Score beta) const {
        if (depth < wanted) return false;
        return bound == Bound::EXACT || (bound == Bound::LOWER && score >= beta) ||
               (bound == Bound::UPPER && score <= alpha);
    }
};

/// A table that keeps the latest position of each slot.
template <Bits B>
class Table {
  public:
    /// Returns the empty table of this thread. All searches of a thread share one table,
    /// because a new table would have to wait for its pages.
    static Table& empty() {
        static thread_local Table table;
        ++table.search_;  // forgets everything at no cost
        return table;
    }

    /// Makes the processor fetch the entry that `find` will read.
    void prefetch(const Position<B>& position) const {
        __builtin_prefetch(&entries_[slot_of(position)]);
    }

    /// Returns the entry of the position, or null.
    const Entry<B>* find(const Position<B>& position) const {
        const Entry<B>& entry = entries_[slot_of(position)];
        const bool same = entry.own == position.own && entry.other == position.other;
        return same && entry.search == search_ ? &entry : nullptr;
    }

    void store(const Position<B>& position, int depth, Score score, Bound bound, int cell) {
        entries_[slot_of(position)] = {position.own,
                                       position.other,
                                       score,
                                       search_,
                                       static_cast<std::uint8_t>(depth),
                                       bound,
                                       static_cast<std::uint8_t>(cell)};
    }

  private:
    static constexpr int TABLE_BITS = 20;

    static Narrow slot_of(const Position<B>& position) {
        const Wide own = position.own, other = position.other;
        const Narrow mixed = low(own) * 0x9E3779B97F4A7C15 + high(own) * 0xC2B2AE3D27D4EB4F +
                             low(other) * 0x165667B19E3779F9 + high(other) * 0xD6E8FEB86659FD93;
        return mixed >> (64 - TABLE_BITS);
    }

    struct Free {
        void operator()(void* memory) const { std::free(memory); }
    };

    /// The system provides pages when they are first written to, so that short searches do not wait
    /// for all of them.
    static Entry<B>* zeroed() {
        void* memory = std::calloc(std::size_t{1} << TABLE_BITS, sizeof(Entry<B>));
        if (!memory) throw std::bad_alloc();
        return static_cast<Entry<B>*>(memory);
    }

    Table() = default;

    std::unique_ptr<Entry<B>[], Free> entries_ { zeroed() };
    std::uint32_t search_ = 0;
};

/// Returns the kind of bound that a fail-soft score found with this window is.
inline Bound bound_of(Score score, Score alpha, Score beta) {
    return score >= beta ? Bound::LOWER : score <= alpha ? Bound::UPPER : Bound::EXACT;
}

}  // namespace c4
