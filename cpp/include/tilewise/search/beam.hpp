// Beam search: the twin of search/beam.py.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tilewise/heuristics/heuristic.hpp"
#include "tilewise/meter.hpp"
#include "tilewise/observers.hpp"
#include "tilewise/search/nodes.hpp"

namespace tilewise {

template <PuzzleDomain Domain, SearchObserver Observer>
class Beam {
public:
    using State = typename Domain::State;

    Beam(const Domain& domain, const Heuristic<State>& h, std::uint64_t width, Meter& meter, Observer& observer)
        : domain_(domain), h_(h), width_(width), meter_(meter), observer_(observer), nodes_(meter) {}

    Outcome run() {
        const int root_h = h_(domain_.start());
        const std::uint64_t identity = domain_.start().identity();
        nodes_.add(
            nodes_.slot_of(domain_.start(), identity), identity,
            {domain_.start(), no_node, 0, static_cast<std::uint16_t>(root_h), domain_.start_blank(), no_move, false, false});
        tell(Kind::start, 0);
        std::vector<std::uint32_t> layer{0};
        std::uint32_t goal = domain_.start() == domain_.goal() ? 0 : no_node;
        while (!layer.empty()) {
            if (goal != no_node) return end(Status::solved, goal);
            ++stats_.iterations;
            std::vector<std::uint32_t> made;
            for (const std::uint32_t node : layer) {
                ++stats_.expanded;
                tell(Kind::expand, node);
                for (const Slide& slide : domain_.slides(nodes_[node].blank)) {
                    if (stats_.generated == meter_.pause() && meter_.stop(stats_)) return end(meter_.status(), node);
                    if (!nodes_.has_room_for_successors() && !nodes_.make_room()) return end(Status::limit, node);
                    ++stats_.generated;
                    const std::uint32_t number = generate(node, slide);
                    if (number == no_node) continue;
                    made.push_back(number);
                    if (nodes_[number].state == domain_.goal()) goal = number;
                }
            }
            stats_.max_frontier = std::max<std::uint64_t>(stats_.max_frontier, made.size());
            std::stable_sort(made.begin(), made.end(),
                             [&](std::uint32_t a, std::uint32_t b) { return nodes_[a].h < nodes_[b].h; });
            if (made.size() > width_) made.resize(width_);
            layer = std::move(made);
        }
        return end(Status::stuck, 0);
    }

private:
    // The number of the new node, or no_node for a state that was made before.
    std::uint32_t generate(std::uint32_t node, Slide slide) {
        const Node<State>& parent = nodes_[node];
        const std::uint32_t g = parent.g + 1;
        const State child = parent.state.slid(parent.blank, slide.target);
        const std::uint64_t identity = child.identity();
        auto& slot = nodes_.slot_of(child, identity);
        if (!slot.is_empty()) {
            ++stats_.duplicates;
            if constexpr (Observer::watching) {
                const int h = nodes_[slot.node()].h;
                observer_({Kind::duplicate, slot.node(), node, slide.move, static_cast<std::int32_t>(g), h, {h, 0}}, child);
            }
            return no_node;
        }
        const std::uint32_t number = nodes_.size();
        nodes_.add(slot, identity,
                   {child, node, g, static_cast<std::uint16_t>(h_(child)), slide.target, slide.move, false, false});
        ++stats_.stored;
        stats_.max_depth = g;
        tell(Kind::generate, number);
        return number;
    }

    Outcome end(Status status, std::uint32_t node) {
        Outcome outcome;
        outcome.status = status;
        stats_.peak_stored = nodes_.size();
        stats_.peak_memory = nodes_.bytes();
        if (status == Status::solved) {
            outcome.moves = nodes_.path_to(node);
            tell(Kind::goal, node);
        }
        tell(Kind::stop, node);
        outcome.stats = stats_;
        return outcome;
    }

    void tell(Kind kind, std::uint32_t number) {
        if constexpr (Observer::watching) {
            const Node<State>& node = nodes_[number];
            const std::int64_t parent = node.parent == no_node ? -1 : static_cast<std::int64_t>(node.parent);
            observer_({kind, number, parent, node.move, static_cast<std::int32_t>(node.g), node.h, {node.h, 0}}, node.state);
        }
    }

    const Domain& domain_;
    const Heuristic<State>& h_;
    std::uint64_t width_;
    Meter& meter_;
    Observer& observer_;
    Stats stats_;
    Nodes<State> nodes_;
};

}  // namespace tilewise
