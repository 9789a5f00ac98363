// The transposition table: the twin of c4_bot/search/_table.py.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "../board.hpp"
#include "../contract.hpp"
#include "../hash.hpp"
#include "../zeroed.hpp"

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

/// The table of one search: it keeps the latest position of each slot.
///
/// All searches of a thread use the same memory in turn, because new memory would have to wait for
/// its pages. A search that a signal handler begins during another one gets memory of its own.
template <Bits B>
class Table {
  public:
    Table() : memory_(std::move(spare())) {
        if (!memory_) memory_ = std::make_unique<Memory>();
        entries_ = memory_->entries.get();
        forget();
    }

    Table(const Table&) = delete;
    Table& operator=(const Table&) = delete;
    ~Table() { spare() = std::move(memory_); }

    /// Forgets all positions, at no cost.
    void forget() { search_ = ++memory_->searches; }

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

    /// Returns `stone` and the expected moves after it that the table holds, at most `most` moves.
    template <class Board>
    std::vector<int> line(const Board& board, Position<B> position, B stone, int most) const {
        std::vector<int> cells = {lowest(stone)};
        position = position.play(stone);
        while (static_cast<int>(cells.size()) < most && !board.is_over(position)) {
            const Entry<B>* entry = find(position);
            if (!entry || !entry->depth) break;
            cells.push_back(entry->cell);
            position = position.play(B{1} << entry->cell);
        }
        return cells;
    }

  private:
    static constexpr int TABLE_BITS = 20;

    static Narrow slot_of(const Position<B>& position) {
        return hash_of(position) >> (64 - TABLE_BITS);
    }

    struct Memory {
        Zeroed<Entry<B>> entries = zeroed<Entry<B>>(std::size_t{1} << TABLE_BITS);
        std::uint32_t searches = 0;
    };

    /// The memory of this thread that no search uses, if there is any.
    static std::unique_ptr<Memory>& spare() {
        static thread_local std::unique_ptr<Memory> memory;
        return memory;
    }

    std::unique_ptr<Memory> memory_;
    Entry<B>* entries_;
    std::uint32_t search_;
};

/// Returns the kind of bound that a fail-soft score found with this window is.
inline Bound kind_of_bound(Score score, Score alpha, Score beta) {
    return score >= beta ? Bound::LOWER : score <= alpha ? Bound::UPPER : Bound::EXACT;
}

}  // namespace c4
