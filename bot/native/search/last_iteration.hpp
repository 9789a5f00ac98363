// Iterative deepening that orders moves by the last iteration: the twin of
// c4_bot/search/last_iteration.py.
#pragma once

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "../board.hpp"
#include "../contract.hpp"
#include "../ranking.hpp"
#include "table.hpp"
#include "threats.hpp"

namespace c4 {

/// All cells of a board, sorted by their distance from some stones. Lists for a single stone are
/// needed at every node, so they are made once.
template <class Board>
class Nearest {
  public:
    using B = typename Board::B;

    explicit Nearest(const Board& board) : board_(board), of_one_(board.variant.bits()) {}

    const std::vector<B>& to(B stones) {
        if (popcount(stones) != 1) return of_several_ = sorted(stones);
        std::vector<B>& cells = of_one_[lowest(stones)];
        if (cells.empty()) cells = sorted(stones);
        return cells;
    }

  private:
    /// Returns all cells by distance; equal ones in the order of the board's choices.
    std::vector<B> sorted(B stones) const {
        std::vector<std::pair<int, B>> cells;
        for (const B choice : board_.choices) {
            for (B left = choice; left;) {
                const B cell = take_lowest(left);
                cells.emplace_back(distance(cell, stones), cell);
            }
        }
        std::ranges::stable_sort(cells, {}, &std::pair<int, B>::first);
        std::vector<B> found(cells.size());
        std::ranges::transform(cells, found.begin(), &std::pair<int, B>::second);
        return found;
    }

    /// Returns the steps along rows and columns to the nearest of the stones; 0 without stones.
    int distance(B cell, B stones) const {
        const int stride = board_.variant.stride(), from = lowest(cell);
        int least = stones ? std::numeric_limits<int>::max() : 0;
        while (stones) {
            const int to = lowest(take_lowest(stones));
            least = std::min(least, std::abs(to / stride - from / stride) +
                                        std::abs(to % stride - from % stride));
        }
        return least;
    }

    const Board& board_;
    std::vector<std::vector<B>> of_one_;
    std::vector<B> of_several_;
};

template <class Board>
class LastIteration {
  public:
    using B = typename Board::B;

    LastIteration(const Board& board, const Evaluator<B>& evaluator, const Numbers& parameters,
                  const Limits& limits)
        : board_(board), evaluator_(evaluator), sorts_for_mover_(number_at(parameters, 0)),
          sees_threats_(number_at(parameters, 1)), transpositions_(number_at(parameters, 2)),
          reduces_(number_at(parameters, 3) && limits.depth < 0),
          most_fours_(number_at(parameters, 4)),
          budget_(limits), most_(limits.depth),
          moves_(board.variant.cells(), board.variant.cells()) {}

    Result search(const Position<B>& position) {
        return search(position, board_.playable(position.occupied()));
    }

    /// Searches only the moves among some cells.
    Result search(const Position<B>& position, B among) {
        root_ply_ = position.ply();
        const int left = board_.variant.cells() - root_ply_;
        const int last = most_ < 0 ? left : std::clamp(most_, 1, left);
        const auto moves = board_.urgent_first(position);
        const int urgent = lowest(*std::ranges::find_if(moves, [&](B stone) { return stone & among; }));
        Result result{.cell = urgent, .line = {urgent}};
        B first = 0;
        for (int depth = 1; depth <= last && !result.exact;) {
            auto [found, complete] = root(position, among, depth, first, result);
            if (found) {
                result = std::move(*found);
                first = B{1} << result.cell;
            }
            if (!complete) break;
            if (result.exact && reduces_) {
                result.exact = false;
                stop_reducing();
            } else {
                ++depth;
            }
        }
        result.nodes = budget_.nodes;
        return result;
    }

  private:
    struct Move {
        B stone;
        Score promise;
    };

    /// The cells to try, and an upper bound of the score of all other moves.
    struct Candidates {
        B cells;
        Score rest;
    };

    /// Runs one iteration; returns its move, and whether it finished all moves. `previous` is the
    /// result of the previous iteration.
    std::pair<std::optional<Result>, bool> root(const Position<B>& position, B among, int depth,
                                                B first, const Result& previous) {
        std::optional<Result> best;
        B latest = 0;
        try {
            for (const auto& [stone, promise] :
                 ordered(position, among, first, position.other, depth)) {
                latest = stone;
                const Score beta = best ? -best->score : WIN;
                const Score score = root_score(position, stone, depth, beta);
                if (score <= -beta) continue;
                best = {lowest(stone), score, false, depth, 0,
                        table_.line(board_, position, stone, depth)};
            }
        } catch (const OutOfBudget&) {
            if (best && best->score < -PROVEN) best = untried(latest, previous);
            return {best, false};
        }
        if (best && sees_threats_) {
            best->exact = is_exact(best->score, depth, root_ply_, board_.variant.cells());
        }
        return {best, true};
    }

