// The class `LineSolver` of the Python module: one type for all variants.

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "border.hpp"
#include "line/attack.hpp"
#include "line/proof.hpp"

namespace nb = nanobind;

namespace c4 {
namespace {

using Answer = std::tuple<std::optional<bool>, int, std::int64_t>;
using Steps = std::vector<std::tuple<Halves, Halves, int, int, Lines>>;

class AnyLineSolver {
  public:
    virtual ~AnyLineSolver() = default;
    virtual Answer wins(const Stones& stones, int max_stones, int max_plain,
                        const Limits& limits) = 0;
    virtual Answer loses(const Stones& stones, int max_stones, int max_plain,
                         const Limits& limits) = 0;
    virtual std::optional<Steps> proof(const Stones& stones, bool wins, int max_stones,
                                       int max_plain, const Limits& limits) = 0;
    virtual void forget() = 0;
};

template <Bits B>
int bits_for(std::size_t megabytes) {
    return static_cast<int>(std::bit_width((megabytes << 20) / sizeof(Finding<B>))) - 1;
}

template <class Grid>
class LineSolverOf : public AnyLineSolver {
  public:
    using B = typename Grid::B;

    LineSolverOf(const Variant& variant, std::size_t megabytes)
        : grid_(variant), memory_(bits_for<B>(megabytes)) {}

    Answer wins(const Stones& stones, int max_stones, int max_plain,
                const Limits& limits) override {
        const auto position = open_position_of(stones, grid_);
        const B ends = grid_.winning_cells(position.own, position.other);
        if (ends && max_stones) return {true, lowest(ends), 1};
        return within(limits, [&](Attack<Grid>& attack) -> std::pair<bool, int> {
            if (!finds_win(attack, position, max_stones, max_plain)) return {false, -1};
            if (attack.wins_by_fours(position, max_stones)) return {true, attack.line()[0]};
            return {true, lowest(attack.move(position, max_stones, max_plain))};
        });
    }

    Answer loses(const Stones& stones, int max_stones, int max_plain,
                 const Limits& limits) override {
        const auto position = open_position_of(stones, grid_);
        return within(limits, [&](Attack<Grid>& attack) -> std::pair<bool, int> {
            return {finds_loss(attack, position, max_stones, max_plain), -1};
        });
    }

    std::optional<Steps> proof(const Stones& stones, bool wins, int max_stones,
                               int max_plain, const Limits& limits) override {
        const auto position = open_position_of(stones, grid_);
        Budget budget(limits);
        Attack<Grid> attack(grid_, memory_, budget);
        Proof<Grid> proof(grid_, attack);
        try {
            if (!(wins ? finds_win(attack, position, max_stones, max_plain)
                       : finds_loss(attack, position, max_stones, max_plain))) {
                throw std::invalid_argument("there is no win with these stones");
            }
            return exported(wins ? proof.of_win(position, max_stones, max_plain)
                                 : proof.of_loss(position, max_stones, max_plain));
        } catch (const OutOfBudget&) {
            return std::nullopt;
        }
    }

    void forget() override { memory_.forget(); }

  private:
    template <class Ask>
    Answer within(const Limits& limits, const Ask& ask) {
        Budget budget(limits);
        Attack<Grid> attack(grid_, memory_, budget);
        try {
            const auto [wins, cell] = ask(attack);
            return {wins, cell, budget.nodes};
        } catch (const OutOfBudget&) {
            return {std::nullopt, -1, budget.nodes};
        }
    }

    /// Returns whether the player to move wins.
    bool finds_win(Attack<Grid>& attack, const Position<B>& position, int max_stones,
                   int max_plain) const {
        if (max_stones == 0) return false;
        return grid_.winning_cells(position.own, position.other) ||
               attack.wins(position, max_stones, max_plain);
    }

    /// Returns whether the opponent of the player to move wins.
    bool finds_loss(Attack<Grid>& attack, const Position<B>& position, int max_stones,
                    int max_plain) const {
        return !grid_.winning_cells(position.own, position.other) &&
               attack.beats({position.other, position.own}, max_stones, max_plain);
    }

    static Steps exported(const std::vector<Step<B>>& steps) {
        Steps found;
        for (const auto& [position, cell, stones, lines] : steps) {
            found.emplace_back(halves(position.own), halves(position.other), cell, stones, lines);
        }
        return found;
    }

    static Halves halves(B board) { return {low(board), high(Wide{board})}; }

    Grid grid_;
    Memory<B> memory_;
};

std::unique_ptr<AnyLineSolver> line_solver_for(const Sizes& sizes, std::size_t megabytes) {
    const Variant variant = variant_of(sizes);
    const bool is_usual = variant.connect == 4;
    if (variant.gravity) throw std::invalid_argument("stones must not fall");
    if (variant.cells() <= 64) {
        if (is_usual) return std::make_unique<LineSolverOf<Grid<Narrow, 4>>>(variant, megabytes);
        return std::make_unique<LineSolverOf<Grid<Narrow, 0>>>(variant, megabytes);
    }
    if (variant.cells() <= MAX_BITS) {
        if (is_usual) return std::make_unique<LineSolverOf<Grid<Wide, 4>>>(variant, megabytes);
        return std::make_unique<LineSolverOf<Grid<Wide, 0>>>(variant, megabytes);
    }
    throw std::invalid_argument("the board has more than 128 cells");
}

/// The class that Python sees.
class PyLineSolver {
  public:
    PyLineSolver(const Sizes& sizes, std::size_t megabytes)
        : solver_(line_solver_for(sizes, table_size(megabytes))) {}

    Answer wins(const Stones& stones, int max_stones, int max_plain, const LimitFields& fields) {
        const Turn turn(owner_);
        return solver_->wins(stones, number(max_stones), number(max_plain), limits_of(fields));
    }

    Answer loses(const Stones& stones, int max_stones, int max_plain, const LimitFields& fields) {
        const Turn turn(owner_);
        return solver_->loses(stones, number(max_stones), number(max_plain), limits_of(fields));
    }

    std::optional<Steps> proof(const Stones& stones, bool wins, int max_stones, int max_plain,
                               const LimitFields& fields) {
        const Turn turn(owner_);
        return solver_->proof(stones, wins, number(max_stones), number(max_plain),
                              limits_of(fields));
    }

    void forget() {
        const Turn turn(owner_);
        solver_->forget();
    }

  private:
    /// Returns a maximum of stones, at most as many as a board holds; throws if it is negative.
    static int number(int stones) {
        if (stones < 0) throw std::invalid_argument("a number of stones is at least 0");
        return std::min(stones, MAX_BITS);
    }

    std::unique_ptr<AnyLineSolver> solver_;
    std::atomic<std::thread::id> owner_{};
};

}  // namespace

void add_line_solver(nb::module_& module) {
    using namespace nb::literals;
    const auto without_gil = nb::call_guard<nb::gil_scoped_release>();
    nb::class_<PyLineSolver>(module, "LineSolver")
        .def(nb::init<const Sizes&, std::size_t>(), "variant"_a, "megabytes"_a)
        .def("wins", &PyLineSolver::wins, "stones"_a, "max_stones"_a, "max_plain"_a, "limits"_a,
             without_gil)
        .def("loses", &PyLineSolver::loses, "stones"_a, "max_stones"_a, "max_plain"_a, "limits"_a,
             without_gil)
        .def("proof", &PyLineSolver::proof, "stones"_a, "wins"_a, "max_stones"_a, "max_plain"_a,
             "limits"_a, without_gil)
        .def("forget", &PyLineSolver::forget, without_gil);
}

}  // namespace c4
