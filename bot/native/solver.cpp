// The class `Solver` of the Python module: one type for all variants.

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <tuple>

#include "border.hpp"
#include "solver/solver.hpp"

namespace nb = nanobind;

namespace c4 {
namespace {

class AnySolver {
  public:
    virtual ~AnySolver() = default;
    virtual Solved solve(const Stones& stones, const Bounds& wanted, const Limits& limits) = 0;
    virtual int follow_up_bound(const Stones& stones) const = 0;
    virtual void forget() = 0;
};

template <class Board, const Knowledge<Board>* KNOWN = nullptr>
class SolverOf : public AnySolver {
  public:
    using B = typename Board::B;

    SolverOf(const Variant& variant, std::size_t megabytes) : solver_(variant, megabytes) {}

    Solved solve(const Stones& stones, const Bounds& wanted, const Limits& limits) override {
        return solver_.solve(open_position_of(stones, solver_.knowledge().board), wanted, limits);
    }

    int follow_up_bound(const Stones& stones) const override {
        const auto& [board, follow_up, _] = solver_.knowledge();
        const Node<B> node = node_of(board, open_position_of(stones, board));
        return follow_up.upper_bound(node, worth(board.variant, node.ply + 1));
    }

    void forget() override { solver_.forget(); }

  private:
    Solver<Board, KNOWN> solver_;
};

constexpr Variant STANDARD{7, 6, 4, true, HORIZONTAL | VERTICAL | DIAGONAL};
constexpr Knowledge<Board<Narrow, 4>> STANDARD_KNOWLEDGE{STANDARD};

/// Returns the solver that knows the most about its variant at compile time.
std::unique_ptr<AnySolver> solver_for(const Sizes& sizes, std::size_t megabytes) {
    const Variant variant = variant_of(sizes);
    const bool is_usual = variant.connect == 4;
    if (!variant.gravity) throw std::invalid_argument("stones have to fall");
    if (variant == STANDARD) {
        using Standard = SolverOf<Board<Narrow, 4>, &STANDARD_KNOWLEDGE>;
        return std::make_unique<Standard>(variant, megabytes);
    }
    if (variant.bits() <= 64) {
        if (is_usual) return std::make_unique<SolverOf<Board<Narrow, 4>>>(variant, megabytes);
        return std::make_unique<SolverOf<Board<Narrow, 0>>>(variant, megabytes);
    }
    if (variant.bits() <= MAX_BITS) {
        if (is_usual) return std::make_unique<SolverOf<Board<Wide, 4>>>(variant, megabytes);
        return std::make_unique<SolverOf<Board<Wide, 0>>>(variant, megabytes);
    }
    throw std::invalid_argument("the board has more than 128 bits");
}

/// The class that Python sees.
class PySolver {
  public:
    PySolver(const Sizes& sizes, std::size_t megabytes)
        : solver_(solver_for(sizes, table_size(megabytes))) {}

    std::tuple<int, int, std::int64_t> solve(const Stones& stones, std::pair<int, int> wanted,
                                             const LimitFields& fields) {
        const auto [low, high] = wanted;
        const Bounds between{std::clamp(low, -MAX_BITS, MAX_BITS),
                             std::clamp(high, -MAX_BITS, MAX_BITS)};
        const Turn turn(owner_);
        const Solved found = solver_->solve(stones, between, limits_of(fields));
        return {found.bounds.low, found.bounds.high, found.nodes};
    }

    int follow_up_bound(const Stones& stones) const { return solver_->follow_up_bound(stones); }

    void forget() {
        const Turn turn(owner_);
        solver_->forget();
    }

  private:
    std::unique_ptr<AnySolver> solver_;
    std::atomic<std::thread::id> owner_{};
};

}  // namespace

void add_solver(nb::module_& module) {
    using namespace nb::literals;
    const auto without_gil = nb::call_guard<nb::gil_scoped_release>();
    nb::class_<PySolver>(module, "Solver")
        .def(nb::init<const Sizes&, std::size_t>(), "variant"_a, "megabytes"_a)
        .def("solve", &PySolver::solve, "stones"_a, "wanted"_a, "limits"_a, without_gil)
        .def("follow_up_bound", &PySolver::follow_up_bound, "stones"_a)
        .def("forget", &PySolver::forget, without_gil);
}

}  // namespace c4