    /// Returns the result of an iteration that was cut short at `stone`, after moves that all lose;
    /// none if the previous iteration has already found that all moves lose.
    static std::optional<Result> untried(B stone, const Result& previous) {
        if (previous.score < -PROVEN) return {};
        Result result = previous;
        result.cell = lowest(stone);
        result.line = {result.cell};
        return result;
    }

    /// Searches all moves to the full depth from now on, and forgets what was found before.
    void stop_reducing() {
        reduces_ = false;
        table_.forget();
    }

    Score root_score(const Position<B>& position, B stone, int depth, Score beta) {
        if (sees_threats_ && board_.has_line(position.own | stone)) return won(root_ply_ + 1);
        if (reduces_ && beta != WIN) {
            return score_if_better(position, stone, 0, depth - 1, -beta, WIN);
        }
        return after(position, stone, depth - 1, -WIN, beta);
    }

    /// Returns the score of a move that does not win; the window is the opponent's.
    Score after(const Position<B>& position, B stone, int depth, Score alpha, Score beta) {
        const Position<B> child = position.play(stone);
        if (sees_threats_ && board_.is_full(child)) return 0;
        return -visit(child, stone, depth, alpha, beta);
    }

    /// Returns the score for the player to move; `last` is the latest stone.
    Score visit(const Position<B>& position, B last, int depth, Score alpha, Score beta) {
        budget_.visit();
        if (sees_threats_) return visit_seeing(position, last, depth, alpha, beta);
        if (depth == 0 || board_.has_line(position.other) || board_.is_full(position)) {
            const Score score = judge(position);
            table_.store(position, 0, score, Bound::EXACT, 0);
            return score;
        }
        return expand(position, last, depth, alpha, beta);
    }

    /// Returns the score of a game that is not over: from its threats, or from a search.
    Score visit_seeing(const Position<B>& position, B last, int depth, Score alpha, Score beta) {
        const B playable = board_.playable(position.occupied());
        const int ply = position.ply();
        if (board_.winning_cells(position)) return won(ply + 1);
        if (const B threats = board_.opponent_winning_cells(position)) {
            if (several(threats)) return -won(ply + 2);
            return after(position, threats, depth, -beta, -alpha);
        }
        if (!board_.variant.gravity) {
            const Makers makers(board_, position.own, playable);
            if (makers.twice()) return won(ply + 3);
            const auto fours = static_cast<int>(fours_to_win(position, makers.once(), most_fours_));
            if (fours && counts(ply, fours, depth, beta)) return won(ply + 3 + 2 * fours);
        }
        return depth <= 0 ? judge(position) : expand(position, last, depth, alpha, beta);
    }

    /// Returns whether a win by fours ends the search of a position. A sooner win does not matter if
    /// the score need not be exact, or if it, too, comes later than the search looks ahead.
    bool counts(int ply, int fours, int depth, Score beta) const {
        const int last = 3 + 2 * fours;
        return reduces_ || fours <= 1 || last - 2 > depth || won(ply + last) >= beta;
    }

    /// Returns with how many fours, at most `most`, the player to move gets a stone that makes two
    /// threats; 0 if this player does not. `makers` are the stones to try first.
    Score fours_to_win(const Position<B>& position, B makers, Score most) {
        if (!most) return 0;
        while (makers) {
            const Score found = fours_after(position, take_lowest(makers), most);
            if (found) return found;
        }
        return 0;
    }

    /// Returns the same if the first four is made with `stone`.
    Score fours_after(const Position<B>& position, B stone, Score most) {
        budget_.visit();
        const B own = position.own | stone;
        const Position<B> next{own, position.other | board_.winning_cells({own, position.other})};
        const B playable = board_.playable(next.occupied());
        const B threats = board_.opponent_winning_cells(next);
        const B choices = !threats ? playable : several(threats) ? B{0} : threats;
        const Makers makers(board_, next.own, playable);
        if (makers.twice() & choices) return 1;
        const Score found = fours_to_win(next, makers.once() & choices, most - 1);
        return found ? found + 1 : 0;
    }

    /// Returns the score of a later move, for the player who makes it. The move is first searched
    /// `less` plies less deep if `less` is not 0, and then to `depth`, until it is not better than
    /// `alpha`.
    Score score_if_better(const Position<B>& position, B stone, int less, int depth, Score alpha,
                          Score beta) {
        if (less) {
            const Score score = after(position, stone, depth - less, -alpha - 1, -alpha);
            if (score <= alpha) return score;
        }
        const Score score = after(position, stone, depth, -alpha - 1, -alpha);
        if (score <= alpha || score >= beta) return score;
        return after(position, stone, depth, -beta, -alpha);
    }

