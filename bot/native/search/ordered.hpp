// Alpha-beta to the end of the game, ordered by column score: the twin of c4_bot/search/ordered.py.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../board.hpp"
#include "../contract.hpp"
#include "../ranking.hpp"

namespace c4 {

template <class Board>
class Ordered {
  public:
    using B = typename Board::B;

    Ordered(const Board& board, const Evaluator<B>&, Parameters& parameters, const Limits& limits)
        : board_(board), limits_(limits), budget_(limits),
          amplifier_(take(parameters, "amplifier", 0, MAX_AMPLIFIER)),
          own_factor_(take(parameters, "own_factor", 0, MAX_FACTOR)),
          other_factor_(take(parameters, "other_factor", 0, MAX_FACTOR)),
          open_factor_(take(parameters, "open_factor", 0, MAX_FACTOR)),
          threshold_(take(parameters, "threshold")), deepens_(take(parameters, "deepens")),
          judges_full_boards_(take(parameters, "judges_full_boards")),
          looks_ahead_(take(parameters, "looks_ahead")),
          moves_(board.variant.cells(), board.choices.size()) {}

    Result search(const Position<B>& position) {
        const int last = limits_.max_depth(board_.variant.cells() - position.ply());
        std::vector<B> moves = moves_at_root(position);
        const int count = static_cast<int>(moves.size());
        Result result{.cell = lowest(moves[0]), .line = {lowest(moves[0])}};
        for (int depth = deepens_ ? 1 : last; depth <= last; ++depth) {
            if (auto found = search_root(position, depth, moves)) {
                result = std::move(*found);
                const auto best = std::ranges::find(moves, B{1} << result.cell);
                std::rotate(moves.begin(), best, best + 1);
            }
            if (result.exact || finished_ < count) break;
        }
        result.reason = reason_for_move(result, count);
        result.nodes = budget_.nodes;
        return result;
    }

  private:
    static constexpr int MAX_CHAIN_LENGTH = 4;
    static constexpr Score MAX_AMPLIFIER = 30, MAX_FACTOR = 100;

    struct Move {
        B stone;
        Score promise;  // the column score
    };

    /// Runs one iteration; returns its best finished move, or nothing if it finished none.
    std::optional<Result> search_root(const Position<B>& position, int depth,
                                      const std::vector<B>& moves) {
        Score best = -WIN;
        B best_stone = moves[0];
        finished_ = 0;
        try {
            for (const B stone : moves) {
                const Score score =
                    -score_of_position(position.play(stone), depth - 1, -WIN, -best);
                ++finished_;
                if (score > best) {
                    best = score;
                    best_stone = stone;
                }
            }
        } catch (const OutOfBudget&) {
            if (!finished_) return std::nullopt;
        }
        const bool complete = finished_ == static_cast<int>(moves.size()) && judges_full_boards_;
        const int cells = board_.variant.cells(), cell = lowest(best_stone);
        const bool exact = complete && is_exact(best, depth, position.ply(), cells);
        if (!judges_full_boards_) best = plies_left(best, cells);
        return Result{.cell = cell, .score = best, .exact = exact, .depth = depth, .line = {cell}};
    }

    /// Returns the number of plies that remain after a win, because with the fault a score proves
    /// nothing.
    static Score plies_left(Score score, int cells) {
        if (!score || std::abs(score) == WIN) return 0;
        const Score plies = cells - (WIN - std::abs(score));
        return score > 0 ? plies : -plies;
    }

    std::string reason_for_move(const Result& result, int moves) const {
        if (!deepens_ && finished_ < moves) {
            return "out of time with " + std::to_string(finished_) + " of " +
                   std::to_string(moves) + " moves searched";
        }
        if (result.exact || result.score) return "";
        return "no end in sight, the most central column";
    }

