// A pass below many roots with pattern databases, unobserved: several subtrees in turn in one thread.
//
// Where tables do not fit the cache, a value comes from memory long after it is asked for. While one
// subtree waits for the values of its successors, the others go on. Each has a stack of nodes in place
// of a recursion, so that leaving it and coming back cost nothing.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "tilewise/domain.hpp"
#include "tilewise/memory.hpp"
#include "tilewise/meter.hpp"
#include "tilewise/outcome.hpp"
#include "tilewise/patterns/followed.hpp"
#include "tilewise/search/automaton.hpp"
#include "tilewise/search/stored_values.hpp"

namespace tilewise {

// `Groups` is the number of sums.
template <class Index, int Groups, PuzzleDomain Domain>
class SubtreesInTurn {
public:
    static bool serves(const FollowedPatterns<Index>& patterns) { return patterns.end(Groups - 1) <= most_lookups; }

    SubtreesInTurn(const Domain& domain, const FollowedPatterns<Index>& patterns, const FollowedNodes<Index>& values,
                   const MoveAutomaton& automaton, Meter& meter)
        : domain_(domain), forward_(domain), patterns_(patterns), values_(values), automaton_(automaton), meter_(meter) {}

    // A pass below the roots that `next` points to one after the other, and then to none. What the pass came to is left
    // with them; `node` gives the stored node of a root, which is not the goal. True when the search is over: a solution is
    // found, or a limit reached.
    template <class Root, class Next, class NodeOf>
    bool pass(int bound, Stats& stats, Next next, NodeOf node) {
        bound_ = bound;
        stats_ = &stats;
        found_.clear();
        std::array<Root*, at_once> root{};
        std::size_t under_way = 0;
        const auto begin = [&](std::size_t i) {
            root[i] = next();
            if (root[i] == nullptr) return false;
            place(subtrees_[i], node(*root[i]), root[i]->number);
            ask(subtrees_[i]);
            return true;
        };
        while (under_way < at_once && begin(under_way)) ++under_way;
        while (under_way > 0) {
            for (std::size_t i = 0; i < under_way; ++i) {
                Subtree& subtree = subtrees_[i];
                if (over_after(subtree)) {
                    root_of_solution_ = root[i]->number;
                    return true;
                }
                if (subtree.size > 0) {
                    ask(subtree);
                    continue;
                }
                root[i]->took(subtree.least_above, subtree.least_h, subtree.expanded);
                if (begin(i)) continue;
                --under_way;
                std::swap(subtree, subtrees_[under_way]);
                std::swap(root[i], root[under_way]);
                --i;
            }
        }
        return false;
    }

    bool found() const { return !found_.empty(); }
    std::uint32_t root_of_solution() const { return root_of_solution_; }
    // From the root to the goal.
    const std::vector<Move>& moves() const { return found_; }

private:
    static constexpr std::size_t at_once = 4;
    static constexpr std::size_t most_lookups = 8;
    using Place = typename Index::Place;
    using Word = MoveAutomaton::State;

    struct Node {
        std::array<Place, most_lookups> place;
        std::array<std::uint8_t, most_lookups> value;
        std::array<std::uint8_t, 16> board;
        std::array<std::int16_t, Groups> sum;
        Word word;
        std::int16_t g;
        std::uint8_t blank;
        Move last;
    };

    // A successor of which the values are asked for.
    struct Child {
        std::array<Place, Groups> place;
        std::array<std::uint8_t, Groups> lookup;
        Word word;
        Slide slide;
    };

    struct Subtree {
        std::vector<Node> stack;  // the last one is expanded next, or waits for the values of its successors
        std::size_t size = 0;
        std::array<Child, 4> children;
        std::size_t asked = 0;
        int least_above = 0;
        int least_h = 0;
        std::uint64_t expanded = 0;
        int root_depth = 0;
        std::vector<Move> path;  // by depth, to the node that is expanded
    };

    template <class Stored>
    void place(Subtree& subtree, const Stored& stored, std::uint32_t number) {
        const auto depth = static_cast<std::size_t>(std::max(bound_, stored.g)) + 1;
        if (subtree.path.size() < depth) subtree.path.resize(depth);
        if (subtree.stack.size() < 2 * depth + 2) subtree.stack.resize(2 * depth + 2);  // at most two siblings wait at a depth
        Node& node = subtree.stack[0];
        for (int cell = 0; cell < domain_.shape().cells(); ++cell)
            node.board[static_cast<std::size_t>(cell)] = static_cast<std::uint8_t>(stored.state.tile(cell));
        std::copy_n(values_.places(number), values_.lookups(), node.place.begin());
        std::copy_n(values_.sums(number), Groups, node.sum.begin());
        for (std::size_t i = 0; i < values_.lookups(); ++i) node.value[i] = *node.place[i].value;
        node.word = stored.word;
        node.g = static_cast<std::int16_t>(stored.g);
        node.blank = stored.blank;
        node.last = stored.last;
        subtree.size = 1;
        subtree.least_above = INT32_MAX;
        subtree.least_h = INT32_MAX;
        subtree.expanded = 0;
        subtree.root_depth = stored.g;
    }

