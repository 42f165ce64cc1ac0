// The nodes of a graph search and the table that finds the node of a state.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "tilewise/memory.hpp"
#include "tilewise/meter.hpp"
#include "tilewise/outcome.hpp"

namespace tilewise {

constexpr std::uint32_t no_node = UINT32_MAX;

template <BoardState State>
struct Node {
    State state;
    std::uint32_t parent;
    std::uint32_t g;
    std::uint16_t h;
    std::uint8_t blank;
    Move move;
    bool closed;
    bool superseded;  // a cheaper node of the same state was stored later
};

// Nodes are numbered in the order they are stored. A state may have several: the table knows
// the last one, which is the cheapest. A slot keeps the identity of the state and its g beside
// the number, so that most look-ups touch one line of memory.
template <BoardState State>
class Nodes {
public:
    // All zero is an empty slot: a node is kept as one more than its number.
    class Slot {
    public:
        std::uint32_t node() const { return node_after_ - 1; }
        bool is_empty() const { return node_after_ == 0; }
        std::uint64_t identity;
        std::uint32_t g;

    private:
        friend class Nodes;
        std::uint32_t node_after_;
    };

    explicit Nodes(const Meter& meter)
        : meter_(meter), slots_(2 * first_capacity), shift_(64 - std::countr_zero(2 * first_capacity)) {
        nodes_.reserve(first_capacity);
    }

    std::uint32_t size() const { return static_cast<std::uint32_t>(nodes_.size()); }
    const Node<State>& operator[](std::uint32_t number) const { return nodes_[number]; }
    Node<State>& operator[](std::uint32_t number) { return nodes_[number]; }

    // Start loading the slot of a state, to look it up a little later.
    void prefetch(std::uint64_t identity) const { prefetched(&slots_[State::hash(identity) >> shift_]); }

    // The slot of a state, which is empty where the state is new.
    Slot& slot_of(const State& state, std::uint64_t identity) {
        const std::size_t mask = slots_.size() - 1;
        for (std::size_t at = State::hash(identity) >> shift_;; at = (at + 1) & mask) {
            Slot& slot = slots_[at];
            if (slot.is_empty()) return slot;
            if (slot.identity == identity && (State::identity_is_exact || nodes_[slot.node()].state == state)) return slot;
        }
    }

    // Store a node under the slot of its state.
    void add(Slot& slot, std::uint64_t identity, const Node<State>& node) {
        slot.identity = identity;
        slot.g = node.g;
        slot.node_after_ = size() + 1;
        nodes_.push_back(node);
    }

    bool has_room_for_successors() const { return nodes_.size() + 4 <= nodes_.capacity(); }

    // Make room for the successors of one node before slots are looked up; false when memory
    // does not allow it, with an open list that has up to two places for each node.
    bool make_room() {
        if (nodes_.size() >= most_nodes) return false;
        const std::size_t capacity = nodes_.capacity() + nodes_.capacity() / 2;
        const bool crowded = 10 * capacity > 7 * slots_.size();
        if (!meter_.has_memory_for(2 * sizeof(std::uint32_t) * capacity +
                                   bytes(capacity, crowded ? 3 * slots_.size() : slots_.size())))
            return false;
        nodes_.reserve(capacity);
        if (crowded) grow_slots();
        return true;
    }

    std::uint64_t bytes() const { return bytes(nodes_.capacity(), slots_.size()); }

    std::vector<Move> path_to(std::uint32_t number) const {
        std::vector<Move> moves;
        for (; nodes_[number].move != no_move; number = nodes_[number].parent) moves.push_back(nodes_[number].move);
        std::reverse(moves.begin(), moves.end());
        return moves;
    }

private:
    static constexpr std::size_t first_capacity = 2048;
    static constexpr std::size_t most_nodes = UINT32_MAX / 2;

    static std::uint64_t bytes(std::size_t nodes, std::size_t slots) {
        return nodes * sizeof(Node<State>) + slots * sizeof(Slot);
    }

    // Slots are in the order of their hashes, so the old ones fill the new ones from front to back.
    void grow_slots() {
        ZeroedArray<Slot> grown(slots_.size() * 2);
        --shift_;
        const std::size_t mask = grown.size() - 1;
        for (const Slot& slot : slots_) {
            if (slot.is_empty()) continue;
            std::size_t at = State::hash(slot.identity) >> shift_;
            while (!grown[at].is_empty()) at = (at + 1) & mask;
            grown[at] = slot;
        }
        slots_ = std::move(grown);
    }

    const Meter& meter_;
    GrowingArray<Node<State>> nodes_;
    ZeroedArray<Slot> slots_;
    int shift_;
};

}  // namespace tilewise
