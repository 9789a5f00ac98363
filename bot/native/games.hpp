// Whole games between players that search to a fixed depth: the twin of c4_bot/training/games.py.
//
// Alpha-beta finds the same move as minimax and negamax: scores inside the window are those of the
// full search, and among equal moves it chooses the same one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "board.hpp"
#include "contract.hpp"
#include "search/parallel.hpp"

namespace c4 {

/// The way in which a player chooses. Among equal moves it takes the highest cell if `preference`
/// is 1, the lowest if it is -1. With `centre_first` it answers the empty board with the most
/// central cell.
struct Manner {
    bool sooner_wins;
    int preference;
    int depth;
    bool centre_first;
};

template <class Board>
class Chooser {
  public:
    using B = typename Board::B;

    Chooser(const Board& board, const Evaluator<B>& evaluator, const Manner& manner)
        : board_(board), evaluator_(evaluator), manner_(manner) {}

    /// Returns the player's move as a bit; counts the positions visited.
    B choose(const Position<B>& position, Budget& budget) const {
        const B playable = board_.playable(position.occupied());
        B best_stone = 0;
        Score best = -WIN;
        for (const B choice : board_.choices) {
            const B stone = playable & choice;
            if (!stone) continue;
            if (!best_stone && manner_.centre_first && !position.occupied()) return stone;
            // An equal move matters only if it is preferred.
            const bool preferred = (stone > best_stone) == (manner_.preference > 0);
            const Score alpha = best_stone && !preferred ? best : best - 1;
            const Score score = -after(position.play(stone), depth_left(position) - 1, -WIN - 1,
                                       -alpha, -1, budget);
            if (best_stone && score <= alpha) continue;
            best = score;
            best_stone = stone;
        }
        return best_stone;
    }

  private:
    int depth_left(const Position<B>& position) const {
        return std::min(manner_.depth, board_.variant.cells() - position.ply());
    }

    /// Returns the score of a win with `ply` stones on the board.
    Score win_at(int ply) const { return won(manner_.sooner_wins ? ply : board_.variant.cells()); }

    /// Returns the score for the player to move; the last stone may have won the game.
    Score after(const Position<B>& position, int depth, Score alpha, Score beta, int sign,
                Budget& budget) const {
        if (!board_.has_line(position.other)) {
            return visit(position, depth, alpha, beta, sign, budget);
        }
        budget.visit();
        return -win_at(position.ply());
    }

    /// Returns the score of a game that is not won: exact inside the window, a bound outside.
    Score visit(const Position<B>& position, int depth, Score alpha, Score beta, int sign,
                Budget& budget) const {
        budget.visit();
        if (board_.is_full(position)) return 0;
        if (depth == 0) {
            return evaluator_.evaluate_for(sign, position.own, position.other);
        }
        B playable = board_.playable(position.occupied());
        // No score is better than that of an immediate win.
        if (board_.winning_cells(position)) return win_at(position.ply() + 1);
        if (depth > 1) {
            const B stops = board_.opponent_winning_cells(position);
            if (several(stops)) return -win_at(position.ply() + 2);
            if (stops) playable = stops;  // nothing else is better
        }
        return expand(position, playable, depth, alpha, beta, sign, budget);
    }

    Score expand(const Position<B>& position, B playable, int depth, Score alpha, Score beta,
                 int sign, Budget& budget) const {
        Score best = -WIN - 1;
        for (const B choice : board_.choices) {
            const B stone = playable & choice;
            if (!stone) continue;
            best = std::max(best,
                            -visit(position.play(stone), depth - 1, -beta, -alpha, -sign, budget));
            alpha = std::max(alpha, best);
            if (alpha >= beta) break;
        }
        return best;
    }

    const Board& board_;
    const Evaluator<B>& evaluator_;
    const Manner manner_;
};

// A game to play: the indices of the two players, and the cells of the opening.
using Fixture = std::tuple<int, int, std::vector<int>>;
// A finished game: all its cells, the winner (0 for a draw), and the positions visited.
using Played = std::tuple<std::vector<int>, int, std::int64_t>;

/// Returns the position after an opening; throws `std::invalid_argument` for an illegal move.
template <class Board>
Position<typename Board::B> position_after(const Board& board, const std::vector<int>& opening) {
    using B = typename Board::B;
    Position<B> position{0, 0};
    for (const int cell : opening) {
        const bool is_cell = 0 <= cell && cell < board.variant.bits();
        const B stone = is_cell ? B{1} << cell : 0;
        if (board.is_over(position) || !(stone & board.playable(position.occupied()))) {
            throw std::invalid_argument("an opening with an illegal move");
        }
        position = position.play(stone);
    }
    return position;
}

/// Plays a game from the position after an opening.
template <class Board>
Played play_game(const Board& board, const Chooser<Board>& first, const Chooser<Board>& second,
                 const std::vector<int>& opening, const Limits& limits, Team& team) {
    using B = typename Board::B;
    std::vector<int> cells = opening;
    Budget budget(limits, &team, 1024);
    Position<B> position = position_after(board, opening);
    while (!board.is_over(position)) {
        const Chooser<Board>& chooser = cells.size() % 2 ? second : first;
        const B stone = chooser.choose(position, budget);
        cells.push_back(lowest(stone));
        position = position.play(stone);
    }
    const int last = cells.size() % 2 ? 1 : 2;
    return {std::move(cells), board.has_line(position.other) ? last : 0, budget.nodes};
}

/// Plays all games, `limits.threads` at the same time. Throws what `limits.handle_signals` throws,
/// and `std::invalid_argument` as `position_after` does.
template <class Board>
std::vector<Played> play_all(const Board& board, const std::vector<Chooser<Board>>& players,
                             const std::vector<Fixture>& fixtures, const Limits& limits) {
    std::vector<Played> games(fixtures.size());
    Team team;
    in_parallel(limits, static_cast<int>(fixtures.size()), team, [&](int i, int) {
        const auto& [first, second, opening] = fixtures[i];
        games[i] = play_game(board, players[first], players[second], opening, limits, team);
    });
    return games;
}

}  // namespace c4
