// The Python module `c4_bot._core`: the list of twins, and the functions that Python calls.
//
// Every function raises `ValueError` for stones that are not on the board, for two stones on one
// cell, for stones above a free cell in a game with gravity, for boards of more than 128 bits, for
// numbers out of their range and for parameters that are missing or unknown. It raises `TypeError`
// for numbers of more than 64 bits. A function that is called in the main thread lets Python handle
// signals every 50 ms, so that Ctrl-C ends it with `KeyboardInterrupt`.
//
// The types are in c4_bot/_core.pyi, which nanobind generates from these functions.

#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#elif defined(__APPLE__) || defined(__FreeBSD__)
#include <pthread.h>
#endif

#ifdef __POPCNT__
#include <cpuid.h>
#endif

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "../evaluate/blocker.hpp"
#include "../evaluate/needed.hpp"
#include "../evaluate/network.hpp"
#include "../evaluate/weighed_windows.hpp"
#include "../evaluate/zugzwang.hpp"
#include "../games.hpp"
#include "../perft.hpp"
#include "../search/deepening.hpp"
#include "../search/human.hpp"
#include "../search/last_iteration.hpp"
#include "../search/minimax.hpp"
#include "../search/negamax.hpp"
#include "../search/ordered.hpp"
#include "border.hpp"

namespace nb = nanobind;

namespace c4 {
namespace {

/// A twin: the name of its Python module, and its class template over the board.
template <template <class...> class Template>
struct Twin {
    const char* name;
};

constexpr std::tuple SEARCHES = {
    Twin<Deepening>{"deepening"}, Twin<Human>{"human"},     Twin<LastIteration>{"last_iteration"},
    Twin<Minimax>{"minimax"},     Twin<Negamax>{"negamax"}, Twin<Ordered>{"ordered"}};
constexpr std::tuple EVALUATORS = {Twin<Blocker>{"blocker"}, Twin<Needed>{"needed"},
                                   Twin<Network>{"network"}, Twin<Sequences>{"sequences"},
                                   Twin<Windows>{"windows"}, Twin<Zugzwang>{"zugzwang"}};

// The fields of a `Result`.
using Found = std::tuple<int, Score, bool, int, std::int64_t, std::vector<int>, std::string,
                         std::vector<Scored>>;

template <class... Twins>
std::vector<std::string> names_of(const std::tuple<Twins...>& twins) {
    return std::apply([](const auto&... twin) { return std::vector<std::string>{twin.name...}; },
                      twins);
}

/// Calls `use` with the twin of that name; throws if there is none.
template <class Answer, class Use, class... Twins>
Answer with_twin(const std::tuple<Twins...>& twins, const std::string& name, const Use& use) {
    std::optional<Answer> answer;
    const auto try_one = [&](const auto& twin) {
        if (name == twin.name) answer = use(twin);
    };
    std::apply([&](const auto&... twin) { (try_one(twin), ...); }, twins);
    if (!answer) throw std::invalid_argument("there is no twin of " + name);
    return *std::move(answer);
}

template <class Board>
using Judge = std::unique_ptr<Evaluator<typename Board::B>>;

template <class Board>
Judge<Board> evaluator_of(const Board& board, const std::string& name, Parameters weights) {
    if (name.empty()) return std::make_unique<NoEvaluator<typename Board::B>>();
    const auto make = [&]<template <class...> class T>(const Twin<T>&) -> Judge<Board> {
        auto made = std::make_unique<T<Board>>(board, weights);
        check_all_taken(weights);
        return made;
    };
    return with_twin<Judge<Board>>(EVALUATORS, name, make);
}

// The name of a search and its parameters, and those of its evaluator. A search that evaluates
// nothing has an evaluator without a name.
using SearchSpec = std::tuple<std::string, Parameters, std::string, Parameters>;

/// Returns the cells as a board; throws `std::invalid_argument` if a cell is no legal move, or if
/// there are none.
template <class Board, class B = typename Board::B>
std::optional<B> cells_among(const Board& board, const Position<B>& position,
                             const std::optional<Halves>& among) {
    if (!among) return std::nullopt;
    const Wide cells = whole(*among);
    if (!cells || cells & ~Wide{board.playable(position.occupied())}) {
        throw std::invalid_argument("the moves to try are not legal moves");
    }
    return static_cast<B>(cells);
}

/// Searches a position; with `among`, only these moves.
template <class Search, class Position, class B>
Result search_among(Search& search, const Position& position, const std::optional<B>& among) {
    if (!among) return search.search(position);
    if constexpr (requires { search.search(position, *among); }) {
        return search.search(position, *among);
    }
    throw std::invalid_argument("this search always tries all moves");
}

/// `among` is a bitboard of the moves to try. Throws `std::invalid_argument` for unknown names, for
/// games that are over, moves that are not legal, and for `among` if the search tries all moves.
Found search(SearchSpec spec, const Sizes& sizes, const Stones& stones, const LimitFields& fields,
             const std::optional<Halves>& among) {
    auto& [name, parameters, evaluator, weights] = spec;
    const Limits limits = limits_of(fields);
    const Result found = with_board(variant_of(sizes), [&]<class Board>(const Board& board) {
        const auto position = open_position_of(stones, board);
        const Judge<Board> judge = evaluator_of(board, evaluator, weights);
        const auto cells = cells_among(board, position, among);
        const auto run = [&]<template <class...> class T>(const Twin<T>&) {
            T search(board, *judge, parameters, limits);
            check_all_taken(parameters);
            return search_among(search, position, cells);
        };
        return with_twin<Result>(SEARCHES, name, run);
    });
    return {found.cell,  found.score, found.exact,  found.depth,
            found.nodes, found.line,  found.reason, found.scores};
}

// Evaluator, its weights, and the fields of a `Manner`.
using PlayerOf = std::tuple<std::string, Parameters, bool, int, int, bool>;

/// Plays games, `threads` at the same time. Throws `std::invalid_argument` for unknown players and
/// evaluators, and for openings with an illegal move.
std::vector<Played> play_games(const std::vector<PlayerOf>& players,
                               const std::vector<Fixture>& fixtures, const Sizes& sizes,
                               int threads) {
    const Limits limits = limits_of({-1, -1, -1, threads});
    return with_board(variant_of(sizes), [&]<class Board>(const Board& board) {
        std::vector<Judge<Board>> judges;
        std::vector<Chooser<Board>> choosers;
        for (const auto& [evaluator, weights, sooner_wins, preference, depth, centre] : players) {
            if (depth < 1) throw std::invalid_argument("a depth is at least 1 ply");
            judges.push_back(evaluator_of(board, evaluator, weights));
            choosers.emplace_back(board, *judges.back(),
                                  Manner{sooner_wins, preference, depth, centre});
        }
        const int count = static_cast<int>(players.size());
        for (const auto& [first, second, opening] : fixtures) {
            if (first < 0 || first >= count || second < 0 || second >= count) {
                throw std::invalid_argument("no such player");
            }
        }
        return play_all(board, choosers, fixtures, limits);
    });
}

/// Returns the score for the first player of `stones`; `moves` says whether this player is to move.
Score evaluate(const SearchSpec& spec, const Sizes& sizes, const Stones& stones, bool moves) {
    const auto& [search, parameters, evaluator, weights] = spec;
    return with_board(variant_of(sizes), [&]<class Board>(const Board& board) {
        const auto [own, other] = position_of(stones, board);
        return evaluator_of(board, evaluator, weights)->evaluate(own, other, moves);
    });
}

/// Gives the core the network of a variant. A shape has the fields of a `Shape`. The order of the
/// weights is that of c4_bot/evaluate/_patterns.py.
void use_network(const Sizes& sizes, const std::vector<std::tuple<int, int, int>>& shapes,
                 const nb::bytes& weights) {
    std::vector<Shape> made;
    for (const auto& [columns, rows, slope] : shapes) made.push_back({columns, rows, slope});
    const auto* begin = static_cast<const std::int8_t*>(weights.data());
    Networks::give(variant_of(sizes), made, {begin, begin + weights.size()});
}

/// Returns the number of nodes of the tree of all games to `depth` plies. `steal` says whether the
/// steal may be the next move or the move after it.
std::uint64_t perft_of(const Sizes& sizes, const Stones& stones, int depth, bool steal) {
    return with_board(variant_of(sizes), [&]<class Board>(const Board& board) {
        const Limits limits = limits_of({-1, -1, -1, 1});
        Budget budget(limits, nullptr, 4);
        const auto position = position_of(stones, board);
        if (!steal) return perft(board, position, depth, budget);
        if (position.own || popcount(position.other) > 1) {
            throw std::invalid_argument("the steal is only for the first stone");
        }
        return perft_with_steal(board, position, depth, budget);
    });
}

/// Throws if the processor lacks an instruction that the compiler may use. Python then reports an
/// `ImportError`, instead of a first search that ends the process.
void require_processor() {
#ifdef __POPCNT__
    unsigned a, b, c = 0, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_POPCNT)) {
        throw std::runtime_error("this processor has no instruction that counts bits (POPCNT)");
    }
#endif
}

