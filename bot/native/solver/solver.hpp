// Exact scores, by a few null windows and any number of threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <iterator>
#include <optional>
#include <vector>

#include "../search/parallel.hpp"
#include "search.hpp"

namespace c4 {

struct Solved {
    Bounds bounds;
    std::int64_t nodes;
};

/// A solver of positions of one variant in which stones fall; it remembers what it found.
template <class Board, const Knowledge<Board>* KNOWN = nullptr>
class Solver {
  public:
    using B = typename Board::B;

    Solver(const Variant& variant, std::size_t megabytes)
        : knowledge_(variant), far_(variant.bits(), megabytes << 20) {
        provide_near(1);
    }

    const Knowledge<Board>& knowledge() const {
        if constexpr (KNOWN != nullptr) {
            return *KNOWN;
        } else {
            return knowledge_;
        }
    }

    void forget() {
        far_.forget();
        for (Near& near : near_) near.forget();
    }

    /// Returns bounds of the score of a game that is not over. The search ends when the score is
    /// exact, or known to be outside `wanted`, or when the limits are reached.
    Solved solve(const Position<B>& position, const Bounds& wanted, const Limits& limits) {
        const Board& board = knowledge().board;
        Node<B> node = node_of(board, position);
        if (node.wins & board.playable(node.occupied())) {
            const int score = worth(board.variant, node.ply + 1);
            return {{score, score}, 0};
        }
        Search search(knowledge_, tables(0), limits);
        bool turned = false;
        if (const auto score = search.play_out(node, turned)) {
            return {turned ? Bounds{-*score, -*score} : Bounds{*score, *score}, 0};
        }
        const Bounds found = narrowed(node, turned ? -wanted : wanted, search, limits);
        return {turned ? -found : found, search.budget.nodes};
    }

  private:
    using Search = SolverSearch<Board, KNOWN>;
    using Near = typename SolverTables<B>::Near;

    static constexpr std::int64_t QUICK = 20'000;

    /// Makes a near table for each of so many threads. The tables that exist stay where they are.
    void provide_near(int threads) {
        const int bits = knowledge().board.variant.bits();
        while (std::ssize(near_) < threads) near_.emplace_back(bits, SolverTables<B>::NEAR_BYTES);
    }

    SolverTables<B> tables(int thread) { return {near_[thread], far_}; }

    /// First searches quickly from both ends of the range, which finds short wins ten times sooner.
    /// If the score is still open, continues from the middle.
    Bounds narrowed(const Node<B>& node, const Bounds& wanted, Search& search,
                    const Limits& limits) {
        Bounds bounds = search.natural(node.ply);
        try {
            search.budget.allow(limits.nodes < 0 ? QUICK : std::min(QUICK, limits.nodes));
            while (const auto alpha = next_window(bounds, wanted, far_first)) {
                narrow(bounds, *alpha, search.visit(node, *alpha));
            }
        } catch (const OutOfBudget&) {  // continue from the middle
        }
        search.budget.allow(limits.nodes);
        try {
            while (const auto alpha = next_window(bounds, wanted, near_first)) {
                narrow(bounds, *alpha, in_company(node, *alpha, search, limits));
            }
        } catch (const OutOfBudget&) {  // what is known by now is the answer
        }
        return bounds;
    }

    static void narrow(Bounds& bounds, int alpha, int score) {
        bounds.narrow(score > alpha ? Bounds{score, bounds.high} : Bounds{bounds.low, score});
    }

    /// Returns the next score to compare with; nothing if the answer is known.
    template <class Choose>
    static std::optional<int> next_window(const Bounds& bounds, const Bounds& wanted,
                                          const Choose& choose) {
        const int low = std::max(bounds.low, wanted.low), high = std::min(bounds.high, wanted.high);
        if (low >= high) return std::nullopt;
        return std::clamp(choose(low, high), low, high - 1);
    }

    static int far_first(int low, int high) {
        const int middle = low + (high - low) / 2;
        if (middle <= 0 && low / 2 < middle) return low / 2;
        if (middle >= 0 && high / 2 > middle) return high / 2;
        return middle;
    }

    static int near_first(int low, int high) {
        if (low < 0 && high > 0) return 0;
        return low >= 0 ? low : high - 1;
    }

    /// Visits a node with several threads. They share the table and avoid each other's positions;
    /// the first one to finish ends the others.
    int in_company(const Node<B>& node, int alpha, Search& search, const Limits& limits) {
        if (limits.threads <= 1) return search.visit(node, alpha);
        Team team;
        team.nodes = search.budget.nodes;
        Busy busy;
        std::vector<Search> searches;
        searches.reserve(limits.threads);
        provide_near(limits.threads);
        for (int i = 0; i < limits.threads; ++i) {
            searches.emplace_back(knowledge_, tables(i), limits, &team, &busy);
        }
        std::atomic<int> score{NONE};
        in_parallel(limits, limits.threads, team, [&](int i) {
            score = searches[i].visit(node, alpha);
            team.stopped = true;
        });
        for (const Search& one : searches) search.budget.nodes += one.budget.nodes;
        if (score == NONE) throw OutOfBudget{};
        return score;
    }

    static constexpr int NONE = 1000;

    const Knowledge<Board> knowledge_;
    typename SolverTables<B>::Far far_;
    std::deque<Near> near_;
};

}  // namespace c4
