// Work divided among threads.
#pragma once

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <vector>

#include "../contract.hpp"

namespace c4 {

/// Threads that all do the same work. The destructor waits for them.
///
/// Their stacks have a known size. The default of the system may be too small for a search: it is
/// 128 KB with musl, 512 KB on macOS, and the limit of `ulimit -s` on Linux.
template <class Work>
class Helpers {
  public:
    /// Starts `count` threads, or fewer if the system refuses more: then the work takes longer.
    Helpers(int count, const Work& work) {
        pthread_attr_t attributes;
        if (pthread_attr_init(&attributes)) return;
        pthread_attr_setstacksize(&attributes, STACK);
        for (int i = 0; i < count; ++i) {
            pthread_t thread;
            void* const argument = const_cast<Work*>(&work);
            if (pthread_create(&thread, &attributes, run, argument)) break;
            threads_.push_back(thread);
        }
        pthread_attr_destroy(&attributes);
    }

    Helpers(const Helpers&) = delete;
    Helpers& operator=(const Helpers&) = delete;

    ~Helpers() {
        for (const pthread_t thread : threads_) pthread_join(thread, nullptr);
    }

  private:
    static constexpr std::size_t STACK = std::size_t{1} << 20;  // bytes

    static void* run(void* work) {
        (*static_cast<const Work*>(work))();
        return nullptr;
    }

    std::vector<pthread_t> threads_;
};

/// Calls `work` with 0 to `count` - 1, until a call throws or stops the team; returns whether none
/// did. If a call throws anything but `OutOfBudget`, throws the same after all threads have ended.
template <class Work>
bool in_parallel(int threads, int count, Team& team, const Work& work) {
    std::atomic<int> next = 0;
    std::exception_ptr failure;
    std::once_flag failed;
    const auto share = [&] {
        try {
            for (int i; !team.stopped && (i = next++) < count;) work(i);
        } catch (const OutOfBudget&) {
            team.stopped = true;
        } catch (...) {
            std::call_once(failed, [&] { failure = std::current_exception(); });
            team.stopped = true;
        }
    };
    {
        const Helpers helpers(std::min(threads, count) - 1, share);
        share();
    }
    if (failure) std::rethrow_exception(failure);
    return !team.stopped;
}

}  // namespace c4
