// Runs everything in the core that uses several threads. .ci/weekly builds this program with
// ThreadSanitizer and runs it. Its exit code is 1 if several threads find something else than one.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <vector>

#include "evaluate/weighed_windows.hpp"
#include "games.hpp"
#include "line/attack.hpp"
#include "search/negamax.hpp"
#include "search/parallel.hpp"
#include "solver/solver.hpp"

namespace {

using namespace c4;

constexpr int THREADS = 4;
constexpr unsigned ALL = HORIZONTAL | VERTICAL | DIAGONAL;
constexpr Variant STANDARD{7, 6, 4, true, ALL};
constexpr Variant WIDE{9, 8, 4, true, ALL};
constexpr Variant LINE8{8, 8, 4, false, HORIZONTAL | VERTICAL};

bool has_failed = false;

void expect(bool holds, const char* what) {
    std::printf("%s: %s\n", what, holds ? "ok" : "FAILED");
    has_failed |= !holds;
}

Limits limited(int threads, std::int64_t nodes = -1, int depth = -1) {
    Limits limits;
    limits.depth = depth;
    limits.nodes = nodes;
    limits.threads = threads;
    return limits;
}

/// Returns the position after stones in these columns, which count from 0.
template <class Board>
Position<typename Board::B> after(const Board& board, std::initializer_list<int> columns) {
    using B = typename Board::B;
    Position<B> position{0, 0};
    for (const int x : columns) {
        const B column = ((B{1} << board.variant.height) - 1) << (x * board.variant.stride());
        position = position.play(board.playable(position.occupied()) & column);
    }
    return position;
}

/// The threads of one search share the table and `Busy`.
void solve_in_threads() {
    const Board<Narrow, 4> board(STANDARD);
    const auto position = after(board, {3, 3, 3, 3, 3, 2, 2, 2, 4, 1, 1, 1});
    const auto solve = [&](int threads) {
        Solver<Board<Narrow, 4>> solver(STANDARD, 16);
        return solver.solve(position, {-42, 42}, limited(threads));
    };
    const Solved alone = solve(1), together = solve(THREADS);
    expect(alone.bounds.low == together.bounds.low && alone.bounds.high == together.bounds.high,
           "the score of a position");
    expect(alone.nodes > 100'000, "its search takes long enough for threads");
}

/// On wide boards a slot of the table has two words, which a thread writes one after the other.
void solve_wide_boards_in_threads() {
    const Board<Wide, 4> board(WIDE);
    Solver<Board<Wide, 4>> solver(WIDE, 32);
    const auto position = after(board, {4, 4, 4, 4, 4, 4});
    const Solved found = solver.solve(position, {-1, 1}, limited(THREADS, 100'000));
    expect(found.nodes > 50'000, "a table whose slots have two words");
}

/// A solver of lines has one thread; several solvers work at the same time.
void prove_lines_in_threads() {
    const Grid<Narrow, 4> grid(LINE8);
    std::vector<std::int64_t> nodes(THREADS);
    Team team;
    in_parallel(limited(THREADS, -1), THREADS, team, [&](int i, int) {
        Memory<Narrow> memory(16);
        const Limits limits = limited(1, 20'000);
        Budget budget(limits);
        Attack<Grid<Narrow, 4>> attack(grid, memory, budget);
        try {
            attack.wins({0, 0}, 8, 1);
        } catch (const OutOfBudget&) {  // only the number of nodes matters
        }
        nodes[i] = budget.nodes;
    });
    expect(std::ranges::count(nodes, nodes[0]) == THREADS && nodes[0] > 0, "solvers of lines");
}

void play_games_in_threads() {
    const Board<Narrow, 4> board(STANDARD);
    Parameters weights{{"weights", {1, 3, 6}}};
    const Sequences<Board<Narrow, 4>> evaluator(board, weights);
    const std::vector<Chooser<Board<Narrow, 4>>> players{{board, evaluator, {true, 1, 4, true}},
                                                         {board, evaluator, {true, -1, 3, false}}};
    const std::vector<Fixture> fixtures{{0, 1, {}}, {1, 0, {}}, {0, 1, {0}}, {1, 0, {7}}};
    const auto alone = play_all(board, players, fixtures, limited(1));
    const auto together = play_all(board, players, fixtures, limited(THREADS));
    expect(alone == together, "games");
}

void search_roots_in_threads() {
    const Board<Narrow, 4> board(STANDARD);
    Parameters weights{{"weights", {1, 3, 6}}};
    const Sequences<Board<Narrow, 4>> evaluator(board, weights);
    const auto search = [&](int threads) {
        Parameters parameters{{"sooner_wins", {1}}};
        const Negamax negamax(board, evaluator, parameters, limited(threads, -1, 5));
        return negamax.search({0, 0});
    };
    expect(search(1).scores == search(THREADS).scores, "moves at the root");
}

}  // namespace

int main() {
    solve_in_threads();
    solve_wide_boards_in_threads();
    prove_lines_in_threads();
    play_games_in_threads();
    search_roots_in_threads();
    return has_failed;
}
