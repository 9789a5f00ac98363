// The kinds of reasons, and the search for the reason of a move: the twin of
// c4_bot/reasons/kinds.py, without the steal.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "forced.hpp"
#include "parity.hpp"

namespace c4::reasons {

enum class Kind {
    WINS,
    CANNOT_STOP,
    STOPS,
    ONLY_MOVE,
    ZUGZWANG,
    ONLY_SAFE,
    TWO_THREATS,
    STACKED_THREATS,
    NO_ANSWER,
    FORCED_WIN,
    LEAVES,
    GIVES,
    GIVES_UP,
    LOST,
    PARITY,
    ONLY_DEFENCE,
    VALUES,
    // From here on, kinds of answers that explain a mistake: ALLOWED_KINDS in Python.
    THREAT,
    LEAVE,
    AVERTS,
    AVERTS_FORCE,
    PREPARES,
    PREPARES_FORCE,
    DEAD_DRAW,
    LAST_LINE,
    HOLDS,
    LATER_THREAT,
    DENIES,
};

/// The names of the kinds, in their order.
inline constexpr std::array NAMES = {
    "wins",         "cannot-stop",  "stops",           "only-move", "zugzwang",
    "only-safe",    "two-threats",  "stacked-threats", "no-answer", "forced-win",
    "leaves",       "gives",        "gives-up",        "lost",      "parity",
    "only-defence", "values",       "threat",          "leave",     "averts",
    "averts-force", "prepares",     "prepares-force",  "dead-draw", "last-line",
    "holds",        "later-threat", "denies"};
static_assert(NAMES.size() == static_cast<std::size_t>(Kind::DENIES) + 1);

template <Bits B>
struct Reason {
    Kind kind = Kind::VALUES;
    B cells = 0;
    Line line = {};
    bool is_allowed = false;  // the reason of a mistake: it allows an answer of this kind

    std::string name() const {
        return (is_allowed ? "allows-" : "") + std::string(NAMES[static_cast<std::size_t>(kind)]);
    }
};

/// A legal move, and what is known of it; outcomes are -1, 0 or 1.
template <Bits B>
struct Move {
    Position<B> before;
    B stone;
    std::optional<int> best = {}, own = {};
    B answers = 0;

    std::optional<bool> keeps() const {
        if (own == 1 || best == -1) return true;
        return own && best ? std::optional(*own == *best) : std::nullopt;
    }

    Position<B> after() const { return before.play(stone); }
    int cell() const { return lowest(stone); }
};

/// The rules of one board, in the order in which they are tried.
template <class Board>
class Rules {
  public:
    using B = typename Board::B;
    using Found = std::optional<Reason<B>>;

    explicit Rules(const Board& board) : board_(board) {}

    Reason<B> reason_of(const Move<B>& move) const {
        for (const auto rule :
             {&Rules::wins, &Rules::line_next, &Rules::few_moves, &Rules::two_threats,
              &Rules::forced_win, &Rules::refuted, &Rules::lost, &Rules::parity}) {
            if (Found reason = (this->*rule)(move)) return *std::move(reason);
        }
        if (!move.keeps().value_or(false) || board_.winning_cells(move.before)) return {};
        for (const auto rule :
             {&Rules::threat, &Rules::averts, &Rules::prepares, &Rules::only_defence,
              &Rules::ends_lines, &Rules::holds, &Rules::later_threat, &Rules::denies}) {
            if (Found reason = (this->*rule)(move)) return *std::move(reason);
        }
        return {};
    }

  private:
    static Found found(Kind kind, B cells = 0, Line line = {}) {
        return Reason<B>{kind, cells, std::move(line)};
    }

    Found wins(const Move<B>& move) const {
        if (!(board_.winning_cells(move.before) & move.stone)) return {};
        return found(Kind::WINS, lines_through(move.after().other, move.stone));
    }

