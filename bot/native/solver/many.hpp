// The scores of many positions, which threads take one after the other.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "moves.hpp"

namespace c4 {

/// What is wanted of each position: who wins, its score, its score and best moves, or the scores of
/// all its moves.
enum class Scope : std::uint8_t { RESULT, POSITION, BEST, ALL };

/// A score that is not known, or that of a column that is full.
inline constexpr std::int8_t NO_SCORE = -128;

/// Thrown in a thread when another thread has ended the work. Other than `OutOfBudget`, it ends all
/// searches of the thread at once.
struct Ended : std::exception {};

/// One search for the scores of many positions. Threads share the table of the solver, but not their
/// searches, so a hard position keeps one thread busy.
template <class Board, const Knowledge<Board>* KNOWN = nullptr>
class ManyPositions {
  public:
    using B = typename Board::B;

    /// `limits` has the number of threads and `handle_signals`; other limits must not be set.
    ManyPositions(Solver<Board, KNOWN>& solver, Scope scope, const Limits& limits)
        : solver_(solver), scope_(scope), limits_(limits) {
        solver.provide_near(limits.threads);
    }

    /// Writes a row for each position, from the first to the last: its score, then the score of
    /// each column from left to right for the player who moves there, or `NO_SCORE`. `position_at`
    /// returns the position with an index, whose game is not over. `score_of` is as in `AllMoves`.
    /// `done` counts the rows that are written.
    template <class PositionAt, class ScoreOf>
    void solve(std::span<std::int8_t> rows, std::atomic<std::int64_t>& done,
               const PositionAt& position_at, const ScoreOf& score_of) {
        const std::size_t row = solver_.knowledge().board.variant.width + 1;
        const std::size_t count = rows.size() / row;
        std::atomic<std::size_t> next = 0;
        Team team;
        in_parallel(limits_, limits_.threads, team, [&](int thread) {
            running_ = &team;
            Limits alone = limits_;
            alone.threads = 1;
            alone.handle_signals = end_or_handle_signals;
            handle_signals_ = limits_.handle_signals;
            Clock::time_point look{};
            for (std::size_t i; (i = next++) < count; ++done) {
                if (const auto now = Clock::now(); now >= look) {
                    end_or_handle_signals();
                    look = now + SIGNALS;
                }
                write(rows.subspan(i * row, row), position_at(i), score_of, thread, alone);
            }
        });
    }

  private:
    static void end_or_handle_signals() {
        if (running_->stopped) throw Ended{};
        if (handle_signals_) handle_signals_();
    }

    template <class ScoreOf>
    void write(std::span<std::int8_t> row, const Position<B>& position, const ScoreOf& score_of,
               int thread, const Limits& limits) {
        std::ranges::fill(row, NO_SCORE);
        if (scope_ == Scope::ALL) {
            write_moves(row, position, ANY, score_of, thread, limits);
            row[0] = *std::ranges::max_element(row);
            return;
        }
        const Bounds wanted = scope_ == Scope::RESULT ? Bounds{-1, 1} : ANY;
        row[0] = score(position, wanted, score_of, thread, limits);
        if (scope_ == Scope::RESULT) row[0] = (row[0] > 0) - (row[0] < 0);
        if (scope_ == Scope::BEST) {
            write_moves(row, position, {row[0] - 1, row[0]}, score_of, thread, limits);
        }
    }

    template <class ScoreOf>
    int score(const Position<B>& position, const Bounds& wanted, const ScoreOf& score_of,
              int thread, const Limits& limits) {
        if (const auto known = score_of(position)) return *known;
        const Bounds bounds = solver_.solve(position, wanted, limits, thread).bounds;
        return bounds.high < 0 ? bounds.high : bounds.low;
    }

    /// Writes the scores of the moves that are at least `wanted.high`.
    template <class ScoreOf>
    void write_moves(std::span<std::int8_t> row, const Position<B>& position, const Bounds& wanted,
                     const ScoreOf& score_of, int thread, const Limits& limits) {
        AllMoves moves(solver_, limits, thread);
        for (const auto& [stone, bounds, _] : moves.solve(position, wanted, score_of)) {
            const bool is_wanted = wanted.high == ANY.high || bounds.low >= wanted.high;
            if (is_wanted) row[1 + column(stone)] = bounds.low;
        }
    }

    int column(B stone) const {
        return lowest(stone) / (solver_.knowledge().board.variant.height + 1);
    }

    static constexpr Bounds ANY{-MAX_BITS, MAX_BITS};
    static thread_local inline const Team* running_ = nullptr;
    static thread_local inline void (*handle_signals_)() = nullptr;

    Solver<Board, KNOWN>& solver_;
    const Scope scope_;
    const Limits limits_;
};

}  // namespace c4
