// Wins by force: the twin of c4_bot/reasons/forced.py.
#pragma once

#include <algorithm>
#include <vector>

#include "../board.hpp"

namespace c4::reasons {

inline constexpr int MAX_MOVES = 12, MAX_NODES = 500, CELLS = 64;

using Line = std::vector<int>;  // the cells of moves

/// Returns a line that begins with some moves.
inline Line joined(Line moves, const Line& rest) {
    moves.insert(moves.end(), rest.begin(), rest.end());
    return moves;
}

/// Returns the free cells that complete a line of a player.
template <class Board, class B = typename Board::B>
B threats_of(const Board& board, B stones, const Position<B>& position) {
    return board.completing_cells(stones) & ~position.occupied();
}

template <class Board, class B = typename Board::B>
B safe_moves(const Board& board, const Position<B>& position) {
    const B threats = threats_of(board, position.other, position);
    B moves = board.playable(position.occupied());
    if (const B stops = threats & moves) moves = several(stops) ? B{0} : stops;
    return board.variant.gravity ? moves & ~(threats >> 1) : moves;
}

template <class Board, class B = typename Board::B>
Line last_moves(const Board& board, const Position<B>& position) {
    const B stops = board.opponent_winning_cells(position);
    B moves = stops ? stops : board.playable(position.occupied());
    if (!moves) return {};
    const B answer = take_lowest(moves);
    return {lowest(answer), lowest(board.winning_cells(position.play(answer)))};
}

template <class Board>
class Forcing {
  public:
    using B = typename Board::B;

    explicit Forcing(const Board& board)
        : board_(board), nodes_left_(MAX_NODES * CELLS / std::max(CELLS, board.variant.cells())) {}

    Line forced_win(const Position<B>& position) {
        for (int moves = 1; moves <= MAX_MOVES; ++moves) {
            is_cut_ = false;
            const Line line = win_within(position, moves);
            if (!line.empty() || !is_cut_) return line;
        }
        return {};
    }

  private:
    Line win_within(const Position<B>& position, int moves) {
        if (const B wins = board_.winning_cells(position)) return {lowest(wins)};
        if (moves == 1) {
            is_cut_ = true;
            return {};
        }
        const B candidates = safe_moves(board_, position);
        for (const B choice : board_.choices) {
            if (!(candidates & choice)) continue;
            const Line line = win_after(position, candidates & choice, moves);
            if (!line.empty()) return line;
        }
        return {};
    }

    Line win_after(const Position<B>& position, B stone, int moves) {
        if (!nodes_left_) return {};
        --nodes_left_;
        const Position<B> child = position.play(stone);
        const B answers = safe_moves(board_, child);
        if (several(answers)) return {};
        const Line rest = answers ? win_within(child.play(answers), moves - 1)
                                  : last_moves(board_, child);  // empty on a full board
        if (rest.empty()) return {};
        return answers ? joined({lowest(stone), lowest(answers)}, rest)
                       : joined({lowest(stone)}, rest);
    }

    const Board& board_;
    int nodes_left_;
    bool is_cut_ = false;
};

template <class Board, class B = typename Board::B>
Line forced_win(const Board& board, const Position<B>& position) {
    return Forcing<Board>(board).forced_win(position);
}

}  // namespace c4::reasons
