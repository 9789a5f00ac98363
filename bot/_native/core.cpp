// The Python module `bot._native._core`: which twins there are, and what crosses the border.

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "border.hpp"
#include "evaluate/needed.hpp"
#include "evaluate/sequences.hpp"
#include "search/deepening.hpp"
#include "search/negamax.hpp"

namespace nb = nanobind;

namespace c4 {
namespace {

/// A twin: the name of its Python module, and the template that a board makes a type of.
template <template <class...> class Template>
struct Twin {
    const char* name;

    template <class Board, class... Rest>
    static auto make(const Board& board, const Rest&... rest) {
        return Template(board, rest...);
    }
};

constexpr std::tuple SEARCHES = {Twin<Deepening>{"deepening"}, Twin<Negamax>{"negamax"}};
constexpr std::tuple EVALUATORS = {Twin<Needed>{"needed"}, Twin<Sequences>{"sequences"}};

using Found = std::tuple<int, Score, bool, int, std::int64_t, std::vector<int>>;  // of a `Result`

template <class... Twins>
nb::tuple names_of(const std::tuple<Twins...>& twins) {
    return std::apply([](const auto&... twin) { return nb::make_tuple(twin.name...); }, twins);
}

/// Calls `use` with the twin of that name.
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

/// Calls `use` with the smallest type of board that holds the variant.
template <class Use>
auto with_board(const Variant& variant, const Use& use) {
    const bool is_usual = variant.connect == 4;
    if (variant.bits() <= 64) {
        return is_usual ? use(Board<Narrow, 4>(variant)) : use(Board<Narrow, 0>(variant));
    }
    if (variant.bits() <= 128) {
        return is_usual ? use(Board<Wide, 4>(variant)) : use(Board<Wide, 0>(variant));
    }
    throw std::invalid_argument("the board has more than 128 bits");
}

Found search(const std::string& kind, const std::string& evaluator, const Weights& weights,
             const Sizes& sizes, const Halves& own, const Halves& other, int depth,
             std::int64_t nodes, double seconds, int threads) {
    const Limits limits = limits_of(depth, nodes, seconds, threads);
    const Result found = with_board(variant_of(sizes), [&]<class Board>(const Board& board) {
        using B = typename Board::B;
        const Position<B> position{whole<B>(own), whole<B>(other)};
        if (board.urgent_first(position).empty()) throw std::invalid_argument("the board is full");
        return with_twin<Result>(EVALUATORS, evaluator, [&](const auto& twin) {
            const auto judge = twin.make(board, weights);
            return with_twin<Result>(SEARCHES, kind, [&](const auto& twin) {
                return twin.make(board, judge, limits).search(position);
            });
        });
    });
    return {found.cell, found.score, found.exact, found.depth, found.nodes, found.line};
}

Score evaluate(const std::string& evaluator, const Weights& weights, const Sizes& sizes,
               const Halves& own, const Halves& other) {
    return with_board(variant_of(sizes), [&]<class Board>(const Board& board) {
        using B = typename Board::B;
        return with_twin<Score>(EVALUATORS, evaluator, [&](const auto& twin) {
            return twin.make(board, weights).evaluate(whole<B>(own), whole<B>(other));
        });
    });
}

}  // namespace
}  // namespace c4

NB_MODULE(_core, module) {
    using namespace nb::literals;
    module.attr("SEARCHES") = c4::names_of(c4::SEARCHES);
    module.attr("EVALUATORS") = c4::names_of(c4::EVALUATORS);
    module.def("search", &c4::search, "kind"_a, "evaluator"_a, "weights"_a, "variant"_a, "own"_a,
               "other"_a, "depth"_a, "nodes"_a, "seconds"_a, "threads"_a,
               nb::call_guard<nb::gil_scoped_release>());
    c4::add_solver(module);
    module.def("evaluate", &c4::evaluate, "evaluator"_a, "weights"_a, "variant"_a, "own"_a,
               "other"_a);
}
