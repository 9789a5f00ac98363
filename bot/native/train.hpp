// Training of networks by self-play: games, their values, and the change of weights.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "board.hpp"
#include "contract.hpp"
#include "evaluate/network.hpp"
#include "search/deepening.hpp"
#include "search/parallel.hpp"
#include "solver/solver.hpp"

namespace c4 {

/// Settings of a training. `depth` is the depth of searches in plies. Positions with at most
/// `solved` free cells are solved. `random` is the share of random moves, and `openings` the
/// maximum number of random moves at the beginning of a game, in stones.
struct TrainSettings {
    std::uint64_t seed;
    int depth, solved, openings;
    double random, trace, rate, half_games;
};

/// Random numbers that are the same on every machine (splitmix64).
class RandomNumbers {
  public:
    explicit RandomNumbers(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        std::uint64_t z = state_ += 0x9E3779B97F4A7C15;
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
        z = (z ^ z >> 27) * 0x94D049BB133111EB;
        return z ^ z >> 31;
    }

    int below(int count) { return static_cast<int>(next() % static_cast<std::uint64_t>(count)); }
    bool chance(double share) { return static_cast<double>(next() >> 11) * 0x1p-53 < share; }

  private:
    std::uint64_t state_;
};

/// Weights that are being learned. `changes` and `movement` are the sums of a weight's errors and
/// of their absolute values: their quotient is the weight's own rate (temporal coherence, Beal and
/// Smith 1999).
struct Learned {
    std::vector<float> weights, changes, movement;

    explicit Learned(std::size_t size) : weights(size), changes(size), movement(size) {}
};

inline double chance_of(double score) { return 1 / (1 + std::exp(-score)); }

/// A quiet position, and the share of the player to move in the result that is expected: 0 to 1.
template <class B>
struct Sample {
    Position<B> position;
    float target;
    bool solved;
};

/// What the games of a training showed: the sums of the losses (cross entropy) and of correct
/// outcomes, over solved positions that are not draws and over all positions.
struct Progress {
    std::int64_t games = 0, positions = 0, solved = 0, decided = 0, agreed = 0;
    double loss = 0, solved_loss = 0;
};

template <class Board>
class Trainer {
  public:
    using B = typename Board::B;
    static constexpr int BATCH = 32;  // games that are played with the same weights

    Trainer(const Variant& variant, const std::vector<Shape>& shapes, const TrainSettings& settings)
        : board_(variant), layout_(variant, shapes), settings_(settings),
          representatives_(layout_.representatives()), learned(layout_.size()) {}

    /// Plays batches of games and learns from them.
    void play(std::int64_t batches, const Limits& limits, Progress& progress) {
        for (std::int64_t i = 0; i < batches; ++i) {
            std::vector<std::vector<Sample<B>>> games(BATCH);
            Team team;
            in_parallel(limits, BATCH, team, [&](int game) {
                RandomNumbers numbers(settings_.seed * 0x9E3779B97F4A7C15 + batches_played * BATCH + game);
                numbers.next();
                games[game] = samples(numbers);
            });
            for (const auto& game : games) {
                for (const Sample<B>& sample : game) learn(sample, progress);
            }
            ++batches_played;
            progress.games += BATCH;
            if (limits.handle_signals) limits.handle_signals();
        }
    }