    /// Returns the score of the move that is tried at `index`, for the player who makes it.
    Score score_of(const Position<B>& position, B stone, int index, int depth, Score alpha,
                   Score beta) {
        if (!reduces_ || !index) return after(position, stone, depth, -beta, -alpha);
        const bool is_four = board_.winning_cells({position.own | stone, position.other});
        const int less = is_four ? 0
                                 : (index >= 3 && depth >= 1) + (index >= 6 && depth >= 2) +
                                       (index >= 12 && depth >= 3);
        return score_if_better(position, stone, less, depth, alpha, beta);
    }

    bool is_root_player(const Position<B>& position) const {
        return (position.ply() - root_ply_) % 2 == 0;
    }

    /// Returns the score of a leaf, evaluated for the player who moves at the root.
    Score judge(const Position<B>& position) const {
        return is_root_player(position) ? evaluator_.evaluate(position.own, position.other, true)
                                        : -evaluator_.evaluate(position.other, position.own, false);
    }

    Score expand(const Position<B>& position, B last, int depth, Score alpha, Score beta) {
        B first = 0;
        if (transpositions_) {
            if (const Entry<B>* entry = table_.find(position)) {
                if (entry->answers(depth, alpha, beta)) return entry->score;
                if (entry->depth) first = B{1} << entry->cell;
            }
        }
        const Candidates candidates = candidates_of(position);
        if (!candidates.cells) return candidates.rest;
        Score best = candidates.rest, floor = alpha;
        B best_stone = 0;
        int index = 0;
        for (const auto& [stone, promise] :
             ordered(position, candidates.cells, first, last, depth)) {
            const Score score = score_of(position, stone, index++, depth - 1, floor, beta);
            if (score > best || !best_stone) {
                best = std::max(best, score);
                best_stone = stone;
            }
            floor = std::max(floor, score);
            if (floor >= beta) break;
        }
        table_.store(position, depth, best, bound_of(best, alpha, beta), lowest(best_stone));
        return best;
    }

    Candidates candidates_of(const Position<B>& position) const {
        const B playable = board_.playable(position.occupied());
        if (board_.variant.gravity || !sees_threats_) return {playable, -WIN};
        const Makers theirs(board_, position.other, playable);
        if (theirs.twice()) {
            const Makers ours(board_, position.own, playable);
            return {ours.once() | theirs.defences(), -won(position.ply() + 4)};
        }
        const B alive = playable & (cells_of_lines_without(board_, position.own) |
                                    cells_of_lines_without(board_, position.other));
        return {alive, alive ? -WIN : 0};
    }

    /// Returns `first`, then the moves that the last iteration scored (not if late moves are
    /// searched less deep: looking them up takes longer than it saves), then the others: by their
    /// promise if threats are seen, and among equal ones the nearest to `near` first.
    Ranking<Move> ordered(const Position<B>& position, B cells, B first, B near, int depth) {
        Ranking<Move> moves(moves_.at(position.ply()));
        if (cells & first) moves.insert({first, 0});
        cells &= ~first;
        // Leaves are new to each iteration. If leaves are not stored, their parents are new too.
        if (depth > 1 + sees_threats_ && !reduces_) cells &= ~add_known(position, cells, moves);
        if (sees_threats_) {
            add_promising(position, cells, near, moves);
        } else {
            for (const B stone : nearest_.to(near)) {
                if (stone & cells) moves.insert({stone, 0}, moves.size());
            }
        }
        return moves;
    }

    /// Adds the moves by their promise; among equal ones the nearest first.
    void add_promising(const Position<B>& position, B cells, B near, Ranking<Move>& moves) {
        const Promise promise(board_, position.own, position.other);
        const int before = moves.size();
        for (const B stone : nearest_.to(near)) {
            if (stone & cells) moves.insert({stone, promise.at(stone)}, before);
        }
    }

    /// Adds the moves to positions that the table holds, the best first; returns these moves.
    B add_known(const Position<B>& position, B cells, Ranking<Move>& moves) const {
        const int sign = sorts_for_mover_ || is_root_player(position) ? 1 : -1;
        const int before = moves.size();
        B found = 0;
        for (const B choice : board_.choices) {
            const B stone = choice & cells;
            const Entry<B>* entry = stone ? table_.find(position.play(stone)) : nullptr;
            if (!entry) continue;
            moves.insert({stone, -sign * entry->score}, before);
            found |= stone;
        }
        return found;
    }

    const Board& board_;
    const Evaluator<B>& evaluator_;
    const bool sorts_for_mover_, sees_threats_, transpositions_;
    bool reduces_;
    const Score most_fours_;
    Budget budget_;
    const int most_;
    int root_ply_ = 0;
    Lists<Move> moves_;
    Nearest<Board> nearest_{board_};
    Table<B> table_;
};

}  // namespace c4
