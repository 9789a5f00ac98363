// The positions that threads are searching at the moment.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "table.hpp"

namespace c4 {

/// Lets threads that search the same tree avoid each other's positions (after ABDADA, Weill 1996).
/// It is not exact: sometimes a position is forgotten, or taken for another, which does no harm.
class Busy {
  public:
    void enter(const Place& place) { slot(place).store(mark(place), std::memory_order_relaxed); }
    void leave(const Place& place) { slot(place).store(0, std::memory_order_relaxed); }

    bool has(const Place& place) {
        return slot(place).load(std::memory_order_relaxed) == mark(place);
    }

  private:
    static constexpr int BITS = 12;

    static std::uint64_t mark(const Place& place) { return place.bucket + 1; }

    std::atomic<std::uint64_t>& slot(const Place& place) {
        return slots_[place.bucket * 0x9E3779B97F4A7C15 >> (64 - BITS)];
    }

    std::array<std::atomic<std::uint64_t>, 1 << BITS> slots_{};
};

}  // namespace c4