    /// Plays pairs of games against an evaluator, from random openings; returns wins, draws and
    /// losses of the network. Each search visits at most `nodes` positions.
    std::array<int, 3> play_against(const Evaluator<B>& other, int pairs, int plies, int nodes,
                                    std::uint64_t seed, const Limits& limits) const {
        std::vector<int> results(2 * pairs);
        Team team;
        in_parallel(limits, 2 * pairs, team, [&](int game) {
            RandomNumbers numbers(seed + game / 2);
            numbers.next();
            Position<B> position = opening(numbers, plies);
            const Live live(*this);
            const int first = position.ply();
            while (!board_.is_over(position)) {
                const bool is_ours = (position.ply() + game) % 2 == 0;
                const Evaluator<B>& judge = is_ours ? static_cast<const Evaluator<B>&>(live) : other;
                Limits own;
                own.nodes = nodes;
                const Result found = Deepening<Board>(board_, judge, {}, own).search(position);
                position = position.play(B{1} << found.cell);
            }
            static_cast<void>(first);
            const bool last_was_ours = (position.ply() - 1 + game) % 2 == 0;
            results[game] = board_.has_line(position.other) ? (last_was_ours ? 1 : -1) : 0;
        });
        std::array<int, 3> found{};
        for (const int result : results) ++found[1 - result];
        return found;
    }

    /// Returns the weights as they are stored: rounded, in units of 1/`unit`.
    std::vector<std::int8_t> rounded(double unit) const {
        std::vector<std::int8_t> found(learned.weights.size());
        for (std::size_t i = 0; i < found.size(); ++i) {
            const double value = learned.weights[representatives_[i]] * unit;
            found[i] = static_cast<std::int8_t>(std::clamp(std::round(value), -127.0, 127.0));
        }
        return found;
    }

  private:
    static constexpr double UNIT = 1000;  // of scores in searches

    /// The network with the weights of this moment.
    class Live final : public Evaluator<B> {
      public:
        explicit Live(const Trainer& trainer) : trainer_(trainer) {}

        Score evaluate(B own, B other, bool moves) const override {
            return moves ? value(own, other) : -value(other, own);
        }

      private:
        Score value(B own, B other) const {
            return std::llround(UNIT * trainer_.score({own, other}));
        }

        const Trainer& trainer_;
    };

    double score(const Position<B>& position) const {
        double sum = 0;
        layout_.for_each_index(board_, position.own, position.other, [&](std::size_t index) {
            sum += learned.weights[representatives_[index]];
        });
        return sum;
    }

    /// Returns the position after a number of random moves that do not end the game.
    Position<B> opening(RandomNumbers& numbers, int plies) const {
        Position<B> position{0, 0};
        for (int i = 0; i < plies; ++i) {
            const Position<B> next = position.play(random_move(position, numbers));
            if (board_.is_over(next)) return position;
            position = next;
        }
        return position;
    }

    /// Returns a random move after which the opponent does not win at once, if there is one.
    B random_move(const Position<B>& position, RandomNumbers& numbers) const {
        std::vector<B> moves = board_.urgent_first(position), safe;
        for (const B stone : moves) {
            if (!board_.winning_cells(position.play(stone))) safe.push_back(stone);
        }
        const std::vector<B>& choices = safe.empty() ? moves : safe;
        return choices[numbers.below(static_cast<int>(choices.size()))];
    }

    /// Plays a game; returns its quiet positions.
    std::vector<Sample<B>> samples(RandomNumbers& numbers) const {
        static thread_local std::unique_ptr<Solver<Board>> solver;
        static thread_local Variant solved_variant{};
        if (!solver || !(solved_variant == board_.variant)) {
            solver = std::make_unique<Solver<Board>>(board_.variant, 16);
            solved_variant = board_.variant;
        }
        const Live live(*this);
        std::vector<Sample<B>> found;
        std::vector<bool> explored;
        Position<B> position = opening(numbers, numbers.below(settings_.openings + 1));
        float result = 0.5f;  // for the player to move at the end
        while (!board_.is_full(position)) {
            if (board_.winning_cells(position)) {
                result = 1;
                break;
            }
            if (const B stops = board_.opponent_winning_cells(position)) {
                if (several(stops)) {
                    result = 0;
                    break;
                }
                position = position.play(stops);
                continue;
            }
            const int left = board_.variant.cells() - position.ply();
            const bool is_random = numbers.chance(settings_.random);
            B stone = random_move(position, numbers);
            if (left <= settings_.solved) {
                if (left < LEAST) break;
                const Bounds bounds = solver->solve(position, {-1, 1}, Limits{}).bounds;
                const float value = bounds.low > 0 ? 1.0f : bounds.high < 0 ? 0.0f : 0.5f;
                found.push_back({position, value, true});
                explored.push_back(true);
                if (!is_random && numbers.chance(0.5)) {
                    stone = B{1} << search(live, position, 2).cell;
                }
                position = position.play(stone);
                continue;
            }
            const Result searched = search(live, position, settings_.depth);
            const double value = is_proven(searched.score)
                                     ? (searched.score > 0 ? 1.0 : 0.0)
                                     : chance_of(static_cast<double>(searched.score) / UNIT);
            found.push_back({position, static_cast<float>(value), false});
            explored.push_back(is_random || is_proven(searched.score));
            if (!is_random) stone = B{1} << searched.cell;
            position = position.play(stone);
        }
        if (board_.is_full(position) || result != 0.5f) {
            trace(found, explored, result, position.ply());
        } else {
            trace(found, explored, std::nullopt, position.ply());
        }
        return found;
    }

