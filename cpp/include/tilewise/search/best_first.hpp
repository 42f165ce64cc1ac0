// Best-first search: the twin of search/best_first.py under the default rules.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "tilewise/heuristics/heuristic.hpp"
#include "tilewise/meter.hpp"
#include "tilewise/observers.hpp"
#include "tilewise/search/frontiers.hpp"
#include "tilewise/search/nodes.hpp"

namespace tilewise {

// priority = for_g * g + for_h * h; all whole numbers, so no order depends on rounding.
struct Priority {
    std::int64_t for_g;
    std::int64_t for_h;
    bool reopen;
    std::int64_t operator()(std::int64_t g, std::int64_t h) const { return for_g * g + for_h * h; }
};

template <PuzzleDomain Domain, OpenList Frontier, SearchObserver Observer>
class BestFirst {
public:
    using State = typename Domain::State;

    BestFirst(const Domain& domain, const Heuristic<State>& h, Priority priority, Meter& meter, Observer& observer)
        : domain_(domain), h_(h), priority_(priority), meter_(meter), observer_(observer), nodes_(meter) {}

    Outcome run() {
        const int root_h = h_(domain_.start());
        const std::uint64_t identity = domain_.start().identity();
        nodes_.add(
            nodes_.slot_of(domain_.start(), identity), identity,
            {domain_.start(), no_node, 0, static_cast<std::uint16_t>(root_h), domain_.start_blank(), no_move, false, false});
        states_ = 1;
        frontier_.push(0, priority_(0, root_h), root_h);
        tell(Kind::start, 0);
        while (frontier_.size() > 0) {
            current_ = frontier_.pop();
            if (nodes_[current_].superseded) {  // a cheaper copy was pushed later
                tell(Kind::stale, current_);
                continue;
            }
            if (nodes_[current_].state == domain_.goal()) return end(Status::solved);
            nodes_[current_].closed = true;
            tell(Kind::expand, current_);
            count_expansion();
            if (!expand()) return end(meter_.status());
            if (frontier_.size() > stats_.max_frontier) stats_.max_frontier = frontier_.size();
        }
        current_ = 0;
        return end(Status::unsolvable);
    }

private:
    struct Child {
        State state;
        std::uint64_t identity;
        Slide slide;
    };

    // Make the successors of the current node; false when a limit stops it. Their slots are
    // loaded together before the first is looked at.
    bool expand() {
        if (!nodes_.has_room_for_successors() && !nodes_.make_room()) return false;
        const Node<State>& node = nodes_[current_];
        const auto& slides = domain_.slides(node.blank);
        std::array<Child, 4> children;
        const std::size_t count = std::min(children.size(), slides.size());
        for (std::size_t i = 0; i < count; ++i) {
            const State state = node.state.slid(node.blank, slides[i].target);
            children[i] = {state, state.identity(), slides[i]};
            nodes_.prefetch(children[i].identity);
        }
        for (std::size_t i = 0; i < count; ++i) {
            if (stats_.generated == meter_.pause() && meter_.stop(stats_)) return false;
            ++stats_.generated;
            generate(children[Frontier::pushes_reversed ? count - 1 - i : i], node.g + 1);
        }
        return true;
    }

    void generate(const Child& child, std::uint32_t g) {
        auto& slot = nodes_.slot_of(child.state, child.identity);
        const std::uint32_t known = slot.node();
        Kind kind = Kind::generate;
        int h = 0;
        if (slot.is_empty()) {
            h = h_(child.state);
            ++states_;
        } else {
            if (!priority_.reopen || slot.g <= g) {
                ++stats_.duplicates;
                if constexpr (Observer::watching) {
                    h = nodes_[known].h;
                    observer_({Kind::duplicate, known, current_, child.slide.move, static_cast<std::int32_t>(g), h, key(g, h)},
                              child.state);
                }
                return;
            }
            h = nodes_[known].h;
            if (nodes_[known].closed) {  // a cheaper path to an expanded state
                ++stats_.reopened;
                kind = Kind::reopen;
            } else {
                nodes_[known].superseded = true;
            }
        }
        const std::uint32_t number = nodes_.size();
        nodes_.add(slot, child.identity,
                   {child.state, current_, g, static_cast<std::uint16_t>(h), child.slide.target, child.slide.move, false, false});
        frontier_.push(number, priority_(g, h), h);
        ++stats_.stored;
        if (g > stats_.max_depth) stats_.max_depth = g;
        tell(kind, number);
    }

    void count_expansion() {
        ++stats_.expanded;
        stats_.bound = static_cast<std::uint64_t>(priority_(nodes_[current_].g, nodes_[current_].h));
        const std::size_t f = nodes_[current_].g + nodes_[current_].h;
        if (f >= expanded_with_f_.size()) expanded_with_f_.resize(f + 1);
        ++expanded_with_f_[f];
    }

    Outcome end(Status status) {
        Outcome outcome;
        outcome.status = status;
        stats_.peak_stored = states_;
        stats_.peak_memory = nodes_.bytes() + frontier_.bytes();
        if (status == Status::solved) {
            for (std::size_t f = 0; f < expanded_with_f_.size() && f < nodes_[current_].g; ++f)
                stats_.expanded_below_cost += expanded_with_f_[f];
            outcome.moves = nodes_.path_to(current_);
            tell(Kind::goal, current_);
        }
        tell(Kind::stop, current_);
        outcome.stats = stats_;
        return outcome;
    }

    Key key(std::int64_t g, std::int64_t h) const { return {priority_(g, h), h}; }

    void tell(Kind kind, std::uint32_t number) {
        if constexpr (Observer::watching) {
            const Node<State>& node = nodes_[number];
            const std::int64_t parent = node.parent == no_node ? -1 : static_cast<std::int64_t>(node.parent);
            observer_({kind, number, parent, node.move, static_cast<std::int32_t>(node.g), node.h, key(node.g, node.h)},
                      node.state);
        }
    }

    const Domain& domain_;
    const Heuristic<State>& h_;
    Priority priority_;
    Meter& meter_;
    Observer& observer_;
    Stats stats_;
    Nodes<State> nodes_;
    Frontier frontier_;
    std::uint32_t current_ = 0;
    std::uint64_t states_ = 0;
    std::vector<std::uint64_t> expanded_with_f_;
};

}  // namespace tilewise
