// Work divided among threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <future>
#include <system_error>
#include <vector>

namespace c4 {

/// Calls `work` with 0 to `count` - 1 until one call returns false; returns whether none did.
template <class Work>
bool in_parallel(int threads, int count, const Work& work) {
    std::atomic<int> next = 0;
    std::atomic<bool> good = true;
    const auto share = [&] {
        for (int i; good && (i = next++) < count;) {
            if (!work(i)) good = false;
        }
    };
    std::vector<std::future<void>> helpers;
    try {
        for (int i = 1; i < std::min(threads, count); ++i) {
            helpers.push_back(std::async(std::launch::async, share));
        }
    } catch (const std::system_error&) {
        // Fewer threads do the same work in more time.
    }
    share();
    for (auto& helper : helpers) helper.get();
    return good;
}

}  // namespace c4
