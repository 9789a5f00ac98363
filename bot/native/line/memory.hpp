// The table of positions of the line solver: how soon the player to move wins, or does not win.
#pragma once

#include <cstdint>

#include "../board.hpp"
#include "../hash.hpp"
#include "../zeroed.hpp"

namespace c4 {

/// The maximum of stones in a search of `Attack`, and of plain moves among them.
struct Allowed {
    std::uint8_t stones, plain;

    bool covers(const Allowed& less) const { return stones >= less.stones && plain >= less.plain; }
};

template <Bits B>
struct Finding {
    B own, other;
    Allowed known_win;            // 0 stones if no win is known
    Allowed known_failure;        // not enough for a win
    std::uint8_t failure_stones;  // not enough for a win without plain moves

    bool wins(const Allowed& allowed) const {
        return known_win.stones && allowed.covers(known_win);
    }

    bool fails(const Allowed& allowed) const {
        return known_failure.covers(allowed) ||
               (!allowed.plain && failure_stones >= allowed.stones);
    }

    void keep(const Allowed& allowed, bool won) {
        if (won) {
            known_win = allowed;
        } else if (allowed.plain) {
            known_failure = allowed;
        } else {
            failure_stones = allowed.stones;
        }
    }
};

/// A table with one position per slot, the latest.
template <Bits B>
class Memory {
  public:
    explicit Memory(int bits) : bits_(bits) { forget(); }

    void forget() { findings_ = zeroed<Finding<B>>(std::size_t{1} << bits_); }

    /// Returns what is known about a position, or null.
    const Finding<B>* find(const Position<B>& position) const {
        const Finding<B>& found = findings_[slot_of(position)];
        return is_of(found, position) ? &found : nullptr;
    }

    /// Returns the slot of a position, for more findings about it.
    Finding<B>& slot(const Position<B>& position) {
        Finding<B>& found = findings_[slot_of(position)];
        if (!is_of(found, position)) found = {position.own, position.other, {}, {}, 0};
        return found;
    }

  private:
    static bool is_of(const Finding<B>& found, const Position<B>& position) {
        return found.own == position.own && found.other == position.other;
    }

    std::size_t slot_of(const Position<B>& position) const {
        const Narrow mixed = hash_of(position);
        return (mixed ^ mixed >> 32) * 0x9E3779B97F4A7C15 >> (64 - bits_);
    }

    int bits_;
    Zeroed<Finding<B>> findings_;
};

}  // namespace c4
