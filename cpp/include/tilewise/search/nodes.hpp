// The nodes of a graph search and the table that finds the node of a state.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "tilewise/huge_pages.hpp"
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
    bool closed = false;
    bool superseded = false;  // a cheaper node of the same state was stored later
};

// Nodes are numbered in the order they are stored. A state may have several: the table knows
// the last one, which is the cheapest. A slot keeps the identity of the state and its g beside
// the number, so that most look-ups touch one line of memory.
template <class State>
class Nodes {
public:
    struct Slot {
        std::uint64_t identity = 0;
        std::uint32_t node = no_node;
        std::uint32_t g = 0;
    };

    explicit Nodes(const Meter& meter) : meter_(meter) {
        nodes_.reserve(first_capacity);
        slots_.resize(2 * first_capacity);
        shift_ = 64 - std::countr_zero(slots_.size());
    }

    std::uint32_t size() const { return static_cast<std::uint32_t>(nodes_.size()); }
    const Node<State>& operator[](std::uint32_t number) const { return nodes_[number]; }
    Node<State>& operator[](std::uint32_t number) { return nodes_[number]; }

    // Start loading the slot of a state, to look it up a little later.
    void prefetch(std::uint64_t identity) const {
#if defined(__GNUC__)
        __builtin_prefetch(&slots_[State::hash(identity) >> shift_], 1);
#else
        static_cast<void>(identity);
#endif
    }

    // The slot of a state: it holds its node, or no_node where the state is new.
    Slot& slot_of(const State& state, std::uint64_t identity) {
        const std::size_t mask = slots_.size() - 1;
        for (std::size_t at = State::hash(identity) >> shift_;; at = (at + 1) & mask) {
            Slot& slot = slots_[at];
            if (slot.node == no_node) return slot;
            if (slot.identity == identity && (State::identity_is_exact || nodes_[slot.node].state == state)) return slot;
        }
    }

    // Store a node under the slot of its state.
    void add(Slot& slot, std::uint64_t identity, const Node<State>& node) {
        slot = {identity, size(), node.g};
        nodes_.push_back(node);
    }

    // Make room for the successors of one node before slots are looked up; false when memory
    // does not allow it.
    bool make_room() {
        if (nodes_.size() + 4 <= nodes_.capacity()) return true;
        if (nodes_.size() >= most_nodes) return false;
        const std::size_t capacity = nodes_.capacity() * 2;
        if (!meter_.has_memory_for(bytes() + bytes(capacity, 2 * capacity))) return false;  // both, while it grows
        nodes_.reserve(capacity);
        grow_slots();
        return true;
    }

    // With up to two entries of the open list for each node.
    std::uint64_t bytes() const { return bytes(nodes_.capacity(), slots_.size()); }

    std::vector<Move> path_to(std::uint32_t number) const {
        std::vector<Move> moves;
        for (; nodes_[number].move != no_move; number = nodes_[number].parent) moves.push_back(nodes_[number].move);
        std::reverse(moves.begin(), moves.end());
        return moves;
    }

private:
    using Slots = std::vector<Slot, HugePageAllocator<Slot>>;
    static constexpr std::size_t first_capacity = 1024;
    static constexpr std::size_t most_nodes = UINT32_MAX / 2;

    static std::uint64_t bytes(std::size_t nodes, std::size_t slots) {
        return nodes * (sizeof(Node<State>) + 2 * sizeof(std::uint32_t)) + slots * sizeof(Slot);
    }

    // Slots are in the order of their hashes, so the old ones fill the new ones from front to back.
    void grow_slots() {
        Slots old(slots_.size() * 2);
        old.swap(slots_);
        --shift_;
        const std::size_t mask = slots_.size() - 1;
        for (const Slot& slot : old) {
            if (slot.node == no_node) continue;
            std::size_t at = State::hash(slot.identity) >> shift_;
            while (slots_[at].node != no_node) at = (at + 1) & mask;
            slots_[at] = slot;
        }
    }

    const Meter& meter_;
    std::vector<Node<State>, HugePageAllocator<Node<State>>> nodes_;
    Slots slots_;
    int shift_ = 0;
};

}  // namespace tilewise