    /// Returns the score for the player to move: exact inside the window, a bound outside.
    Score score_of_position(const Position<B>& position, int depth, Score alpha, Score beta) {
        budget_.visit();
        const int ply = position.ply();
        if (board_.has_line(position.other)) return -won_at(ply);
        if (judges_full_boards_ && board_.is_full(position)) return 0;
        if (won_at(ply) <= alpha) return won_at(ply);
        return looks_ahead_ ? score_from_threats(position, ply, depth, alpha, beta)
                            : score_by_search(position, ply, depth, alpha, beta);
    }

    Score score_from_threats(const Position<B>& position, int ply, int depth, Score alpha,
                             Score beta) {
        if (board_.winning_cells(position)) return won_at(ply + 1);
        const B threats = board_.opponent_winning_cells(position);
        if (several(threats)) return -won_at(ply + 2);
        if (threats) return -score_of_position(position.play(threats), depth, -beta, -alpha);
        return score_by_search(position, ply, depth, alpha, beta);
    }

    Score score_by_search(const Position<B>& position, int ply, int depth, Score alpha,
                          Score beta) {
        if (depth <= 0 && !board_.is_full(position)) return 0;
        for (const auto& [stone, promise] : moves(position, is_early(ply))) {
            alpha =
                std::max(alpha, -score_of_position(position.play(stone), depth - 1, -beta, -alpha));
            if (alpha >= beta) return beta;
        }
        return alpha;
    }

    Score won_at(int ply) const {
        return judges_full_boards_ || ply < board_.variant.cells() ? won(ply) : 0;
    }

    /// Returns the moves to search at the root: those that win, or if there are none, those that
    /// stop a win, or if there are none, all.
    std::vector<B> moves_at_root(const Position<B>& position) {
        const bool by_score = !deepens_ && is_early(position.ply());
        const Ranking<Move> ranked = moves(position, by_score);
        std::vector<B> all(ranked.size());
        std::ranges::transform(ranked, all.begin(), &Move::stone);
        if (!looks_ahead_) return all;
        const B wins = board_.winning_cells(position);
        const B urgent = wins ? wins : board_.opponent_winning_cells(position);
        if (urgent) std::erase_if(all, [urgent](B stone) { return !(stone & urgent); });
        return all;
    }

    bool is_early(int ply) const { return board_.variant.cells() - ply > threshold_; }

    Ranking<Move> moves(const Position<B>& position, bool by_score) {
        const B playable = board_.playable(position.occupied());
        Ranking<Move> moves(moves_.at(position.ply()));
        for (const B choice : board_.choices) {
            const B stone = playable & choice;
            if (!stone) continue;
            moves.insert({stone, by_score ? column_score(position, playable, stone) : 0});
        }
        return moves;
    }

    Score column_score(const Position<B>& position, B playable, B stone) const {
        Score score = 0;
        for (const int step : board_.steps)
            score += worth_of_chains(position, playable, stone, step);
        return score;
    }

    /// Returns the worth of the chains on both sides of a cell; equal colours make one chain.
    Score worth_of_chains(const Position<B>& position, B playable, B stone, int step) const {
        Score worth = 0, power = 1;
        B before = 0;
        int length = 0;
        for (const int way : {step, -step}) {
            B cell = shifted(stone, way);
            const B stones = cell & position.own     ? position.own
                             : cell & position.other ? position.other
                                                     : 0;
            if (stones != before) length = 0, power = 1, before = stones;
            Score amplified = 0;
            for (int i = 0; i < MAX_CHAIN_LENGTH && cell & stones; ++i, cell = shifted(cell, way)) {
                amplified += ++length * (power *= amplifier_);
            }
            const Score factor = stones == position.own ? own_factor_ : other_factor_;
            worth += amplified * factor * (cell & playable ? open_factor_ : 1);
        }
        return worth;
    }

    static B shifted(B cell, int way) { return way > 0 ? cell << way : cell >> -way; }

    const Board& board_;
    const Limits& limits_;
    Budget budget_;
    const Score amplifier_, own_factor_, other_factor_, open_factor_, threshold_;
    const bool deepens_, judges_full_boards_, looks_ahead_;
    Lists<Move> moves_;
    int finished_ = 0;  // root moves of an iteration
};

}  // namespace c4
