// What evaluators and searches promise each other: the twin of bot/contract.py.
//
// A search is a class template over the board and the evaluator, made from both and the limits;
// its `search(position)` is the result. An evaluator is a class template over the board, made from
// it and the weights; its `evaluate(own, other)` is the score for the owner of `own`.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <vector>

namespace c4 {

using Score = std::int64_t;
using Weights = std::vector<Score>;
using Clock = std::chrono::steady_clock;

inline constexpr Score WIN = Score{1} << 60;
inline constexpr Score PROVEN = WIN - (Score{1} << 20);

inline Score won(int ply) { return WIN - ply; }
inline bool is_proven(Score score) { return std::abs(score) > PROVEN; }

/// Whether a complete search to `depth` from `ply` of `cells` stones proves the score.
inline bool is_exact(Score score, int depth, int ply, int cells) {
    return (is_proven(score) ? WIN - std::abs(score) : cells) - ply <= depth;
}

/// When a search has to stop; a negative number is no limit.
struct Limits {
    int depth = -1;
    std::int64_t nodes = -1;
    std::optional<Clock::time_point> deadline;
    int threads = 1;

    bool is_bounded() const { return nodes >= 0 || deadline; }
};

struct Result {
    int cell;
    Score score = 0;
    bool exact = false;
    int depth = 0;
    std::int64_t nodes = 0;
    std::vector<int> line;
};

struct OutOfBudget {};

/// Counts visited positions and throws `OutOfBudget` at the limits.
class Budget {
  public:
    explicit Budget(const Limits& limits) : most_(limits.nodes), deadline_(limits.deadline) {}

    void visit() {
        if (nodes == most_) throw OutOfBudget{};
        // A look at the clock takes as long as a few nodes, so only every 64th pays for one.
        if (deadline_ && nodes % 64 == 0 && Clock::now() >= *deadline_) throw OutOfBudget{};
        ++nodes;
    }

    std::int64_t nodes = 0;

  private:
    std::int64_t most_;
    std::optional<Clock::time_point> deadline_;
};

}  // namespace c4
