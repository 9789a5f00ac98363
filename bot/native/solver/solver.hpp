// Exact scores, by a few null windows and any number of threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <iterator>
#include <optional>
#include <vector>

#include "../book.hpp"
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

    const Knowledge<Board>& knowledge() const { return KNOWN != nullptr ? *KNOWN : knowledge_; }

    void forget() {
        far_.forget();
        for (Near& near : near_) near.forget();
    }

    /// Lets `known_score` use a book of the same variant, which must outlive the solver.
    void use_book(const Book& book) { book_ = &book; }

    /// Returns the score that the book has for the player to move in a game that is not over.
    std::optional<int> known_score(const Position<B>& position) const {
        if (!book_) return std::nullopt;
        return book_->score(
            {static_cast<Narrow>(position.own), static_cast<Narrow>(position.other)});
    }

    /// Returns bounds of the score of a game that is not over. The search ends when the score is
    /// exact, or known to be outside `wanted`, or when the limits are reached. Threads that solve
    /// positions at the same time have different numbers, for which `provide_near` has been called.
    Solved solve(const Position<B>& position, const Bounds& wanted, const Limits& limits,
                 int thread = 0) {
        Search search = search_of(thread, limits);
        Task task = task_of(position, search, wanted);
        narrow_quickly(task, search, limits);
        narrow_fully(task, search, limits);
        return {task.turned ? -task.bounds : task.bounds, search.budget.nodes};
    }

    /// Returns bounds of the score of a position without winning cells, found without a search: the
    /// best bounds that any null window gives.
    Bounds follow_up_bounds(const Position<B>& position) const {
        const auto& [board, follow_up, _] = knowledge();
        const Node<B> node = node_of(board, position);
        const int low = -worth(board.variant, node.ply + 2);
        const int high = worth(board.variant, node.ply + 1);
        Bounds best{low, high};
        for (int alpha = low; alpha < high; ++alpha) {
            best.narrow({follow_up.lower_bound(node, low, alpha),
                         follow_up.upper_bound(node, high, alpha)});
        }
        return best;
    }

  private:
    template <class>
    friend class AllMoves;
    template <class>
    friend class ManyPositions;

    using Search = SolverSearch<Board, KNOWN>;
    using Near = typename SolverTables<B>::Near;

    static constexpr std::int64_t QUICK = 20'000;

    /// Makes a near table for each of so many threads. The tables that exist stay where they are.
    void provide_near(int threads) {
        const int bits = knowledge().board.variant.bits();
        while (std::ssize(near_) < threads) near_.emplace_back(bits, SolverTables<B>::NEAR_BYTES);
    }

    SolverTables<B> tables(int thread) { return {near_[thread], far_}; }

    /// A position whose score is wanted. Forced moves have been played: if `turned`, the other
    /// player is to move. The bounds are for the player to move in `node`.
    struct Task {
        Node<B> node;
        bool turned;
        Bounds bounds, wanted;

        bool is_open() const {
            return std::max(bounds.low, wanted.low) < std::min(bounds.high, wanted.high);
        }
    };

    /// Returns the search of the thread with this number, from 0.
    Search search_of(int thread, const Limits& limits, Team* team = nullptr, Busy* busy = nullptr) {
        return Search(knowledge_, tables(thread), limits, team, busy);
    }

    /// Returns the task of a game that is not over, with what is certain without a search.
    Task task_of(const Position<B>& position, const Search& search, const Bounds& wanted) const {
        const Board& board = knowledge().board;
        Task task{node_of(board, position), false, {}, wanted};
        std::optional<int> score;
        if (task.node.wins & board.playable(task.node.occupied())) {
            score = worth(board.variant, task.node.ply + 1);
        } else {
            score = search.play_out(task.node, task.turned);
            if (task.turned) task.wanted = -wanted;
        }
        task.bounds = score ? Bounds{*score, *score} : search.natural(task.node.ply);
        return task;
    }

    /// Searches quickly from both ends of the range, which finds short wins ten times sooner.
    static void narrow_quickly(Task& task, Search& search, const Limits& limits) {
        const std::int64_t most = search.budget.nodes + QUICK;
        search.budget.allow(limits.nodes < 0 ? most : std::min(most, limits.nodes));
        try {
            while (const auto alpha = next_window(task, far_first)) {
                narrow(task.bounds, *alpha, search.visit(task.node, *alpha));
            }
        } catch (const OutOfBudget&) {  // continue from the middle
        }
        search.budget.allow(limits.nodes);
    }

    /// Searches from the middle of the range, with all threads.
    void narrow_fully(Task& task, Search& search, const Limits& limits) {
        try {
            while (const auto alpha = next_window(task, near_first)) {
                narrow(task.bounds, *alpha, in_company(task.node, *alpha, search, limits));
            }
        } catch (const OutOfBudget&) {  // what is known by now is the answer
        }
    }

    static void narrow(Bounds& bounds, int alpha, int score) {
        bounds.narrow(score > alpha ? Bounds{score, bounds.high} : Bounds{bounds.low, score});
    }

    /// Returns the next score to compare with; nothing if the answer is known.
    template <class Choose>
    static std::optional<int> next_window(const Task& task, const Choose& choose) {
        if (!task.is_open()) return std::nullopt;
        const int low = std::max(task.bounds.low, task.wanted.low);
        const int high = std::min(task.bounds.high, task.wanted.high);
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
            searches.push_back(search_of(i, limits, &team, &busy));
        }
        std::atomic<int> score{NONE};
        in_parallel(limits, limits.threads, team, [&](int i, int) {
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
    const Book* book_ = nullptr;
};

}  // namespace c4
