// Windows with stones of one player only: the twin of c4_bot/evaluate/windows.py.
#pragma once

#include "weighed_windows.hpp"

namespace c4 {

template <class Board>
class Windows final : public WeighedWindows<Board> {
  public:
    Windows(const Board& board, const Numbers& weights)
        : WeighedWindows<Board>(board, weights, 0) {}
};

}  // namespace c4