    // Expand the last node: find where the values of its successors are, and ask for their memory.
    void ask(Subtree& subtree) {
        const Node& node = subtree.stack[subtree.size - 1];
        ++stats_->expanded;
        ++subtree.expanded;
        if (node.g > subtree.root_depth) subtree.path[static_cast<std::size_t>(node.g) - 1] = node.last;
        std::size_t asked = 0;
        for (const Slide slide : node.last == no_move ? domain_.slides(node.blank) : forward_(node.blank, node.last)) {
            const Word word = automaton_.after(node.word, slide.move);
            if (word == MoveAutomaton::forbidden) continue;
            Child& child = subtree.children[asked++];
            child.word = word;
            child.slide = slide;
            const int tile = node.board[slide.target];
            for (std::size_t group = 0; group < Groups; ++group) {
                const std::size_t lookup = patterns_.template which<Groups>(group, tile);
                child.lookup[group] = static_cast<std::uint8_t>(lookup);
                child.place[group] = patterns_.template moved<Groups>(group, lookup, node.place[lookup], tile, node.blank, slide);
                prefetched(child.place[group].value);
            }
        }
        subtree.asked = asked;
    }

    // Replace the node that waits by its successors within the bound, the first of them last. True when the search is over.
    bool over_after(Subtree& subtree) {
        const std::size_t at = subtree.size - 1;
        const Node& node = subtree.stack[at];
        const int g = node.g + 1;
        std::array<std::array<std::uint8_t, Groups>, 4> values;
        std::array<std::size_t, 4> kept;
        std::size_t count = 0;
        for (std::size_t i = 0; i < subtree.asked; ++i) {
            if (stats_->generated == meter_.pause() && meter_.stop(*stats_)) return true;
            ++stats_->generated;
            const Child& child = subtree.children[i];
            int most = 0;
            for (std::size_t group = 0; group < Groups; ++group) {
                values[i][group] = *child.place[group].value;
                most = std::max(most, node.sum[group] - node.value[child.lookup[group]] + values[i][group]);
            }
            if (g + most > bound_) {
                subtree.least_above = std::min(subtree.least_above, g + most);
                continue;
            }
            subtree.least_h = std::min(subtree.least_h, most);
            if (static_cast<std::uint64_t>(g) > stats_->max_depth) stats_->max_depth = static_cast<std::uint64_t>(g);
            if (most == 0) {
                found_.assign(subtree.path.begin() + subtree.root_depth, subtree.path.begin() + node.g);
                found_.push_back(child.slide.move);
                return true;
            }
            kept[count++] = i;
        }
        for (std::size_t i = 0; i + 1 < count; ++i) {
            Node& copy = subtree.stack[at + count - 1 - i];
            copy = subtree.stack[at];
            become(copy, subtree.children[kept[i]], values[kept[i]]);
        }
        if (count > 0) become(subtree.stack[at], subtree.children[kept[count - 1]], values[kept[count - 1]]);
        subtree.size = at + count;
        return false;
    }

    static void become(Node& node, const Child& child, const std::array<std::uint8_t, Groups>& values) {
        for (std::size_t group = 0; group < Groups; ++group) {
            const std::size_t lookup = child.lookup[group];
            node.sum[group] = static_cast<std::int16_t>(node.sum[group] - node.value[lookup] + values[group]);
            node.value[lookup] = values[group];
            node.place[lookup] = child.place[group];
        }
        std::swap(node.board[node.blank], node.board[child.slide.target]);
        node.blank = child.slide.target;
        node.last = child.slide.move;
        node.word = child.word;
        ++node.g;
    }

    const Domain& domain_;
    const ForwardSlides<Domain> forward_;
    const FollowedPatterns<Index>& patterns_;
    const FollowedNodes<Index>& values_;
    const MoveAutomaton& automaton_;
    Meter& meter_;
    Stats* stats_ = nullptr;
    int bound_ = 0;
    std::array<Subtree, at_once> subtrees_;
    std::vector<Move> found_;
    std::uint32_t root_of_solution_ = 0;
};

}  // namespace tilewise
