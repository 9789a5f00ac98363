// Training of networks: games of a network against itself, the values of their positions, and the
// change of the weights.
//
// Each game begins with random moves. Then both sides choose moves by a short search with the
// weights of this moment, and sometimes at random. As soon as few cells are free, the solver says
// how each position ends; from then on half of the moves are random. Earlier positions get the
// value that their search found, mixed with the value of the next position (Sutton's TD(lambda),
// cut at random moves as by Watkins). Only quiet positions are learned, because searches evaluate
// no others.
//
// Games are played in batches with the same weights, and each has random numbers of its own. So the
// weights do not depend on the number of threads.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <deque>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "board.hpp"
#include "contract.hpp"
#include "evaluate/network.hpp"
#include "mix.hpp"
#include "search/deepening.hpp"
#include "search/parallel.hpp"
#include "solver/solver.hpp"

namespace c4 {

/// How a network is trained.
struct TrainSettings {
    std::uint64_t seed;
    int depth;            // of searches, in plies
    int solved;           // maximum number of free cells of positions that are solved
    int opening;          // maximum number of random moves at the beginning of a game
    double random_moves;  // share of random moves after that
    double trace;         // weight of the next position's value in the value of a position
    double rate;          // change of a score by a game that was lost instead of won, at first
    double half_rate;     // number of games after which the rate is half as large
};

/// Random numbers that are the same on every machine: splitmix64.
class RandomNumbers {
  public:
    explicit RandomNumbers(std::uint64_t seed) : state_(seed) { next(); }

    int below(int count) { return static_cast<int>(next() % static_cast<std::uint64_t>(count)); }
    bool chance(double share) { return static_cast<double>(next() >> 11) * 0x1p-53 < share; }

  private:
    std::uint64_t next() { return mixed(std::exchange(state_, state_ + MIX_STEP)); }

    std::uint64_t state_;
};

/// Weights that are being learned. `errors` and `absolute_errors` are the sums of the errors of
/// positions with this weight. Their quotient is the weight's own rate (temporal coherence: Beal
/// and Smith 1999).
struct Learned {
    std::vector<float> weights, errors, absolute_errors;

    explicit Learned(std::size_t size) : weights(size), errors(size), absolute_errors(size) {}
};

/// A quiet position and its value for the player to move: 0 is a loss, 1 a win. The value of a
/// position is `settled` if it does not depend on later ones.
template <class B>
struct Sample {
    Position<B> position;
    double value;
    bool settled, solved;
};

/// What the network knew of positions before it learned them. The loss is the cross entropy, in
/// nats. An outcome that is `decided` is a solved win or loss.
struct Progress {
    std::int64_t positions = 0, solved = 0, decided = 0, right = 0;
    double loss = 0, solved_loss = 0;
};

/// Wins, draws and losses.
using Outcomes = std::array<int, 3>;

template <class Board>
class Trainer {
  public:
    using B = typename Board::B;
    static constexpr int BATCH = 32;  // games that are played with the same weights

    /// The network corrects `Zugzwang` with these parameters.
    Trainer(const Variant& variant, const std::vector<Shape>& shapes, const TrainSettings& settings,
            Parameters parameters)
        : learned(NetworkLayout(variant, shapes).size()), board_(variant), settings_(settings),
          zugzwang_(board_, parameters), layout_(variant, shapes),
          representatives_(layout_.representatives()) {}

    /// Plays batches of games, and learns from each batch after it has been played.
    Progress play(std::int64_t count, const Limits& limits) {
        Progress progress;
        while (std::ssize(solvers_) < std::clamp(limits.threads, 1, BATCH)) {
            solvers_.emplace_back(board_.variant, SOLVER_MEGABYTES);
        }
        for (const std::int64_t end = batches + count; batches < end;) {
            std::vector<std::vector<Sample<B>>> games(BATCH);
            Team team;
            in_parallel(limits, BATCH, team, [&](int i, int thread) {
                games[i] = play_game(i, solvers_[thread], limits);
            });
            for (const auto& game : games) {
                for (const Sample<B>& sample : game) learn(sample, progress);
            }
            ++batches;  // before a signal can end this, so that the state is that of whole batches
            if (limits.handle_signals) limits.handle_signals();
        }
        return progress;
    }

    /// Plays pairs of games against `Zugzwang` in the same search, from random openings with this
    /// number of moves. Each search visits at most `nodes` positions.
    Outcomes play_match(int pairs, int opening, std::int64_t nodes, std::uint64_t seed,
                        const Limits& limits) const {
        std::vector<int> places(2 * pairs);
        Team team;
        in_parallel(limits, 2 * pairs, team, [&](int i, int) {
            RandomNumbers numbers(seed + i / 2);
            places[i] = 1 - result_against_zugzwang(
                                opened(numbers, opening), i % 2,
                                {.nodes = nodes, .handle_signals = limits.handle_signals});
        });
        Outcomes outcomes{};
        for (const int place : places) ++outcomes[place];
        return outcomes;
    }