    Found line_next(const Move<B>& move) const {
        const B stops = board_.opponent_winning_cells(move.before);
        if (board_.winning_cells(move.before) || !stops) return {};
        if (!safe_moves(board_, move.before)) {
            return found(Kind::CANNOT_STOP, several(stops) ? stops : stops | stops << 1);
        }
        if (stops != move.stone) return {};
        return found(Kind::STOPS, lines_through(move.before.other | move.stone, move.stone));
    }

    Found few_moves(const Move<B>& move) const {
        const Position<B>& before = move.before;
        const B moves = playable(before), safe = safe_moves(board_, before);
        if (!is_quiet(board_, before)) return {};
        if (moves == move.stone) return found(Kind::ONLY_MOVE);
        const B threats = threats_of(board_, before.other, before);
        const B above = board_.variant.gravity ? (threats >> 1 & moves) << 1 : 0;
        if (!safe) return found(Kind::ZUGZWANG, above);
        return safe == move.stone ? found(Kind::ONLY_SAFE, above) : Found{};
    }

    Found two_threats(const Move<B>& move) const {
        const Position<B> after = move.after();
        if (board_.winning_cells(move.before) || board_.winning_cells(after)) return {};
        if (safe_moves(board_, after) || board_.is_full(after)) return {};
        const Line line = joined({move.cell()}, last_moves(board_, after));
        const B wins = wins_after(move), now = wins & playable(after);
        if (several(now)) return found(Kind::TWO_THREATS, now, line);
        if (now) return found(Kind::STACKED_THREATS, now | now << 1, line);
        return found(Kind::NO_ANSWER, (wins >> 1 & playable(after)) << 1, line);
    }

    Found forced_win(const Move<B>& move) const {
        const Position<B> after = move.after();
        const B answers = safe_moves(board_, after);
        if (board_.winning_cells(after) || !answers || several(answers)) return {};
        const Line line = reasons::forced_win(board_, after.play(answers));
        if (line.empty()) return {};
        return found(Kind::FORCED_WIN, B{1} << line.back(),
                     joined({move.cell(), lowest(answers)}, line));
    }

    Found refuted(const Move<B>& move) const {
        const std::optional<bool> keeps = move.keeps();
        if (keeps == true) return {};
        const Position<B> after = move.after();
        const Line line = reasons::forced_win(board_, after);
        if (line.size() == 1) {
            const B wins = board_.winning_cells(after);
            const B kept = wins & board_.opponent_winning_cells(move.before);
            const B cells = kept ? kept : wins;
            return found(kept ? Kind::LEAVES : Kind::GIVES, cells, {lowest(cells)});
        }
        if (!line.empty()) {
            const Move<B> answer{after, B{1} << line[0]};
            Found reason = two_threats(answer);
            if (!reason) reason = forced_win(answer);
            return allowing(reason.value_or(Reason<B>{}), line[0]);
        }
        return keeps == false ? mistake(move) : Found{};
    }

    /// Returns the reason of a mistake that allows an answer with this reason.
    static Reason<B> allowing(Reason<B> reason, int answer) {
        const bool begins = !reason.line.empty() && reason.line[0] == answer;
        Line line = begins ? std::move(reason.line) : joined({answer}, reason.line);
        return {reason.kind, reason.cells, std::move(line), true};
    }

    Reason<B> mistake(const Move<B>& move) const {
        const Position<B> after = move.after();
        for (const B answer : board_.moves(after)) {
            if (const B traps = decisive_threats(board_, after.play(answer))) {
                return allowing({Kind::PARITY, traps}, lowest(answer));
            }
        }
        const B own = board_.completing_cells(move.before.own);
        const B above = board_.variant.gravity ? own & move.stone << 1 : 0;
        return above ? Reason<B>{Kind::GIVES_UP, above} : allowed(move);
    }

    /// Returns what the first good answer does that has a reason.
    Reason<B> allowed(const Move<B>& move) const {
        const Position<B> after = move.after();
        const auto outcome = move.own ? std::optional(-*move.own) : std::nullopt;
        for (const B answer : board_.moves(after)) {
            if (!(move.answers & answer)) continue;
            Reason<B> reason = reason_of({after, answer, outcome, outcome});
            if (reason.kind >= Kind::THREAT) return allowing(std::move(reason), lowest(answer));
        }
        return {};
    }

