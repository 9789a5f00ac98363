// The class `Trainer` of the Python module: one type for all variants.

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "border.hpp"
#include "evaluate/zugzwang.hpp"
#include "train.hpp"

namespace nb = nanobind;

namespace c4 {
namespace {

// The fields of a `Shape`, of `TrainSettings` and of `Progress`.
using ShapeFields = std::tuple<int, int, int>;
using SettingFields = std::tuple<std::uint64_t, int, int, int, double, double, double, double>;
using ProgressFields =
    std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t, double, double>;

class AnyTrainer {
  public:
    virtual ~AnyTrainer() = default;
    virtual Progress play(std::int64_t count, const Limits& limits) = 0;
    virtual Outcomes play_match(int pairs, int opening, std::int64_t nodes, std::uint64_t seed,
                                const Limits& limits) = 0;
    virtual std::vector<std::int8_t> rounded(double unit) const = 0;
    virtual Learned& learned() = 0;
    virtual std::int64_t& batches() = 0;
};

template <class Board>
class TrainerOf final : public AnyTrainer {
  public:
    TrainerOf(const Variant& variant, const std::vector<Shape>& shapes, const TrainSettings& set,
              const Numbers& parameters)
        : board_(variant), zugzwang_(board_, parameters),
          trainer_(variant, shapes, set, parameters) {}

    Progress play(std::int64_t count, const Limits& limits) override {
        return trainer_.play(count, limits);
    }

    Outcomes play_match(int pairs, int opening, std::int64_t nodes, std::uint64_t seed,
                        const Limits& limits) override {
        return trainer_.play_match(zugzwang_, pairs, opening, nodes, seed, limits);
    }

    std::vector<std::int8_t> rounded(double unit) const override { return trainer_.rounded(unit); }
    Learned& learned() override { return trainer_.learned; }
    std::int64_t& batches() override { return trainer_.batches; }

  private:
    const Board board_;
    const Zugzwang<Board> zugzwang_;
    Trainer<Board> trainer_;
};

std::vector<Shape> shapes_of(const std::vector<ShapeFields>& fields) {
    std::vector<Shape> shapes;
    for (const auto& [columns, rows, slope] : fields) shapes.push_back({columns, rows, slope});
    return shapes;
}

/// Returns a trainer for the smallest type of board that holds the variant.
std::unique_ptr<AnyTrainer> trainer_for(const Variant& variant, const std::vector<Shape>& shapes,
                                        const TrainSettings& settings,
                                        const Numbers& parameters) {
    const auto make = [&]<class Board>(std::type_identity<Board>) {
        return std::make_unique<TrainerOf<Board>>(variant, shapes, settings, parameters);
    };
    const bool is_usual = variant.connect == 4;
    if (variant.bits() <= 64) {
        if (is_usual) return make(std::type_identity<Board<Narrow, 4>>{});
        return make(std::type_identity<Board<Narrow, 0>>{});
    }
    if (variant.bits() <= MAX_BITS) {
        if (is_usual) return make(std::type_identity<Board<Wide, 4>>{});
        return make(std::type_identity<Board<Wide, 0>>{});
    }
    throw std::invalid_argument("the board has more than 128 bits");
}

/// The class that Python sees.
class PyTrainer {
  public:
    PyTrainer(const Sizes& sizes, const std::vector<ShapeFields>& shapes,
              const SettingFields& settings, const Numbers& parameters)
        : trainer_(trainer_for(variant_of(sizes), shapes_of(shapes),
                               std::make_from_tuple<TrainSettings>(settings), parameters)) {}

    ProgressFields play(std::int64_t batches, int threads) {
        const Turn turn(owner_);
        const auto [positions, solved, decided, right, loss, solved_loss] =
            trainer_->play(batches, limits_of({-1, -1, -1, threads}));
        return {positions, solved, decided, right, loss, solved_loss};
    }

    std::tuple<int, int, int> play_match(int pairs, int opening, std::int64_t nodes,
                                         std::uint64_t seed, int threads) {
        const Turn turn(owner_);
        const auto [wins, draws, losses] =
            trainer_->play_match(pairs, opening, nodes, seed, limits_of({-1, -1, -1, threads}));
        return {wins, draws, losses};
    }

    nb::bytes weights(double unit) {
        const Turn turn(owner_);
        const std::vector<std::int8_t> found = trainer_->rounded(unit);
        return nb::bytes(reinterpret_cast<const char*>(found.data()), found.size());
    }

    nb::bytes state() {
        const Turn turn(owner_);
        const Learned& learned = trainer_->learned();
        std::vector<char> bytes(sizeof(std::int64_t));
        std::memcpy(bytes.data(), &trainer_->batches(), sizeof(std::int64_t));
        for (const auto* part : {&learned.weights, &learned.errors, &learned.absolute_errors}) {
            const char* begin = reinterpret_cast<const char*>(part->data());
            bytes.insert(bytes.end(), begin, begin + part->size() * sizeof(float));
        }
        return nb::bytes(bytes.data(), bytes.size());
    }

    void restore(const nb::bytes& state) {
        const Turn turn(owner_);
        Learned& learned = trainer_->learned();
        const std::size_t part_size = learned.weights.size() * sizeof(float);
        if (state.size() != sizeof(std::int64_t) + 3 * part_size) {
            throw std::invalid_argument("the state of another training");
        }
        const char* from = state.c_str();
        std::memcpy(&trainer_->batches(), from, sizeof(std::int64_t));
        from += sizeof(std::int64_t);
        for (auto* part : {&learned.weights, &learned.errors, &learned.absolute_errors}) {
            std::memcpy(part->data(), from, part_size);
            from += part_size;
        }
    }

  private:
    std::unique_ptr<AnyTrainer> trainer_;
    std::atomic<std::thread::id> owner_{};
};

}  // namespace

void add_trainer(nb::module_& module) {
    using namespace nb::literals;
    const auto without_gil = nb::call_guard<nb::gil_scoped_release>();
    nb::class_<PyTrainer>(module, "Trainer")
        .def(nb::init<const Sizes&, const std::vector<ShapeFields>&, const SettingFields&,
                      const Numbers&>(),
             "variant"_a, "shapes"_a, "settings"_a, "parameters"_a)
        .def("play", &PyTrainer::play, "batches"_a, "threads"_a, without_gil)
        .def("play_match", &PyTrainer::play_match, "pairs"_a, "opening"_a, "nodes"_a, "seed"_a,
             "threads"_a, without_gil)
        .def("weights", &PyTrainer::weights, "unit"_a)
        .def("state", &PyTrainer::state)
        .def("restore", &PyTrainer::restore, "state"_a);
}

}  // namespace c4