    /// Returns the weights in units of 1/`unit`, as bytes.
    std::vector<std::int8_t> rounded(double unit) const {
        std::vector<std::int8_t> found(learned.weights.size());
        for (std::size_t i = 0; i < found.size(); ++i) {
            const double value = std::round(unit * learned.weights[representatives_[i]]);
            found[i] = static_cast<std::int8_t>(std::clamp(value, -127.0, 127.0));
        }
        return found;
    }

    Learned learned;
    std::int64_t batches = 0;  // that were played and learned

  private:
    static constexpr double UNIT = 1000;         // of scores in searches
    static constexpr double ZUGZWANG_UNIT = 96;  // of the logarithm of the odds
    static constexpr int MIN_FREE = 10;          // free cells of positions that are learned
    static constexpr int SOLVED_DEPTH = 2;       // of searches in solved positions
    static constexpr double SOLVED_RANDOM = 0.5;
    static constexpr std::size_t SOLVER_MEGABYTES = 16;

    /// The network with its present weights.
    class Present final : public Evaluator<B> {
      public:
        explicit Present(const Trainer& trainer) : trainer_(trainer) {}

        Score evaluate(B own, B other, bool moves) const override {
            return moves ? value(own, other) : -value(other, own);
        }

      private:
        Score value(B own, B other) const {
            return std::llround(UNIT * trainer_.score({own, other}));
        }

        const Trainer& trainer_;
    };

    /// Returns the logarithm of the odds that the player to move wins.
    double score(const Position<B>& position) const {
        return score(position, [](std::uint32_t) {});
    }

    /// Does the same; calls `use` with the index of each weight of the position.
    template <class Use>
    double score(const Position<B>& position, const Use& use) const {
        const auto judged = zugzwang_.judge(position.own, position.other);
        double sum = static_cast<double>(judged.score) / ZUGZWANG_UNIT;
        layout_.for_each_index(board_, position.own, position.other, judged,
                               [&](std::size_t index) {
                                   const std::uint32_t representative = representatives_[index];
                                   sum += learned.weights[representative];
                                   use(representative);
                               });
        return sum;
    }

    static double chance_of(double score) { return 1 / (1 + std::exp(-score)); }

    /// Plays a game of the next batch; returns its quiet positions. Its searches have no `limits`,
    /// but handle signals like these: a search that is deep or solves a position may take long.
    std::vector<Sample<B>> play_game(int number, Solver<Board>& solver,
                                     const Limits& limits) const {
        const Limits unlimited{.handle_signals = limits.handle_signals};
        RandomNumbers numbers(settings_.seed * 0x9E3779B97F4A7C15 + batches * BATCH + number);
        std::vector<Sample<B>> samples;
        Position<B> position = opened(numbers, numbers.below(settings_.opening + 1));
        std::optional<double> end;  // value of the last position for the player to move
        while (!(end = value_of_end(position))) {
            if (const B stops = board_.opponent_winning_cells(position)) {
                position = position.play(stops);
                continue;
            }
            const int free = board_.variant.cells() - position.ply();
            if (free < std::min(MIN_FREE, settings_.solved)) break;
            position = position.play(free <= settings_.solved
                                         ? solve(solver, position, unlimited, numbers, samples)
                                         : estimate(position, unlimited, numbers, samples));
        }
        trace(samples, end, position.ply());
        return samples;
    }

    /// Returns the value of a position that is over, or that the next moves decide.
    std::optional<double> value_of_end(const Position<B>& position) const {
        if (board_.is_full(position)) return 0.5;
        if (board_.winning_cells(position)) return 1;
        if (several(board_.opponent_winning_cells(position))) return 0;
        return std::nullopt;
    }

    /// Adds a position with its solved value; returns the move to play.
    B solve(Solver<Board>& solver, const Position<B>& position, const Limits& limits,
            RandomNumbers& numbers, std::vector<Sample<B>>& samples) const {
        const bool is_random = numbers.chance(settings_.random_moves);
        const B stone = random_move(position, numbers);
        const Bounds bounds = solver.solve(position, {-1, 1}, limits).bounds;
        const double value = bounds.low > 0 ? 1 : bounds.high < 0 ? 0 : 0.5;
        samples.push_back({position, value, true, true});
        if (is_random || !numbers.chance(SOLVED_RANDOM)) return stone;
        return B{1} << search(position, SOLVED_DEPTH, limits).cell;
    }

