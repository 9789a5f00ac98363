// The class `Trainer` of the Python module: one type for all variants.

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <vector>

#include "border.hpp"
#include "evaluate/sequences.hpp"
#include "train.hpp"

namespace nb = nanobind;

namespace c4 {
namespace {

using ShapeFields = std::tuple<int, int, int>;
// seed, depth, solved, openings, random, trace, rate, half_games
using SettingFields = std::tuple<std::uint64_t, int, int, int, double, double, double, double>;
using ProgressFields = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t, double, double>;

class AnyTrainer {
  public:
    virtual ~AnyTrainer() = default;
    virtual void play(std::int64_t batches, const Limits& limits, Progress& progress) = 0;
    virtual std::array<int, 3> play_sequences(int pairs, int plies, int nodes, std::uint64_t seed,
                                              const Limits& limits) = 0;
    virtual std::vector<std::int8_t> rounded(double unit) const = 0;
    virtual Learned& learned() = 0;
    virtual std::int64_t& batches() = 0;
};

template <class Board>
class TrainerOf final : public AnyTrainer {
  public:
    TrainerOf(const Variant& variant, const std::vector<Shape>& shapes, const TrainSettings& set)
        : board_(variant), sequences_(board_, {1, 3, 6}), trainer_(variant, shapes, set) {}

    void play(std::int64_t batches, const Limits& limits, Progress& progress) override {
        trainer_.play(batches, limits, progress);
    }

    std::array<int, 3> play_sequences(int pairs, int plies, int nodes, std::uint64_t seed,
                                      const Limits& limits) override {
        return trainer_.play_against(sequences_, pairs, plies, nodes, seed, limits);
    }

    std::vector<std::int8_t> rounded(double unit) const override { return trainer_.rounded(unit); }
    Learned& learned() override { return trainer_.learned; }
    std::int64_t& batches() override { return trainer_.batches_played; }

  private:
    const Board board_;
    const Sequences<Board> sequences_;
    Trainer<Board> trainer_;
};

std::vector<Shape> shapes_of(const std::vector<ShapeFields>& fields) {
    std::vector<Shape> shapes;
    for (const auto& [columns, rows, slope] : fields) shapes.push_back({columns, rows, slope});
    return shapes;
}

/// The class that Python sees.
class PyTrainer {
  public:
    PyTrainer(const Sizes& sizes, const std::vector<ShapeFields>& shapes,
              const SettingFields& fields) {
        const Variant variant = variant_of(sizes);
        const auto [seed, depth, solved, openings, random, trace, rate, half_games] = fields;
        const TrainSettings set{seed, depth, solved, openings, random, trace, rate, half_games};
        const auto make = [&]<class Board>(std::type_identity<Board>) {
            trainer_ = std::make_unique<TrainerOf<Board>>(variant, shapes_of(shapes), set);
        };
        const bool is_usual = variant.connect == 4;
        if (variant.bits() > MAX_BITS) throw std::invalid_argument("the board has more than 128 bits");
        if (variant.bits() > 64) {
            if (is_usual) make(std::type_identity<Board<Wide, 4>>{});
            else make(std::type_identity<Board<Wide, 0>>{});
        } else {
            if (is_usual) make(std::type_identity<Board<Narrow, 4>>{});
            else make(std::type_identity<Board<Narrow, 0>>{});
        }
    }

    ProgressFields play(std::int64_t batches, int threads) {
        Progress found;
        trainer_->play(batches, limits_of({-1, -1, -1, threads}), found);
        return {found.games, found.positions, found.solved, found.decided, found.agreed, found.loss,
                found.solved_loss};
    }

    std::tuple<int, int, int> play_sequences(int pairs, int plies, int nodes, std::uint64_t seed,
                                             int threads) {
        const auto [wins, draws, losses] = trainer_->play_sequences(
            pairs, plies, nodes, seed, limits_of({-1, -1, -1, threads}));
        return {wins, draws, losses};
    }

    nb::bytes weights(double unit) const {
        const std::vector<std::int8_t> found = trainer_->rounded(unit);
        return nb::bytes(reinterpret_cast<const char*>(found.data()), found.size());
    }

    nb::bytes state() {
        const Learned& learned = trainer_->learned();
        std::vector<char> bytes(sizeof(std::int64_t));
        std::memcpy(bytes.data(), &trainer_->batches(), sizeof(std::int64_t));
        for (const auto* part : {&learned.weights, &learned.changes, &learned.movement}) {
            const char* begin = reinterpret_cast<const char*>(part->data());
            bytes.insert(bytes.end(), begin, begin + part->size() * sizeof(float));
        }
        return nb::bytes(bytes.data(), bytes.size());
    }

    void restore(const nb::bytes& state) {
        Learned& learned = trainer_->learned();
        const std::size_t part_size = learned.weights.size() * sizeof(float);
        if (state.size() != sizeof(std::int64_t) + 3 * part_size) {
            throw std::invalid_argument("the state of another training");
        }
        const char* from = state.c_str();
        std::memcpy(&trainer_->batches(), from, sizeof(std::int64_t));
        from += sizeof(std::int64_t);
        for (auto* part : {&learned.weights, &learned.changes, &learned.movement}) {
            std::memcpy(part->data(), from, part_size);
            from += part_size;
        }
    }

  private:
    std::unique_ptr<AnyTrainer> trainer_;
};

}  // namespace

void add_trainer(nb::module_& module) {
    using namespace nb::literals;
    const auto without_gil = nb::call_guard<nb::gil_scoped_release>();
    nb::class_<PyTrainer>(module, "Trainer")
        .def(nb::init<const Sizes&, const std::vector<ShapeFields>&, const SettingFields&>(),
             "variant"_a, "shapes"_a, "settings"_a)
        .def("play", &PyTrainer::play, "batches"_a, "threads"_a, without_gil)
        .def("play_sequences", &PyTrainer::play_sequences, "pairs"_a, "plies"_a, "nodes"_a, "seed"_a,
             "threads"_a, without_gil)
        .def("weights", &PyTrainer::weights, "unit"_a)
        .def("state", &PyTrainer::state)
        .def("restore", &PyTrainer::restore, "state"_a);
}

}  // namespace c4
