// The table of positions of the line solver: how soon the player to move wins, or does not win.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

#include "../board.hpp"

namespace c4 {

/// The maximum of stones in a search of `Attack`, and of plain moves among them.
struct Allowed {
    std::uint8_t most, plain;

    bool covers(const Allowed& less) const { return most >= less.most && plain >= less.plain; }
};

template <Bits B>
struct Finding {
    B own, other;
    Allowed enough;        // enough to win; 0 stones if no win is known
    Allowed little;        // too little to win
    std::uint8_t quietly;  // too few stones to win without plain moves

    bool wins(const Allowed& allowed) const { return enough.most && allowed.covers(enough); }

    bool fails(const Allowed& allowed) const {
        return little.covers(allowed) || (!allowed.plain && quietly >= allowed.most);
    }

    void keep(const Allowed& allowed, bool won) {
        if (won) {
            enough = allowed;
        } else if (allowed.plain) {
            little = allowed;
        } else {
            quietly = allowed.most;
        }
    }
};

/// A table with one position per slot, the latest.
template <Bits B>
class Memory {
  public:
    explicit Memory(int bits) : bits_(bits), findings_(zeroed(bits)) {}

    void forget() { findings_ = zeroed(bits_); }

    /// Returns what is known about a position, or null.
    const Finding<B>* find(const Position<B>& position) const {
        const Finding<B>& found = findings_[slot_of(position)];
        return is_of(found, position) ? &found : nullptr;
    }

    /// Returns the slot of a position, for more findings about it.
    Finding<B>& of(const Position<B>& position) {
        Finding<B>& found = findings_[slot_of(position)];
        if (!is_of(found, position)) found = {position.own, position.other, {}, {}, 0};
        return found;
    }

  private:
    static bool is_of(const Finding<B>& found, const Position<B>& position) {
        return found.own == position.own && found.other == position.other;
    }

    std::size_t slot_of(const Position<B>& position) const {
        const Wide own = position.own, other = position.other;
        const Narrow mixed = low(own) * 0x9E3779B97F4A7C15 + high(own) * 0xC2B2AE3D27D4EB4F +
                             low(other) * 0x165667B19E3779F9 + high(other) * 0xD6E8FEB86659FD93;
        return (mixed ^ mixed >> 32) * 0x9E3779B97F4A7C15 >> (64 - bits_);
    }

    struct Free {
        void operator()(void* memory) const { std::free(memory); }
    };
    using Findings = std::unique_ptr<Finding<B>[], Free>;

    /// The system provides pages when they are first written to.
    static Findings zeroed(int bits) {
        void* memory = std::calloc(std::size_t{1} << bits, sizeof(Finding<B>));
        if (!memory) throw std::bad_alloc();
        return Findings(static_cast<Finding<B>*>(memory));
    }

    int bits_;
    Findings findings_;
};

}  // namespace c4
