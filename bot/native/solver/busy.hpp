// The positions that threads are searching at the moment.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace c4 {

/// Lets threads that search the same tree avoid each other's positions (after ABDADA, Weill 1996).
/// A position is known by the number of its bucket in the table. This is not exact: sometimes a
/// position is forgotten, or taken for another, which does no harm.
class Busy {
  public:
    void enter(std::uint64_t bucket) { slot(bucket).store(bucket + 1, std::memory_order_relaxed); }
    void leave(std::uint64_t bucket) { slot(bucket).store(0, std::memory_order_relaxed); }

    bool has(std::uint64_t bucket) {
        return slot(bucket).load(std::memory_order_relaxed) == bucket + 1;
    }

  private:
    static constexpr int BITS = 12;

    std::atomic<std::uint64_t>& slot(std::uint64_t bucket) {
        return slots_[bucket * 0x9E3779B97F4A7C15 >> (64 - BITS)];
    }

    std::array<std::atomic<std::uint64_t>, 1 << BITS> slots_{};
};

}  // namespace c4
