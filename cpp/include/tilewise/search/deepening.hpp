// Depth-first iterative deepening: the twin of search/deepening.py, for every heuristic and
// observer. The stack is an array of frames, so depth does not depend on the machine's stack.
#pragma once

#include <cstdint>
#include <vector>

#include "tilewise/heuristics/heuristic.hpp"
#include "tilewise/meter.hpp"
#include "tilewise/observers.hpp"

namespace tilewise {

template <PuzzleDomain Domain, SearchObserver Observer>
class Deepening {
public:
    using State = typename Domain::State;

    Deepening(const Domain& domain, const Heuristic<State>& h, Meter& meter, Observer& observer)
        : domain_(domain), h_(h), meter_(meter), observer_(observer) {}

    Outcome run() {
        stats_.peak_stored = 1;
        const int root_h = h_(domain_.start());
        root_ = {domain_.start(), root_h, 0, domain_.start_blank(), no_move, 0};
        path_.assign(1, root_);
        tell(Kind::start, root_, -1, root_h);
        for (int bound = root_h;;) {
            ++stats_.iterations;
            stats_.bound = static_cast<std::uint64_t>(bound);
            expanded_before_ = stats_.expanded;
            path_.assign(1, root_);
            tell(Kind::bound, root_, -1, bound);
            if (domain_.start() == domain_.goal()) return end(Status::solved);
            ++stats_.expanded;
            tell(Kind::expand, root_, -1, root_h);
            const int next = probe(bound);
            if (next == found) return end(Status::solved);
            if (next == stopped) return end(meter_.status());
            if (next == nothing_above) {
                path_.assign(1, root_);
                return end(Status::unsolvable);
            }
            bound = next;
        }
    }

private:
    static constexpr int found = -1;
    static constexpr int stopped = -2;
    static constexpr int nothing_above = INT32_MAX;

    struct Frame {
        State state;
        int h;
        std::uint64_t number;
        std::uint8_t blank;
        Move move;
        std::uint8_t next_slide;
    };

    // One pass below a bound; the least f above it, or found or stopped.
    int probe(int bound) {
        int least_above = nothing_above;
        while (!path_.empty()) {
            Frame& top = path_.back();
            const auto& slides = domain_.slides(top.blank);
            while (top.next_slide < slides.size() && is_back(slides[top.next_slide].move, top.move)) ++top.next_slide;
            if (top.next_slide == slides.size()) {
                path_.pop_back();
                continue;
            }
            if (stats_.generated == meter_.pause() && meter_.stop(stats_)) return stopped;
            const Slide slide = slides[top.next_slide++];
            ++stats_.generated;
            const auto g = static_cast<int>(path_.size());
            Frame child{top.state.slid(top.blank, slide.target), 0, stats_.generated, slide.target, slide.move, 0};
            child.h = h_(child.state);
            const int f = g + child.h;
            const auto parent = static_cast<std::int64_t>(top.number);
            tell(Kind::generate, child, parent, f, g);
            if (f > bound) {
                if (f < least_above) least_above = f;
                continue;
            }
            if (static_cast<std::uint64_t>(g) > stats_.max_depth) {
                stats_.max_depth = static_cast<std::uint64_t>(g);
                stats_.peak_stored = stats_.max_depth + 1;
            }
            path_.push_back(child);
            if (child.state == domain_.goal()) return found;
            ++stats_.expanded;
            tell(Kind::expand, child, parent, f, g);
        }
        return least_above;
    }

    static bool is_back(Move move, Move last) { return last != no_move && move == opposite(last); }

    Outcome end(Status status) {
        const Frame& last = path_.back();
        const std::int64_t parent = path_.size() > 1 ? static_cast<std::int64_t>(path_[path_.size() - 2].number) : -1;
        const auto g = static_cast<int>(path_.size()) - 1;
        Outcome outcome;
        outcome.status = status;
        if (status == Status::solved) {
            stats_.expanded_below_cost = expanded_before_;
            for (std::size_t i = 1; i < path_.size(); ++i) outcome.moves.push_back(path_[i].move);
            tell(Kind::goal, last, parent, g + last.h, g);
        }
        tell(Kind::stop, last, parent, g + last.h, g);
        stats_.peak_memory = path_.capacity() * sizeof(Frame);
        outcome.stats = stats_;
        return outcome;
    }

    void tell(Kind kind, const Frame& frame, std::int64_t parent, int priority, int g = 0) {
        if constexpr (Observer::watching) {
            observer_({kind, static_cast<std::int64_t>(frame.number), parent, frame.move, g, frame.h, {priority, 0}},
                      frame.state);
        }
    }

    const Domain& domain_;
    const Heuristic<State>& h_;
    Meter& meter_;
    Observer& observer_;
    Stats stats_;
    Frame root_{};
    std::vector<Frame> path_;
    std::uint64_t expanded_before_ = 0;
};

}  // namespace tilewise