    Found lost(const Move<B>& move) const { return move.best == -1 ? found(Kind::LOST) : Found{}; }

    Found parity(const Move<B>& move) const {
        const B traps = decisive_threats(board_, move.after());
        return traps ? found(Kind::PARITY, traps) : Found{};
    }

    Found threat(const Move<B>& move) const {
        const B made = new_wins(move), moves = playable(move.after());
        if (made & moves) return found(Kind::THREAT, made & moves);
        const B left = board_.variant.gravity ? made & moves << 1 : 0;
        return left ? found(Kind::LEAVE, left) : Found{};
    }

    Found averts(const Move<B>& move) const {
        return after_pass(move.before, Kind::AVERTS, Kind::AVERTS_FORCE);
    }

    Found prepares(const Move<B>& move) const {
        return after_pass(move.after(), Kind::PREPARES, Kind::PREPARES_FORCE);
    }

    /// Returns the forced win of the player who is not to move, if the other passed: one of two
    /// threats or a longer one.
    Found after_pass(const Position<B>& position, Kind two_threats, Kind longer) const {
        const Position<B> passed{position.other, position.own};
        const Line line = reasons::forced_win(board_, passed);
        if (line.size() < 3) return {};
        const B first = B{1} << line[0];
        const B threats = board_.opponent_winning_cells(passed.play(first));
        return found(line.size() == 3 && several(threats) ? two_threats : longer, first, line);
    }

    Found only_defence(const Move<B>& move) const {
        for (const B other : board_.moves(move.before)) {
            if (other == move.stone) continue;
            if (reasons::forced_win(board_, move.before.play(other)).empty()) return {};
        }
        return found(Kind::ONLY_DEFENCE);
    }

    Found ends_lines(const Move<B>& move) const {
        const Position<B> after = move.after();
        const B free = board_.all & ~after.occupied();
        if (board_.has_line(after.own | free)) return {};
        if (!board_.has_line(after.other | free)) return found(Kind::DEAD_DRAW);
        const bool is_last = board_.has_line(move.before.other | free | move.stone);
        return is_last ? found(Kind::LAST_LINE) : Found{};
    }

    Found holds(const Move<B>& move) const {
        const bool holds = move.own == 0 && answers_above_hold(board_, move.after());
        return holds ? found(Kind::HOLDS) : Found{};
    }

    Found later_threat(const Move<B>& move) const {
        const B made = new_wins(move);
        return made ? found(Kind::LATER_THREAT, made) : Found{};
    }

    Found denies(const Move<B>& move) const {
        const B stones = move.before.other;
        const B theirs = threats_of(board_, stones | move.stone, move.after());
        const B denied = theirs & ~board_.completing_cells(stones);
        return denied ? found(Kind::DENIES, denied) : Found{};
    }

    B playable(const Position<B>& position) const { return board_.playable(position.occupied()); }

    /// Returns the free cells that complete a line of the player, after the move.
    B wins_after(const Move<B>& move) const {
        const Position<B> after = move.after();
        return threats_of(board_, after.other, after);
    }

    /// Returns the free cells that complete a line only since the move.
    B new_wins(const Move<B>& move) const {
        return wins_after(move) & ~board_.completing_cells(move.before.own);
    }

    /// Returns the cells of all lines in `stones` that contain a cell.
    B lines_through(B stones, B cell) const {
        B cells = 0;
        for (const int step : board_.steps) {
            B before = 0, after = 0;  // the stones in a row with the cell, in both directions
            for (B next = cell >> step; next & stones; next >>= step) before |= next;
            for (B next = cell << step; next & stones; next <<= step) after |= next;
            if (popcount(before | after) + 1 >= board_.connect()) cells |= before | cell | after;
        }
        return cells;
    }

    const Board& board_;
};

}  // namespace c4::reasons
