// Arrays of zeros, for large tables.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

namespace c4 {

struct Free {
    void operator()(void* memory) const { std::free(memory); }
};

template <class T>
using Zeroed = std::unique_ptr<T[], Free>;

/// Returns an array of zeros; throws `std::bad_alloc` if there is too little memory. The system
/// provides its pages when they are first written to, so that short searches do not wait for them.
template <class T>
Zeroed<T> zeroed(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T>);
    void* memory = std::calloc(count, sizeof(T));
    if (!memory) throw std::bad_alloc();
    return Zeroed<T>(static_cast<T*>(memory));
}

}  // namespace c4
