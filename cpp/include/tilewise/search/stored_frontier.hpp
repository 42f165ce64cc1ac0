// The first part of A*+IDA*: a best-first search that stores what it makes and stops when it has
// stored a number of states. Its open nodes are the roots of depth-first searches.
//
// A cheaper way to a state replaces the one before it, also where the state was expanded: sums of
// tables are inconsistent. With an automaton, a way that is as cheap and first in the alphabet
// does, too; astar_idastar.hpp says why.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

#include "tilewise/domain.hpp"
#include "tilewise/meter.hpp"
#include "tilewise/search/automaton.hpp"
#include "tilewise/search/frontiers.hpp"

namespace tilewise {

// A node of which the parent is a number; the start has number 0.
template <BoardState State>
struct StoredNode {
    State state;
    std::uint32_t parent;
    std::int32_t g;
    std::int32_t h;
    MoveAutomaton::State word;
    std::uint8_t blank;
    Move last;
    bool open;

    int f() const { return g + h; }
};

template <PuzzleDomain Domain>
class StoredFrontier {
public:
    using State = typename Domain::State;
    using Node = StoredNode<State>;
    using Number = std::uint32_t;

    // How growing ended: `full` leaves the rest to depth-first search.
    enum class End : std::uint8_t { full, solved, met, stopped, empty };

    StoredFrontier(const Domain& domain, const MoveAutomaton* automaton, Meter& meter)
        : domain_(domain), automaton_(automaton), meter_(meter), slots_(first_slots) {
        for (std::size_t i = 0; automaton != nullptr && i < 4; ++i) rank_[automaton->order()[i]] = i;
    }

    // Store up to `most` states, or what the memory has room for. `values` knows the h of the start
    // and of the successors of stored nodes.
    template <class Values>
    End grow(std::uint64_t most, int below, Values& values, Stats& stats) {
        find(domain_.start()) = 1;
        add({domain_.start(), 0, 0, values.start(domain_.start()), MoveAutomaton::begin, domain_.start_blank(), no_move, true});
        while (nodes_.front().state == domain_.goal() || has_room(most, values)) {
            if (!take()) return End::empty;
            stats.bound = std::max(stats.bound, static_cast<std::uint64_t>(nodes_[taken_].f()));
            if (below > 0 && stats.bound >= static_cast<std::uint64_t>(below)) return End::met;
            if (nodes_[taken_].state == domain_.goal()) return End::solved;
            if (!expand(taken_, values, stats)) return End::stopped;
            stats.max_frontier = std::max<std::uint64_t>(stats.max_frontier, open_.size());
        }
        return End::full;
    }

    std::size_t size() const { return nodes_.size(); }
    const Node& operator[](Number number) const { return nodes_[number]; }
    Number taken() const { return taken_; }

    // The open nodes, smallest h first, of these smallest f.
    std::vector<Number> roots() const {
        std::vector<Number> roots;
        for (Number number = 0; number < nodes_.size(); ++number) {
            if (nodes_[number].open) roots.push_back(number);
        }
        std::stable_sort(roots.begin(), roots.end(), [&](Number a, Number b) {
            return nodes_[a].h != nodes_[b].h ? nodes_[a].h < nodes_[b].h : nodes_[a].g < nodes_[b].g;
        });
        return roots;
    }

    std::vector<Move> way_to(Number number) const {
        std::vector<Move> way;
        for (; nodes_[number].last != no_move; number = nodes_[number].parent) way.push_back(nodes_[number].last);
        std::reverse(way.begin(), way.end());
        return way;
    }

    // Expansions of nodes whose f is below a cost.
    std::uint64_t expanded_below(int cost) const {
        const auto end = std::min(expanded_by_f_.size(), static_cast<std::size_t>(cost));
        return std::accumulate(expanded_by_f_.begin(), expanded_by_f_.begin() + static_cast<std::ptrdiff_t>(end),
                               std::uint64_t{0});
    }

    std::uint64_t bytes(std::size_t for_values) const { return bytes_for(nodes_.capacity(), slots_.size(), for_values); }

private:
    static constexpr std::size_t first_slots = 1024;
    static constexpr std::size_t most_successors = 4;
    static constexpr std::uint64_t bytes_a_root = 16;  // while the roots are sorted

    std::uint64_t bytes_for(std::size_t nodes, std::size_t slots, std::size_t for_values) const {
        return nodes * (sizeof(Node) + for_values + bytes_a_root) + slots * sizeof(Number) + open_.bytes_when_grown();
    }

