// The class `Trainer` of the Python module.

#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "../train.hpp"
#include "border.hpp"

namespace nb = nanobind;

namespace c4 {
namespace {

// The fields of a `Shape` and of `Progress`.
using ShapeFields = std::tuple<int, int, int>;
using ProgressFields =
    std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t, double, double>;

constexpr std::int64_t MAX_BATCHES = std::int64_t{1} << 40;
constexpr std::int64_t MAX_NODES = std::int64_t{1} << 40;
constexpr float MAX_LEARNED = 1e30f;
constexpr int MAX_PAIRS = 1 << 20;
constexpr double MAX_RATE = 1e3, MIN_HALF_RATE = 1e-9, MAX_HALF_RATE = 1e15, MAX_UNIT = 1e12;

std::vector<Shape> shapes_of(const std::vector<ShapeFields>& fields) {
    std::vector<Shape> shapes;
    for (const auto& [columns, rows, slope] : fields) shapes.push_back({columns, rows, slope});
    return shapes;
}

OnAnyBoard<Trainer> trainer_for(const Variant& variant, const std::vector<Shape>& shapes,
                                const TrainSettings& settings, const Parameters& parameters) {
    return with_board(variant, [&]<class Board>(const Board&) -> OnAnyBoard<Trainer> {
        return std::make_unique<Trainer<Board>>(variant, shapes, settings, parameters);
    });
}

class PyTrainer {
  public:
    /// Throws `std::invalid_argument` if a game could not end with one of the settings, or if a
    /// weight could become no number.
    PyTrainer(const Sizes& sizes, const std::vector<ShapeFields>& shapes,
              const Parameters& parameters, std::uint64_t seed, int depth, int solved, int opening,
              double random_moves, double trace, double rate, double half_rate)
        : trainer_(trainer_for(
              variant_of(sizes), shapes_of(shapes),
              {.seed = seed,
               .depth = checked("depth", depth, 1, MAX_BITS),
               .solved = checked("solved", solved, 0, MAX_BITS),
               .opening = checked("opening", opening, 0, MAX_BITS),
               .random_moves = checked("random_moves", random_moves, 0.0, 1.0),
               .trace = checked("trace", trace, 0.0, 1.0),
               .rate = checked("rate", rate, 0.0, MAX_RATE),
               .half_rate = checked("half_rate", half_rate, MIN_HALF_RATE, MAX_HALF_RATE)},
              parameters)) {}

    ProgressFields play(std::int64_t batches, int threads) {
        const auto [positions, solved, decided, right, loss, solved_loss] =
            trainer_.use([&](auto& trainer) {
                checked<std::int64_t>("batches", batches, 0, MAX_BATCHES);
                return trainer.play(batches, limits_of({-1, -1, -1, threads}));
            });
        return {positions, solved, decided, right, loss, solved_loss};
    }

    /// Returns wins, draws and losses against `Zugzwang`.
    std::tuple<int, int, int> play_match(int pairs, int opening, std::int64_t nodes,
                                         std::uint64_t seed, int threads) {
        checked("pairs", pairs, 0, MAX_PAIRS);
        checked("opening", opening, 0, MAX_BITS);
        checked<std::int64_t>("nodes", nodes, 0, MAX_NODES);
        const auto [wins, draws, losses] = trainer_.use([&](auto& trainer) {
            return trainer.play_match(pairs, opening, nodes, seed,
                                      limits_of({-1, -1, -1, threads}));
        });
        return {wins, draws, losses};
    }

    /// Returns the weights in units of 1/`unit`, as signed bytes.
    nb::bytes weights(double unit) {
        checked("unit", unit, 0.0, MAX_UNIT);
        const auto rounded = trainer_.use([&](auto& trainer) { return trainer.rounded(unit); });
        return nb::bytes(reinterpret_cast<const char*>(rounded.data()), rounded.size());
    }

    /// Returns everything that was learned.
    nb::bytes state() {
        const std::vector<char> learned = trainer_.use([](auto& trainer) {
            std::vector<char> bytes(sizeof(std::int64_t));
            std::memcpy(bytes.data(), &trainer.batches, sizeof(std::int64_t));
            for (const auto* part : parts_of(trainer.learned)) {
                const char* begin = reinterpret_cast<const char*>(part->data());
                bytes.insert(bytes.end(), begin, begin + part->size() * sizeof(float));
            }
            return bytes;
        });
        return nb::bytes(learned.data(), learned.size());
    }

    /// Continues from a `state`; throws `std::invalid_argument` if it is of another network.
    void restore(const nb::bytes& state) {
        trainer_.use([&](auto& trainer) {
            Learned learned(trainer.learned.weights.size());
            const std::size_t part_size = learned.weights.size() * sizeof(float);
            if (state.size() != sizeof(std::int64_t) + 3 * part_size) {
                throw std::invalid_argument("the state of another training");
            }
            const char* from = state.c_str();
            std::int64_t batches;
            std::memcpy(&batches, from, sizeof(batches));
            from += sizeof(batches);
            for (auto* part : parts_of(learned)) {
                std::memcpy(part->data(), from, part_size);
                from += part_size;
                for (const float number : *part) {
                    checked("a number", number, -MAX_LEARNED, MAX_LEARNED);
                }
            }
            trainer.batches = checked<std::int64_t>("batches", batches, 0, MAX_BATCHES);
            trainer.learned = std::move(learned);
        });
    }

  private:
    static std::array<std::vector<float>*, 3> parts_of(Learned& learned) {
        return {&learned.weights, &learned.errors, &learned.absolute_errors};
    }

    Exclusive<OnAnyBoard<Trainer>> trainer_;
};

}  // namespace

void add_trainer(nb::module_& module) {
    using namespace nb::literals;
    const auto without_gil = nb::call_guard<nb::gil_scoped_release>();
    nb::class_<PyTrainer>(module, "Trainer")
        .def(nb::init<const Sizes&, const std::vector<ShapeFields>&, const Parameters&,
                      std::uint64_t, int, int, int, double, double, double, double>(),
             "variant"_a, "shapes"_a, "parameters"_a, nb::kw_only(), "seed"_a, "depth"_a,
             "solved"_a, "opening"_a, "random_moves"_a, "trace"_a, "rate"_a, "half_rate"_a)
        .def("play", &PyTrainer::play, "batches"_a, "threads"_a, without_gil)
        .def("play_match", &PyTrainer::play_match, "pairs"_a, "opening"_a, "nodes"_a, "seed"_a,
             "threads"_a, without_gil)
        .def("weights", &PyTrainer::weights, "unit"_a)
        .def("state", &PyTrainer::state)
        .def("restore", &PyTrainer::restore, "state"_a);
}

}  // namespace c4
