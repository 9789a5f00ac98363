// Work divided among threads.
#pragma once

#ifndef __wasm__
#include <pthread.h>
#endif

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <vector>

#include "../contract.hpp"

namespace c4 {

#ifndef __wasm__
/// Threads that all do the same work. The destructor waits for them.
///
/// Their stacks have a known size. The default of the system may be too small for a search: it is
/// 128 KB with musl, 512 KB on macOS, and the limit of `ulimit -s` on Linux.
template <class Work>
class Helpers {
  public:
    /// Starts `count` threads, or fewer if the system refuses more: then the work takes longer.
    Helpers(int count, const Work& work) : work_(work) {
        threads_.reserve(std::max(count, 0));
        pthread_attr_t attributes;
        if (pthread_attr_init(&attributes)) return;
        pthread_attr_setstacksize(&attributes, STACK);
        for (int i = 0; i < count; ++i) {
            const std::lock_guard lock(mutex_);
            pthread_t thread;
            if (pthread_create(&thread, &attributes, run, this)) break;
            threads_.push_back(thread);
            ++running_;
        }
        pthread_attr_destroy(&attributes);
    }

    Helpers(const Helpers&) = delete;
    Helpers& operator=(const Helpers&) = delete;

    ~Helpers() {
        for (const pthread_t thread : threads_) pthread_join(thread, nullptr);
    }

    /// Waits until all threads have done their work, or the time has passed; returns whether they
    /// have.
    bool wait_for(std::chrono::milliseconds time) {
        std::unique_lock lock(mutex_);
        return ended_.wait_for(lock, time, [&] { return running_ == 0; });
    }

  private:
    static constexpr std::size_t STACK = std::size_t{1} << 20;  // bytes

    static void* run(void* helpers) {
        auto& self = *static_cast<Helpers*>(helpers);
        self.work_();
        const std::lock_guard lock(self.mutex_);
        if (--self.running_ == 0) self.ended_.notify_one();
        return nullptr;
    }

    const Work& work_;
    std::vector<pthread_t> threads_;
    std::mutex mutex_;
    std::condition_variable ended_;
    int running_ = 0;
};
#endif

/// Calls `work(i, thread)` with `i` from 0 to `count` - 1 and the number of the thread, from 0, until
/// a call throws or stops the team; returns whether none did. If a call throws anything but
/// `OutOfBudget`, throws the same after all threads have ended. Between two calls, and while this
/// thread waits for the others, it calls `limits.handle_signals`.
template <class Work>
bool in_parallel(const Limits& limits, int count, Team& team, const Work& work) {
    std::atomic<int> next = 0, threads = 0;
    std::exception_ptr failure;
    std::once_flag failed;
    const auto attempt = [&](const auto& task) {
        try {
            task();
        } catch (const OutOfBudget&) {
            team.stopped = true;
        } catch (...) {
            std::call_once(failed, [&] { failure = std::current_exception(); });
            team.stopped = true;
        }
    };
    const auto share = [&] {
        attempt([&] {
            const int thread = threads++;
            for (int i; !team.stopped && (i = next++) < count;) {
                look_at_signals(limits.handle_signals, Clock::now());
                work(i, thread);
            }
        });
    };
#ifdef __wasm__
    share();  // by the only thread
#else
    {
        Helpers helpers(std::min(limits.threads, count) - 1, share);
        share();
        while (!helpers.wait_for(SIGNALS)) {
            if (limits.handle_signals) attempt(limits.handle_signals);
        }
    }
#endif
    if (failure) std::rethrow_exception(failure);
    return !team.stopped;
}

}  // namespace c4