    /// Adds a position with the value that a search finds; returns the move to play.
    B estimate(const Position<B>& position, const Limits& limits, RandomNumbers& numbers,
               std::vector<Sample<B>>& samples) const {
        const bool is_random = numbers.chance(settings_.random_moves);
        const B stone = random_move(position, numbers);
        const Result found = search(position, settings_.depth, limits);
        const bool proven = is_proven(found.score);
        const double value =
            proven ? found.score > 0 : chance_of(static_cast<double>(found.score) / UNIT);
        samples.push_back({position, value, is_random || proven, false});
        return is_random ? stone : B{1} << found.cell;
    }

    /// Mixes the value of each position that is not settled with that of the next position. `end`
    /// is the value of the last position of the game, if it is known, and `ply` its stones.
    void trace(std::vector<Sample<B>>& samples, std::optional<double> end, int ply) const {
        for (auto sample = samples.rbegin(); sample != samples.rend(); ++sample) {
            const int own_ply = sample->position.ply();
            if (!sample->settled && end) {
                const double later = (ply - own_ply) % 2 ? 1 - *end : *end;
                sample->value += settings_.trace * (later - sample->value);
            }
            end = sample->value;
            ply = own_ply;
        }
    }

    /// Returns the position after random moves that do not end the game.
    Position<B> opened(RandomNumbers& numbers, int moves) const {
        Position<B> position{0, 0};
        for (int i = 0; i < moves; ++i) {
            const Position<B> next = position.play(random_move(position, numbers));
            if (board_.is_over(next)) break;
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
        if (!safe.empty()) moves = std::move(safe);
        return moves[numbers.below(static_cast<int>(moves.size()))];
    }

    Result search(const Position<B>& position, int depth, Limits limits) const {
        limits.depth = depth;
        Parameters reduces{{"reduces", {0}}};
        return Deepening<Board>(board_, Present(*this), reduces, limits).search(position);
    }

    /// Plays a game against `Zugzwang`; returns 1 if the network wins, 0 for a draw, and -1.
    int result_against_zugzwang(Position<B> position, int turn, const Limits& limits) const {
        const Present own(*this);
        const Evaluator<B>* judges[] = {&own, &zugzwang_};
        while (!board_.is_over(position)) {
            const Evaluator<B>& judge = *judges[(position.ply() + turn) % 2];
            Parameters reduces{{"reduces", {1}}};
            const Result found = Deepening<Board>(board_, judge, reduces, limits).search(position);
            position = position.play(B{1} << found.cell);
        }
        if (!board_.has_line(position.other)) return 0;
        return (position.ply() + turn) % 2 ? 1 : -1;
    }

    /// Changes the weights of a position towards its value.
    void learn(const Sample<B>& sample, Progress& progress) {
        std::vector<std::uint32_t> indices;
        const auto keep = [&](std::uint32_t index) { indices.push_back(index); };
        const double chance = chance_of(score(sample.position, keep));
        add(progress, sample, chance);
        const double age = static_cast<double>(batches * BATCH) / settings_.half_rate;
        const double rate = settings_.rate / (1 + age) / static_cast<double>(indices.size());
        for (const std::uint32_t index : indices) change(index, rate, sample.value - chance);
    }

    void change(std::uint32_t index, double rate, double error) {
        float& errors = learned.errors[index];
        float& absolute_errors = learned.absolute_errors[index];
        const double coherence = absolute_errors > 0 ? std::abs(errors) / absolute_errors : 1;
        learned.weights[index] += static_cast<float>(rate * coherence * error);
        errors += static_cast<float>(error);
        absolute_errors += static_cast<float>(std::abs(error));
    }

    static void add(Progress& progress, const Sample<B>& sample, double chance) {
        const double bounded = std::clamp(chance, 1e-9, 1 - 1e-9);
        const double loss =
            -sample.value * std::log(bounded) - (1 - sample.value) * std::log(1 - bounded);
        ++progress.positions;
        progress.loss += loss;
        if (!sample.solved) return;
        ++progress.solved;
        progress.solved_loss += loss;
        if (sample.value == 0.5) return;
        ++progress.decided;
        progress.right += (sample.value > 0.5) == (chance > 0.5);
    }

    const Board board_;
    const TrainSettings settings_;
    const Zugzwang<Board> zugzwang_;
    const NetworkLayout layout_;
    const std::vector<std::uint32_t> representatives_;
    std::deque<Solver<Board>> solvers_;  // one for each thread, because their tables are large
};

}  // namespace c4