    /// Mixes the value of each position with those of later ones, up to the next random move.
    void trace(std::vector<Sample<B>>& samples, const std::vector<bool>& explored,
               std::optional<float> result, int end) const {
        std::optional<float> later = result;
        int ply = end;
        for (std::size_t i = samples.size(); i-- > 0;) {
            Sample<B>& sample = samples[i];
            const int own = sample.position.ply();
            if (!explored[i] && !sample.solved && later) {
                const float value = (ply - own) % 2 ? 1 - *later : *later;
                const auto share = static_cast<float>(settings_.trace);
                sample.target = (1 - share) * sample.target + share * value;
            }
            later = sample.target;
            ply = own;
        }
    }

    Result search(const Live& live, const Position<B>& position, int depth) const {
        Limits limits;
        limits.depth = depth;
        return Deepening<Board>(board_, live, {}, limits).search(position);
    }

    void learn(const Sample<B>& sample, Progress& progress) {
        std::array<std::uint32_t, 512> indices;
        int count = 0;
        double sum = 0;
        layout_.for_each_index(board_, sample.position.own, sample.position.other,
                               [&](std::size_t index) {
            indices[count] = representatives_[index];
            sum += learned.weights[indices[count++]];
        });
        const double chance = chance_of(sum), target = sample.target, error = target - chance;
        note(sample, chance, progress);
        const double games = static_cast<double>(batches_played * BATCH);
        const double rate = settings_.rate / (1 + games / settings_.half_games) / count;
        for (int i = 0; i < count; ++i) {
            const std::uint32_t index = indices[i];
            float& changes = learned.changes[index];
            float& movement = learned.movement[index];
            const double own = movement > 0 ? std::abs(changes) / movement : 1;
            learned.weights[index] += static_cast<float>(rate * own * error);
            changes += static_cast<float>(error);
            movement += static_cast<float>(std::abs(error));
        }
    }

    static void note(const Sample<B>& sample, double chance, Progress& progress) {
        const double target = sample.target;
        const double bounded = std::clamp(chance, 1e-6, 1 - 1e-6);
        const double loss = -target * std::log(bounded) - (1 - target) * std::log(1 - bounded);
        ++progress.positions;
        progress.loss += loss;
        if (!sample.solved) return;
        ++progress.solved;
        progress.solved_loss += loss;
        if (target == 0.5) return;
        ++progress.decided;
        progress.agreed += (target > 0.5) == (chance > 0.5);
    }

    static constexpr int LEAST = 10;  // free cells of the last position of a game that is learned

    const Board board_;
    const NetworkLayout layout_;
    const TrainSettings settings_;
    const std::vector<std::uint32_t> representatives_;

  public:
    Learned learned;
    std::int64_t batches_played = 0;
};

}  // namespace c4
