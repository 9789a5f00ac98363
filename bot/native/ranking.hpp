// The moves of a node in the order in which a search tries them.
#pragma once

#include <memory>
#include <vector>

namespace c4 {

/// Room for one list of items at each ply of a line of play, from the empty board to the full one.
/// It is on the heap, because the stack of a thread can be small: 128 KB with musl, 512 KB on
/// macOS.
template <class Item>
class Lists {
  public:
    Lists(int cells, int most) : most_(most), lists_(cells + 1) {}

    /// Returns the array of a ply. Its items have no values until they are written.
    Item* at(int ply) {
        auto& list = lists_[ply];
        if (!list) list.reset(new Item[most_]);
        return list.get();
    }

  private:
    int most_;
    std::vector<std::unique_ptr<Item[]>> lists_;
};

/// Items by their `promise`, the best first; equal ones keep their order. Their array belongs
/// to the caller.
template <class Item>
class Ranking {
  public:
    explicit Ranking(Item* items) : items_(items) {}

    /// Inserts an item before all items of less promise, but not before the place `from`.
    void insert(const Item& item, int from = 0) {
        int place = count_++;
        for (; place > from && items_[place - 1].promise < item.promise; --place) {
            items_[place] = items_[place - 1];
        }
        items_[place] = item;
    }

    int size() const { return count_; }
    Item* begin() const { return items_; }
    Item* end() const { return items_ + count_; }

  private:
    Item* items_;
    int count_ = 0;
};

}  // namespace c4
