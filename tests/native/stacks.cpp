// Checks that the threads of the core have stacks of at least 1 MiB, whatever the system's default.

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <thread>

#include "search/parallel.hpp"

namespace {

std::size_t stack_size() {
    pthread_attr_t attributes;
    std::size_t size = 0;
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getstacksize(&attributes, &size);
    pthread_attr_destroy(&attributes);
    return size;
}

}  // namespace

int main() {
    constexpr int THREADS = 4;
    std::atomic<int> started = 0, small = 0;
    c4::Team team;
    c4::Limits limits;
    limits.threads = THREADS;
    const pthread_t caller = pthread_self();
    c4::in_parallel(limits, THREADS, team, [&](int, int) {
        ++started;
        while (started < THREADS) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        const bool is_helper = !pthread_equal(caller, pthread_self());
        if (is_helper && stack_size() < std::size_t{1} << 20) ++small;
    });
    std::printf("%d small stacks\n", small.load());
    return small != 0;
}
