// Where a shorter solution is looked for first: the open nodes of a best-first search that is given
// up after a number of nodes, those with the smallest h first. Depth-first searches from them go to
// where the goal is near, while a pass of IDA* takes subtrees as they come.
//
// Nothing is proved by this. A state is stored again when a shorter way to it is found, because the
// largest of several sums is inconsistent.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "tilewise/meter.hpp"
#include "tilewise/patterns/followed.hpp"
#include "tilewise/search/subtrees.hpp"

namespace tilewise {

template <PuzzleDomain Domain>
class ProbeFrontier {
public:
    using Patterns = FollowedPatterns<CompactIndex>;

    ProbeFrontier(const Domain& domain, const Patterns& patterns, std::size_t groups, int bound)
        : domain_(domain), patterns_(patterns), groups_(groups), bound_(bound), open_(static_cast<std::size_t>(bound) + 1) {}

    // The ways to open nodes within the bound after `wanted` nodes are stored, smallest h first; or
    // a solution.
    Subtrees roots(std::uint64_t wanted, std::size_t most_roots, Meter& meter, Stats& stats) {
        Subtrees top;
        store({domain_.start(), domain_.start_blank(), no_move, 0, 0, 0}, start_h());
        for (Number next = 0; nodes_.size() < wanted && take(next);) {
            top.stopped = stats.generated >= meter.pause() && meter.stop(stats);
            if (top.stopped) return top;
            ++stats.expanded;
            if (expand(next, stats)) {
                top.found = true;
                top.moves = way_to(static_cast<Number>(nodes_.size() - 1));
                return top;
            }
        }
        for (int h = 0; h <= bound_ && top.roots.size() < most_roots; ++h) {
            for (int f = 0; f <= bound_; ++f) add_open(f, h, most_roots, top.roots);
        }
        return top;
    }

private:
    using State = typename Domain::State;
    using Number = std::uint32_t;
    struct Node {
        State state;
        std::uint8_t blank;
        Move last;
        std::uint16_t g;
        std::uint16_t h;
        Number parent;
    };

    int start_h() {
        const Values values = values_at(domain_.start());
        return *std::max_element(values.sums.begin(), values.sums.begin() + static_cast<std::ptrdiff_t>(groups_));
    }

    // The places and sums of a board.
    struct Values {
        std::array<CompactIndex::Place, Patterns::most_lookups> place;
        std::array<int, Patterns::most_groups> sums;
    };
    Values values_at(const State& state) const {
        std::array<std::uint8_t, 32> board{};
        for (int cell = 0; cell < domain_.shape().cells(); ++cell)
            board[static_cast<std::size_t>(cell)] = static_cast<std::uint8_t>(state.tile(cell));
        Values values{};
        std::size_t i = 0;
        for (std::size_t group = 0; group < groups_; ++group) {
            for (; i < patterns_.end(group); ++i) {
                values.place[i] = patterns_.start(i, board.data());
                values.sums[group] += *values.place[i].value;
            }
        }
        return values;
    }

    // True if a successor is the goal.
    bool expand(Number number, Stats& stats) {
        const Node node = nodes_[number];
        const Values values = values_at(node.state);
        for (const Slide slide : domain_.slides(node.blank)) {
            if (node.last != no_move && slide.move == opposite(node.last)) continue;
            ++stats.generated;
            const int tile = node.state.tile(slide.target);
            int h = 0;
            for (std::size_t group = 0; group < groups_; ++group) {
                const std::size_t lookup = patterns_.which(group, tile);
                const auto moved = patterns_.moved(group, lookup, values.place[lookup], tile, node.blank, slide);
                h = std::max(h, values.sums[group] - *values.place[lookup].value + *moved.value);
            }
            const int g = node.g + 1;
            if (g + h > bound_) continue;
            const State state = node.state.slid(node.blank, slide.target);
            const auto [seen, is_new] = seen_.try_emplace(State::hash(state.identity()), g);
            if (!is_new && seen->second <= g) continue;
            seen->second = static_cast<std::uint16_t>(g);
            store({state, slide.target, slide.move, static_cast<std::uint16_t>(g), 0, number}, h);
            stats.max_depth = std::max<std::uint64_t>(stats.max_depth, static_cast<std::uint64_t>(g));
            if (state == domain_.goal()) return true;
        }
        return false;
    }

    void store(Node node, int h) {
        node.h = static_cast<std::uint16_t>(h);
        const auto f = static_cast<std::size_t>(node.g + h);
        nodes_.push_back(node);
        if (f >= open_.size()) return;  // a start that is above the bound
        if (open_[f].size() <= static_cast<std::size_t>(h)) open_[f].resize(static_cast<std::size_t>(h) + 1);
        open_[f][static_cast<std::size_t>(h)].push_back(static_cast<Number>(nodes_.size() - 1));
    }

    // The node with the smallest f, of these with the smallest h, the newest of them.
    bool take(Number& next) {
        for (auto& level : open_) {
            for (auto& equal : level) {
                if (equal.empty()) continue;
                next = equal.back();
                equal.pop_back();
                return true;
            }
        }
        return false;
    }

    void add_open(int f, int h, std::size_t most_roots, std::vector<Path>& roots) const {
        const auto& level = open_[static_cast<std::size_t>(f)];
        if (static_cast<std::size_t>(h) >= level.size()) return;
        for (const Number number : level[static_cast<std::size_t>(h)]) {
            if (roots.size() < most_roots) roots.push_back(way_to(number));
        }
    }

    Path way_to(Number number) const {
        Path way;
        for (; nodes_[number].last != no_move; number = nodes_[number].parent) way.push_back(nodes_[number].last);
        std::reverse(way.begin(), way.end());
        return way;
    }

    const Domain& domain_;
    const Patterns& patterns_;
    std::size_t groups_;
    int bound_;
    std::vector<std::vector<std::vector<Number>>> open_;  // by f, then h
    std::vector<Node> nodes_;
    std::unordered_map<std::uint64_t, std::uint16_t> seen_;  // the least g so far
};

}  // namespace tilewise