    // Room for the successors of one more node; it is made where there is memory for it.
    template <class Values>
    bool has_room(std::uint64_t most, Values& values) {
        const std::size_t wanted = nodes_.size() + most_successors;
        if (wanted > most) return false;
        std::size_t larger = nodes_.capacity();
        if (wanted > larger) larger = std::min<std::uint64_t>(most, std::max<std::size_t>(2 * wanted, first_slots / 2));
        std::size_t slots = slots_.size();
        while (slots < 2 * larger) slots *= 2;
        if (larger > UINT32_MAX / 4 || !meter_.has_memory_for(bytes_for(larger, slots, values.bytes_a_node()))) return false;
        if (larger > nodes_.capacity()) {
            nodes_.reserve(larger);
            values.reserve(larger);
        }
        if (slots > slots_.size()) spread_slots(slots);
        return true;
    }

    void spread_slots(std::size_t size) {
        slots_.assign(size, 0);
        for (Number number = 0; number < nodes_.size(); ++number) find(nodes_[number].state) = number + 1;
    }

    // The slot of a state: one more than its number, 0 if it is not stored.
    Number& find(const State& state) {
        const std::size_t last = slots_.size() - 1;
        std::size_t at = State::hash(state.identity()) >> 40 & last;
        while (slots_[at] != 0 && !(nodes_[slots_[at] - 1].state == state)) at = (at + 1) & last;
        return slots_[at];
    }

    bool take() {
        while (open_.size() > 0) {
            taken_ = open_.pop();
            if (nodes_[taken_].open) return true;  // else a cheaper copy was pushed later
        }
        return false;
    }

    void add(const Node& node) {
        open_.push(static_cast<Number>(nodes_.size()), node.f(), node.h);
        nodes_.push_back(node);
    }

    // False where a limit ends it.
    template <class Values>
    bool expand(Number number, Values& values, Stats& stats) {
        nodes_[number].open = false;
        const Node node = nodes_[number];
        ++stats.expanded;
        const auto f = static_cast<std::size_t>(node.f());
        if (f >= expanded_by_f_.size()) expanded_by_f_.resize(f + 1);
        ++expanded_by_f_[f];
        const int g = node.g + 1;
        const auto& slides = domain_.slides(node.blank);
        std::array<MoveAutomaton::State, most_successors> words;
        for (std::size_t i = 0; i < slides.size(); ++i) {
            words[i] = word_after(node, slides[i].move);
            if (words[i] == MoveAutomaton::forbidden) continue;
            values.follow(i, number, node.state.tile(slides[i].target), node.blank, slides[i]);
        }
        for (std::size_t i = 0; i < slides.size(); ++i) {
            const auto [move, target] = slides[i];
            if (words[i] == MoveAutomaton::forbidden) continue;
            if (stats.generated == meter_.pause() && meter_.stop(stats)) return false;
            ++stats.generated;
            const State state = node.state.slid(node.blank, target);
            Number& slot = find(state);
            if (slot != 0 && !replaces(number, move, slot - 1)) {
                ++stats.duplicates;
                continue;
            }
            ++stats.stored;
            stats.max_depth = std::max(stats.max_depth, static_cast<std::uint64_t>(g));
            if (slot == 0) {
                const int h = values.keep_followed(i, number, state);
                slot = static_cast<Number>(nodes_.size() + 1);
                add({state, number, g, h, words[i], target, move, true});
                continue;
            }
            Node& cheaper = nodes_[slot - 1];
            stats.reopened += !cheaper.open;
            cheaper.parent = number;
            cheaper.g = g;
            cheaper.last = move;
            cheaper.open = true;
            cheaper.word = words[i];
            open_.push(slot - 1, cheaper.f(), cheaper.h);
        }
        return true;
    }

    // The way back is forbidden, too.
    MoveAutomaton::State word_after(const Node& node, Move move) const {
        if (node.last != no_move && move == opposite(node.last)) return MoveAutomaton::forbidden;
        return automaton_ == nullptr ? MoveAutomaton::begin : automaton_->after(node.word, move);
    }

    // Whether the way to a node that goes by another is cheaper, or as cheap and first in the alphabet.
    bool replaces(Number parent, Move move, Number number) const {
        const Node& node = nodes_[number];
        if (node.g != nodes_[parent].g + 1 || automaton_ == nullptr) return nodes_[parent].g + 1 < node.g;
        if (node.parent == parent) return true;
        Number other = node.parent;
        Move others = node.last;
        while (other != parent) {
            if (nodes_[other].g != nodes_[parent].g) return false;  // one of them is to be expanded again
            move = nodes_[parent].last;
            others = nodes_[other].last;
            parent = nodes_[parent].parent;
            other = nodes_[other].parent;
        }
        return rank_[move] < rank_[others];
    }

    const Domain& domain_;
    const MoveAutomaton* automaton_;
    std::array<std::size_t, 4> rank_{};
    Meter& meter_;
    std::vector<Node> nodes_;
    std::vector<Number> slots_;
    Buckets open_;
    std::vector<std::uint64_t> expanded_by_f_;
    Number taken_ = 0;
};

}  // namespace tilewise
