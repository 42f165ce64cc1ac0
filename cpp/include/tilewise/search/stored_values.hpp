// The h of stored nodes, and what a kernel needs to go on from one of them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "tilewise/domain.hpp"
#include "tilewise/heuristics/heuristic.hpp"
#include "tilewise/patterns/followed.hpp"

namespace tilewise {

// Any heuristic: nothing is kept.
template <BoardState State>
class EstimatedNodes {
public:
    explicit EstimatedNodes(const Heuristic<State>& h) : heuristic_(h) {}
    int start(const State& state) { return heuristic_(state); }
    void follow(std::size_t, std::uint32_t, int, int, Slide) {}
    int keep_followed(std::size_t, std::uint32_t, const State& state) { return heuristic_(state); }
    void ask_for(std::uint32_t) const {}
    std::size_t bytes_a_node() const { return 0; }
    void reserve(std::size_t) {}

private:
    const Heuristic<State>& heuristic_;
};

// Pattern databases: the places and the sums of each node, so that nothing is looked up again.
template <class Index>
class FollowedNodes {
public:
    using Place = typename Index::Place;

    FollowedNodes(const FollowedPatterns<Index>& patterns, std::size_t groups, int cells)
        : patterns_(patterns), groups_(groups), lookups_(patterns.end(groups - 1)), cells_(cells) {}

    // The next node is one of which nothing is known yet.
    template <BoardState State>
    int start(const State& state) {
        std::array<std::uint8_t, 32> board{};
        for (int cell = 0; cell < cells_; ++cell)
            board[static_cast<std::size_t>(cell)] = static_cast<std::uint8_t>(state.tile(cell));
        int most = 0;
        std::size_t i = 0;
        for (std::size_t group = 0; group < groups_; ++group) {
            int sum = 0;
            for (; i < patterns_.end(group); ++i) {
                places_.push_back(patterns_.start(i, board.data()));
                sum += *places_.back().value;
            }
            sums_.push_back(static_cast<std::int16_t>(sum));
            most = std::max(most, sum);
        }
        return most;
    }

    // Follow a tile to one of the successors of a node, and ask for the memory of its values.
    void follow(std::size_t successor, std::uint32_t parent, int tile, int blank, Slide slide) {
        for (std::size_t group = 0; group < groups_; ++group) {
            const std::size_t lookup = patterns_.which(group, tile);
            const Place& place = places_[parent * lookups_ + lookup];
            const Place moved = patterns_.moved(group, lookup, place, tile, blank, slide);
            prefetched(moved.value);
            followed_[successor][group] = {lookup, moved, sums_[parent * groups_ + group] - *place.value};
        }
    }

    // The next node is a successor that was followed.
    template <BoardState State>
    int keep_followed(std::size_t successor, std::uint32_t parent, const State&) {
        const std::size_t row = places_.size();
        places_.resize(row + lookups_);
        std::copy_n(places_.begin() + static_cast<std::ptrdiff_t>(parent * lookups_), lookups_,
                    places_.begin() + static_cast<std::ptrdiff_t>(row));
        int most = 0;
        for (std::size_t group = 0; group < groups_; ++group) {
            const Followed& followed = followed_[successor][group];
            places_[row + followed.lookup] = followed.place;
            const int sum = followed.rest + *followed.place.value;
            sums_.push_back(static_cast<std::int16_t>(sum));
            most = std::max(most, sum);
        }
        return most;
    }

    void reserve(std::size_t nodes) {
        places_.reserve(nodes * lookups_);
        sums_.reserve(nodes * groups_);
    }

    // Ask for the memory of the values of a node.
    void ask_for(std::uint32_t node) const {
        for (std::size_t i = 0; i < lookups_; ++i) prefetched(places(node)[i].value);
    }

    const Place* places(std::uint32_t node) const { return places_.data() + node * lookups_; }
    const std::int16_t* sums(std::uint32_t node) const { return sums_.data() + node * groups_; }
    std::size_t lookups() const { return lookups_; }
    std::size_t bytes_a_node() const { return lookups_ * sizeof(Place) + groups_ * sizeof(std::int16_t); }

private:
    struct Followed {
        std::size_t lookup;
        Place place;
        int rest;  // what the other patterns of the sum add
    };

    const FollowedPatterns<Index>& patterns_;
    std::array<std::array<Followed, FollowedPatterns<Index>::most_groups>, 4> followed_;
    std::size_t groups_;
    std::size_t lookups_;
    int cells_;
    std::vector<Place> places_;       // by node, then look-up
    std::vector<std::int16_t> sums_;  // by node, then group
};

}  // namespace tilewise
