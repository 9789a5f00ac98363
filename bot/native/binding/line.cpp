// The class `LineSolver` of the Python module.

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <variant>
#include <vector>

#include "../line/solver.hpp"
#include "border.hpp"

namespace nb = nanobind;

namespace c4 {
namespace {

// The fields of a `Step`.
using StepFields = std::tuple<Halves, Halves, int, int, Lines>;

template <class Grid>
using LineSolverPointer = std::unique_ptr<LineSolver<Grid>>;
using AnyLineSolver =
    std::variant<LineSolverPointer<Grid<Narrow, 4>>, LineSolverPointer<Grid<Narrow, 0>>,
                 LineSolverPointer<Grid<Wide, 4>>, LineSolverPointer<Grid<Wide, 0>>>;

template <Bits B>
AnyLineSolver line_solver_of(const Variant& variant, std::size_t megabytes) {
    if (variant.connect == 4) {
        return std::make_unique<LineSolver<Grid<B, 4>>>(variant, megabytes);
    }
    return std::make_unique<LineSolver<Grid<B, 0>>>(variant, megabytes);
}

AnyLineSolver line_solver_for(const Variant& variant, std::size_t megabytes) {
    if (variant.gravity) throw std::invalid_argument("stones must not fall");
    if (variant.cells() <= 64) return line_solver_of<Narrow>(variant, megabytes);
    if (variant.cells() <= MAX_BITS) return line_solver_of<Wide>(variant, megabytes);
    throw std::invalid_argument("the board has more than 128 cells");
}

/// Boards are packed: cell (column x, row y from the bottom) is bit `x * height + y`. The table of
/// positions has at least 1 MiB. Limits of depth and threads have no effect.
class PyLineSolver {
  public:
    PyLineSolver(const Sizes& sizes, std::size_t megabytes)
        : solver_(line_solver_for(variant_of(sizes), table_size(megabytes))) {}

    LineAnswer solve(const Stones& stones, bool wins, int max_stones, int max_plain,
                     const LimitFields& limits) {
        return solver_.use([&](auto& solver) {
            return solver.solve(open_position_of(stones, solver.grid), wins, number(max_stones),
                                number(max_plain), limits_of(limits));
        });
    }

    std::optional<std::vector<StepFields>> proof(const Stones& stones, bool wins, int max_stones,
                                                 int max_plain, const LimitFields& limits) {
        return solver_.use([&](auto& solver) -> std::optional<std::vector<StepFields>> {
            const auto steps =
                solver.proof(open_position_of(stones, solver.grid), wins, number(max_stones),
                             number(max_plain), limits_of(limits));
            if (!steps) return std::nullopt;
            std::vector<StepFields> fields;
            for (const auto& [position, cell, stones_left, lines] : *steps) {
                fields.emplace_back(halves(position.own), halves(position.other), cell, stones_left,
                                    lines);
            }
            return fields;
        });
    }

    void forget() {
        solver_.use([](auto& solver) { solver.forget(); });
    }

  private:
    /// Returns a maximum of stones, at most as many as a board holds; throws if it is negative.
    static int number(int stones) {
        if (stones < 0) throw std::invalid_argument("a number of stones is at least 0");
        return std::min(stones, MAX_BITS);
    }

    Exclusive<AnyLineSolver> solver_;
};

}  // namespace

void add_line_solver(nb::module_& module) {
    using namespace nb::literals;
    const auto without_gil = nb::call_guard<nb::gil_scoped_release>();
    nb::class_<PyLineSolver>(module, "LineSolver")
        .def(nb::init<const Sizes&, std::size_t>(), "variant"_a, "megabytes"_a)
        .def("solve", &PyLineSolver::solve, "stones"_a, "wins"_a, "max_stones"_a, "max_plain"_a,
             "limits"_a, without_gil)
        .def("proof", &PyLineSolver::proof, "stones"_a, "wins"_a, "max_stones"_a, "max_plain"_a,
             "limits"_a, without_gil)
        .def("forget", &PyLineSolver::forget, without_gil);
}

}  // namespace c4