const std::thread::id LOADER = std::this_thread::get_id();  // the thread that imported this module

/// Python runs its signal handlers in the main thread only.
bool is_main_thread() {
#if defined(__linux__)
    return getpid() == static_cast<pid_t>(syscall(SYS_gettid));
#elif defined(__APPLE__) || defined(__FreeBSD__)
    return pthread_main_np();
#else
    return std::this_thread::get_id() == LOADER;
#endif
}

}  // namespace

void handle_signals() {
    if (!is_main_thread()) return;
    const nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals()) throw nb::python_error();
}

}  // namespace c4

NB_MODULE(_core, module) {
    using namespace nb::literals;
    c4::require_processor();
    nb::set_leak_warnings(false);  // threads may still use objects when the program ends
    module.def("searches", [] { return c4::names_of(c4::SEARCHES); });
    module.def("evaluators", [] { return c4::names_of(c4::EVALUATORS); });
    module.def("search", &c4::search, "spec"_a, "variant"_a, "stones"_a, "limits"_a,
               "among"_a = nb::none(), nb::call_guard<nb::gil_scoped_release>());
    module.def("play_games", &c4::play_games, "players"_a, "games"_a, "variant"_a, "threads"_a,
               nb::call_guard<nb::gil_scoped_release>());
    c4::add_solver(module);
    c4::add_line_solver(module);
#ifdef TRAINING
    c4::add_trainer(module);
#endif
    c4::add_reasons(module);
    module.def("evaluate", &c4::evaluate, "spec"_a, "variant"_a, "stones"_a, "moves"_a);
    module.def("use_network", &c4::use_network, "variant"_a, "shapes"_a, "weights"_a);
    module.def("perft", &c4::perft_of, "variant"_a, "stones"_a, "depth"_a, "steal"_a = false,
               nb::call_guard<nb::gil_scoped_release>());
}
