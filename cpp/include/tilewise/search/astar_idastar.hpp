// A*+IDA* (Bu and Korf 2019) with words of moves left out (Taylor and Korf 1993), unobserved.
//
// Why it finds a shortest solution: of all shortest solutions take S, the first in the alphabet. It
// has no forbidden word, as that word could be replaced. Its part up to a state is the first in the
// alphabet of all shortest ways to that state, so the stored part never gives it up for another
// way, and takes it where it comes later. Hence there always is an open node n on S whose stored way,
// state of the automaton included, is S up to n: the first node of S that was not expanded by this
// way (as for A*: Hart, Nilsson and Raphael 1968; h need not be consistent, because states are
// expanded again). The depth-first search from n can follow S to the goal: the automaton goes on
// from the word that leads to n, and on S f is at most the cost. So no bound passes the cost, and
// the pass with that bound ends with a solution.
//
// Which open nodes a pass takes first is no part of the proof. It decides when the last pass comes to a
// solution: see Root::promise.
//
// The passes cut off nothing but what is above the bound. To turn back at states that are stored by a
// way as cheap would be wrong here: S may lead through them.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "tilewise/meter.hpp"
#include "tilewise/search/kernel.hpp"
#include "tilewise/search/stored_frontier.hpp"

namespace tilewise {

template <PuzzleDomain Domain>
class AStarIdaStar {
public:
    using Frontier = StoredFrontier<Domain>;

    // `below` is the cost of a known solution, which shorter ones must beat; 0 is none.
    AStarIdaStar(const Domain& domain, const MoveAutomaton* automaton, Meter& meter, int below = 0)
        : domain_(domain), meter_(meter), below_(below), stored_(domain, automaton, meter) {}

    // The first part, up to a number of states; the outcome, if it ends the search.
    template <class Values>
    std::optional<Outcome> store(std::uint64_t most, Values& values) {
        using End = typename Frontier::End;
        const End end = stored_.grow(most, below_, values, stats_);
        for_values_ = values.bytes_a_node();
        if (end == End::solved) return ended(Status::solved, stored_.way_to(stored_.taken()), stored_[stored_.taken()].g);
        if (end == End::met) return ended(Status::met, {}, below_);
        if (end == End::stopped) return ended(meter_.status());
        if (end == End::empty) return ended(Status::unsolvable);
        for (const auto number : stored_.roots()) roots_.push_back({number, stored_[number].f(), stored_[number].h, 0});
        return std::nullopt;
    }

    const Frontier& stored() const { return stored_; }
    std::uint64_t generated() const { return stats_.generated; }

    // The passes. `pass(bound)` calls one() with the kernel that is best by now.
    template <class Pass>
    Outcome run(Pass pass) {
        while (true) {
            int bound = INT32_MAX;
            for (const Root& root : roots_) bound = std::min(bound, root.least_f);
            if (bound == INT32_MAX) return ended(Status::unsolvable);
            bound = std::max(bound, static_cast<int>(stats_.bound));  // where h is inconsistent, f may fall
            stats_.bound = static_cast<std::uint64_t>(bound);
            if (below_ > 0 && bound >= below_) return ended(Status::met, {}, below_);
            ++stats_.iterations;
            std::stable_sort(roots_.begin(), roots_.end(),
                             [](const Root& a, const Root& b) { return a.promise() < b.promise(); });
            const std::uint64_t before = in_passes_;
            const std::uint64_t expanded = stats_.expanded;
            const bool over = pass(bound);
            in_passes_ += stats_.expanded - expanded;
            if (!over) continue;
            if (!found_) return ended(meter_.status());
            in_passes_ = before;  // those of the last pass are not below the cost
            return ended(Status::solved, std::move(moves_), bound);
        }
    }

    // One pass by a kernel; true when the search is over.
    template <Kernel K, class Values>
    bool one(int bound, K& kernel, const Values& values) {
        for (std::size_t i = 0; i < roots_.size(); ++i) {
            Root& root = roots_[i];
            if (i + 2 < roots_.size() && roots_[i + 2].least_f <= bound) values.ask_for(roots_[i + 2].number);
            // nothing new is within the bound below a root whose least f cut off is above it
            if (root.least_f > bound) continue;
            const auto& node = stored_[root.number];
            found_ = node.state == domain_.goal();
            if (found_) {
                moves_ = stored_.way_to(root.number);
                return true;
            }
            kernel.place(node, values, root.number);
            const std::uint64_t before = stats_.expanded;
            const bool over = kernel.pass(bound, stats_);
            root.took(kernel.least_above(), kernel.least_h(), stats_.expanded - before);
            if (!over) continue;
            found_ = kernel.found();
            if (found_) {
                moves_ = stored_.way_to(root.number);
                moves_.insert(moves_.end(), kernel.moves().begin() + node.g, kernel.moves().end());
            }
            return true;
        }
        return false;
    }

    // The same by subtrees in turn.
    template <class Subtrees>
    bool one_in_turn(int bound, Subtrees& subtrees) {
        std::size_t at = 0;
        const auto next = [&]() -> Root* {
            while (at < roots_.size() && roots_[at].least_f > bound) ++at;
            return at == roots_.size() ? nullptr : &roots_[at++];
        };
        for (const Root& root : roots_) {
            found_ = root.least_f <= bound && stored_[root.number].state == domain_.goal();
            if (!found_) continue;
            moves_ = stored_.way_to(root.number);
            return true;
        }
        const auto node = [&](const Root& root) -> const auto& { return stored_[root.number]; };
        if (!subtrees.template pass<Root>(bound, stats_, next, node)) return false;
        found_ = subtrees.found();
        if (found_) {
            moves_ = stored_.way_to(subtrees.root_of_solution());
            moves_.insert(moves_.end(), subtrees.moves().begin(), subtrees.moves().end());
        }
        return true;
    }

private:
    struct Root {
        typename Frontier::Number number;
        int least_f;             // of the node, then the least that the last pass below it cut off
        int least_h;             // of the node, then the least that the last pass below it came to
        std::uint64_t expanded;  // by the last pass below it

        void took(int f, int h, std::uint64_t nodes) {
            least_f = f;
            least_h = std::min(least_h, h);
            expanded = nodes;
        }

        // The smallest is searched first. That a pass came one move nearer to the goal is worth as much as that
        // the next one, which takes about as many times longer below each root, takes half as long.
        int promise() const { return least_h + static_cast<int>(std::bit_width(expanded)); }
    };

    Outcome ended(Status status, std::vector<Move> moves = {}, int cost = 0) {
        if (status == Status::solved || status == Status::met)
            stats_.expanded_below_cost = stored_.expanded_below(cost) + in_passes_;
        stats_.peak_stored = stored_.size() + stats_.max_depth;
        stats_.peak_memory = stored_.bytes(for_values_) + stats_.max_depth * sizeof(Move);
        Outcome outcome;
        outcome.status = status;
        outcome.moves = std::move(moves);
        outcome.stats = stats_;
        return outcome;
    }

    const Domain& domain_;
    Meter& meter_;
    int below_;
    Frontier stored_;
    std::vector<Root> roots_;
    Stats stats_;
    std::size_t for_values_ = 0;
    std::uint64_t in_passes_ = 0;  // expanded in passes that found nothing
    bool found_ = false;
    std::vector<Move> moves_;
};

}  // namespace tilewise
