// A mutex, also for WebAssembly, which has one thread.
#pragma once

#include <mutex>

namespace c4 {

#ifdef __wasm__
struct Mutex {
    void lock() {}
    void unlock() {}
};
#else
using Mutex = std::mutex;
#endif

}  // namespace c4
