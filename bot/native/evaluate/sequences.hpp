// Open sequences of stones, weighted by length: the twin of c4_bot/evaluate/sequences.py.
#pragma once

#include "weighed_windows.hpp"

namespace c4 {

template <class Board>
class Sequences final : public WeighedWindows<Board> {
  public:
    Sequences(const Board& board, const Numbers& weights)
        : WeighedWindows<Board>(board, weights, 1) {}
};

}  // namespace c4
