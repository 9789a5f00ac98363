// Threat-space search: can a player force a line with a given number of stones?
//
// A move of the attacker that leaves two ways to complete a line wins. A *four* leaves one way, and
// so one reply. A *quiet* move threatens to win by fours: only replies that spoil all such wins
// have to be searched (dual-lambda search with zones: Thomsen, Lambda-search in game trees, 2000;
// Allis, van den Herik, Huntjens, Go-Moku solved by new search techniques, 1996). A *plain* move
// makes no such threat, and all replies to it are searched.
//
// A plain move is searched only if the attacker would win when the opponent passes. If every stone
// may be a plain move, the search is complete: it finds every win.
#pragma once

#include <vector>

#include "../contract.hpp"
#include "../ranking.hpp"
#include "fours.hpp"
#include "grid.hpp"
#include "memory.hpp"

namespace c4 {

using Lines = std::vector<std::vector<std::uint8_t>>;

template <class Grid>
class Attack {
  public:
    using B = typename Grid::B;

    Attack(const Grid& grid, Memory<B>& memory, Budget& budget)
        : grid_(grid), memory_(memory), budget_(budget), fours_(grid, budget),
          candidates_(grid.variant.cells(), grid.variant.cells()) {}

    /// Returns whether the player to move, who has no winning cell, wins with at most `max_stones`
    /// stones; at most `max_plain` of them may be plain moves.
    bool wins(const Position<B>& position, int max_stones, int max_plain) {
        budget_.visit();
        const Allowed allowed = allowed_to(max_stones, max_plain);
        const bool is_early = position.ply() <= EARLY;
        const Position<B> key = is_early ? grid_.canonical(position).first : position;
        if (const auto* known = memory_.find(key)) {
            if (known->wins(allowed)) return true;
            if (known->fails(allowed)) return false;
        }
        const bool won = first_move(position, max_stones, max_plain);
        memory_.slot(key).keep(allowed, won);
        return won;
    }

    /// Returns the first move of a win as in `wins`; 0 if there is none.
    B first_move(const Position<B>& position, int max_stones, int max_plain) {
        if (wins_by_fours(position, max_stones)) return fours_.first();
        return move(position, max_stones, max_plain);
    }

    /// Returns the first move of a win as in `wins` that takes more than fours; 0 if there is none.
    B move(const Position<B>& position, int max_stones, int max_plain) {
        const B must = grid_.winning_cells(position.other, position.own);
        if (max_stones < 3 || several(must)) return 0;
        B tried = 0;
        for (const auto& [stone, replies, promise] : threatening(position, must, max_stones)) {
            const Position<B> attack{position.own | stone, position.other};
            if (after_all(attack, replies, max_stones - 1, max_plain)) return stone;
            tried |= stone;
        }
        if (!max_plain) return 0;
        return plain_move(position, must ? must & ~tried : ~tried, max_stones, max_plain);
    }

    /// Returns whether the attacker, who has just moved, wins with at most `max_stones` more stones
    /// against every reply. The opponent has no winning cell.
    bool beats(const Position<B>& attack, int max_stones, int max_plain) {
        if (max_stones == 0) return false;
        const B replies = replies_to(attack, max_stones);
        const bool is_threat = replies != free(attack);
        return (is_threat || wins(attack, max_stones, max_plain)) &&
               after_all(attack, replies, max_stones, max_plain);
    }

    /// Returns the replies that the attacker cannot refute by fours. Each of the other replies is
    /// refuted by one of the lines that are added to `lines`.
    B unrefuted(const Position<B>& attack, B replies, int max_stones, Lines* lines = nullptr) {
        B hard = 0;
        while (replies) {
            const B reply = take_lowest(replies);
            if (wins_by_fours({attack.own, attack.other | reply}, max_stones)) {
                replies &= fours_.zone();
                hard &= fours_.zone();
                if (lines) lines->push_back(fours_.line());
            } else {
                hard |= reply;
            }
        }
        return hard;
    }

    /// Returns the replies that have to be looked at after the attacker's move. Against all others
    /// one of the lines that are added to `lines` wins.
    B replies_to(const Position<B>& attack, int max_stones, Lines* lines = nullptr) {
        if (const B threats = grid_.winning_cells(attack.own, attack.other)) {
            for (B left = lines ? threats : 0; left;) {
                lines->push_back({cell_of(take_lowest(left))});
            }
            return several(threats) ? 0 : threats;
        }
        if (!wins_by_fours(attack, max_stones)) return free(attack);
        if (lines) lines->push_back(fours_.line());
        return fours_.zone() & free(attack);
    }

    /// Returns whether the player to move wins by fours alone; `line` is then the winning line.
    bool wins_by_fours(const Position<B>& position, int max_stones) {
        return fours_.win(position, grid_.winning_cells(position.other, position.own), max_stones);
    }

    B free(const Position<B>& position) const { return grid_.all & ~position.occupied(); }

  private:
    static constexpr int EARLY = 6;  // stones up to which images of a position count as one

    struct Candidate {
        B stone, replies;
        int promise;
    };

    /// If every stone may be a plain move, the maximum of plain moves does not matter.
    static Allowed allowed_to(int max_stones, int max_plain) {
        return {static_cast<std::uint8_t>(max_stones),
                static_cast<std::uint8_t>(max_plain < max_stones ? max_plain : Grid::CELLS)};
    }

    /// Finds the quiet moves, those with the fewest replies first, and after them the fours.
    Ranking<Candidate> threatening(const Position<B>& position, B must, int max_stones) {
        const auto [own, other] = position;
        const auto near = grid_.template lacking<3>(own, other);
        Ranking<Candidate> candidates(candidates_.at(position.ply()));
        for (B left = must ? must : near[2] | near[3]; left;) {
            const Position<B> attack{own | take_lowest(left), other};
            B replies = grid_.winning_cells(attack.own, other);
            if (!replies) {
                if (!fours_.win(attack, 0, max_stones - 1)) continue;
                replies = fours_.zone() & free(attack);
            }
            const int count = popcount(replies);
            candidates.insert({attack.own ^ own, replies, -(count == 1 ? Grid::CELLS : count)});
        }
        return candidates;
    }

    B plain_move(const Position<B>& position, B among, int max_stones, int max_plain) {
        for (const B stone : grid_.central) {
            if (!(stone & among & free(position))) continue;
            const Position<B> attack{position.own | stone, position.other};
            if (beats(attack, max_stones - 1, max_plain - 1)) return stone;
        }
        return 0;
    }

    bool after_all(const Position<B>& attack, B replies, int max_stones, int max_plain) {
        B hard = unrefuted(attack, replies, max_stones);
        if (hard && max_stones < 3) return false;
        while (hard) {
            const Position<B> position{attack.own, attack.other | take_lowest(hard)};
            if (!wins(position, max_stones, max_plain)) return false;
        }
        return true;
    }

    const Grid& grid_;
    Memory<B>& memory_;
    Budget& budget_;
    Fours<Grid> fours_;
    Lists<Candidate> candidates_;
};

}  // namespace c4
