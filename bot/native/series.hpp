// An array of variable length, up to a fixed maximum, without memory on the heap.
#pragma once

#include <array>

namespace c4 {

template <class T, int N>
class Series {
  public:
    constexpr void push_back(const T& item) { items_[count_++] = item; }

    constexpr void insert(int place, const T& item) {
        for (int i = count_++; i > place; --i) items_[i] = items_[i - 1];
        items_[place] = item;
    }

    constexpr int size() const { return count_; }
    constexpr const T& operator[](int place) const { return items_[place]; }
    constexpr const T* begin() const { return items_.data(); }
    constexpr const T* end() const { return items_.data() + count_; }

  private:
    std::array<T, N> items_{};
    int count_ = 0;
};

}  // namespace c4
