// The nodes of a graph search and the table that finds the node of a state.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tilewise/meter.hpp"
#include "tilewise/outcome.hpp"

namespace tilewise {

constexpr std::uint32_t no_node = UINT32_MAX;

template <class State>
struct Node {
    State state;
    std::uint32_t parent;
    std::uint32_t g;
    std::uint16_t h;
    std::uint8_t blank;
    Move move;
};

// Nodes are numbered in the order they are stored. A state may have several: the table knows
// the last one, which is the cheapest.
template <class State>
class Nodes {
public:
    explicit Nodes(const Meter& meter) : meter_(meter) {
        nodes_.reserve(first_capacity);
        slots_.assign(2 * first_capacity, no_node);
    }

    std::uint32_t size() const { return static_cast<std::uint32_t>(nodes_.size()); }
    const Node<State>& operator[](std::uint32_t number) const { return nodes_[number]; }

    // The slot of a state: it holds its node, or no_node where the state is new.
    std::uint32_t& slot_of(const State& state) {
        const std::size_t mask = slots_.size() - 1;
        std::size_t at = state.hash() & mask;
        while (slots_[at] != no_node && !(nodes_[slots_[at]].state == state)) at = (at + 1) & mask;
        return slots_[at];
    }

    // Make room for one more node before a slot is looked up; false when memory does not allow it.
    bool make_room() {
        if (nodes_.size() < nodes_.capacity()) return true;
        if (nodes_.size() >= most_nodes) return false;
        const std::size_t capacity = nodes_.capacity() + nodes_.capacity() / 2;
        const std::size_t slots = capacity * 3 / 2 > slots_.size() ? slots_.size() * 2 : slots_.size();
        if (!meter_.has_memory_for(bytes() + bytes(capacity, slots))) return false;  // both, while it grows
        nodes_.reserve(capacity);
        if (slots != slots_.size()) rehash(slots);
        return true;
    }

    void add(const Node<State>& node) { nodes_.push_back(node); }

    // With what a search keeps beside each node: a flag and up to two entries of its open list.
    std::uint64_t bytes() const { return bytes(nodes_.capacity(), slots_.size()); }

    std::vector<Move> path_to(std::uint32_t number) const {
        std::vector<Move> moves;
        for (; nodes_[number].move != no_move; number = nodes_[number].parent) moves.push_back(nodes_[number].move);
        std::reverse(moves.begin(), moves.end());
        return moves;
    }

private:
    static constexpr std::size_t first_capacity = 1024;
    static constexpr std::size_t most_nodes = UINT32_MAX / 2;

    static std::uint64_t bytes(std::size_t nodes, std::size_t slots) {
        return nodes * (sizeof(Node<State>) + 1 + 2 * sizeof(std::uint32_t)) + slots * sizeof(std::uint32_t);
    }

    void rehash(std::size_t size) {
        slots_.assign(size, no_node);
        for (std::uint32_t number = 0; number < nodes_.size(); ++number) slot_of(nodes_[number].state) = number;
    }

    const Meter& meter_;
    std::vector<Node<State>> nodes_;
    std::vector<std::uint32_t> slots_;
};

}  // namespace tilewise
