// The passes of IDA* with any heuristic, unobserved.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tilewise/heuristics/heuristic.hpp"
#include "tilewise/meter.hpp"
#include "tilewise/search/automaton.hpp"
#include "tilewise/search/kernel.hpp"

namespace tilewise {

template <PuzzleDomain Domain>
class PlainKernel {
public:
    using State = typename Domain::State;

    PlainKernel(const Domain& domain, const Heuristic<State>& h, const MoveAutomaton* automaton, Meter& meter)
        : domain_(domain), heuristic_(h), automaton_(automaton), meter_(meter) {}

    void place(const std::vector<Move>& moves) {
        root_ = {domain_.start(), domain_.start_blank(), no_move, MoveAutomaton::begin};
        for (const Move move : moves) {
            for (const Slide slide : domain_.slides(root_.blank)) {
                if (slide.move != move) continue;
                root_ = after(root_, slide);
                break;
            }
        }
        path_ = moves;
    }

    // Put a stored node in place, as PatternWalk does.
    template <class Node, class Values>
    void place(const Node& node, const Values&, std::uint32_t) {
        root_ = {node.state, node.blank, node.last, node.word};
        path_.assign(node.g, no_move);
    }

    int h() const { return heuristic_(root_.state); }
    bool at_goal() const { return root_.state == domain_.goal(); }

    bool pass(int bound, Stats& stats) {
        bound_ = bound;
        least_above_ = INT32_MAX;
        least_h_ = INT32_MAX;
        found_ = false;
        stats_ = &stats;
        const std::size_t depth = path_.size();
        const bool over = visit(root_);
        if (!found_) path_.resize(depth);
        return over;
    }

    int least_above() const { return least_above_; }
    int least_h() const { return least_h_; }
    bool found() const { return found_; }
    const std::vector<Move>& moves() const { return path_; }

private:
    struct Node {
        State state;
        std::uint8_t blank;
        Move last;
        MoveAutomaton::State word;
    };

    Node after(const Node& node, Slide slide) const {
        return {node.state.slid(node.blank, slide.target), slide.target, slide.move,
                automaton_ == nullptr ? MoveAutomaton::begin : automaton_->after(node.word, slide.move)};
    }

    bool visit(const Node& node) {
        ++stats_->expanded;
        for (const Slide slide : domain_.slides(node.blank)) {
            if (node.last != no_move && slide.move == opposite(node.last)) continue;
            const Node child = after(node, slide);
            if (child.word == MoveAutomaton::forbidden) continue;
            if (stats_->generated == meter_.pause() && meter_.stop(*stats_)) return true;
            ++stats_->generated;
            const int h = heuristic_(child.state);
            const int f = static_cast<int>(path_.size()) + 1 + h;
            if (f > bound_) {
                least_above_ = std::min(least_above_, f);
                continue;
            }
            least_h_ = std::min(least_h_, h);
            path_.push_back(slide.move);
            stats_->max_depth = std::max<std::uint64_t>(stats_->max_depth, path_.size());
            found_ = child.state == domain_.goal();
            if (found_ || visit(child)) return true;
            path_.pop_back();
        }
        return false;
    }

    const Domain& domain_;
    const Heuristic<State>& heuristic_;
    const MoveAutomaton* automaton_;
    Meter& meter_;
    Stats* stats_ = nullptr;
    Node root_{};
    int bound_ = 0;
    int least_above_ = 0;
    int least_h_ = INT32_MAX;
    bool found_ = false;
    std::vector<Move> path_;
};
static_assert(Kernel<PlainKernel<Domain<RuntimeShape, PackedState>>>);

}  // namespace tilewise
