// IDA* with pattern databases at full speed: the same passes as those of Deepening, unobserved.
//
// One board is changed and changed back. A move touches one pattern of each sum, so only its index
// is followed and only its value looked up. The indices of all successors are followed before the
// first is looked up, so that one does not wait for the memory of another; and where the first sum
// exceeds the bound, the second is not looked up, unless the next bound is still open.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "tilewise/patterns/followed.hpp"
#include "tilewise/search/automaton.hpp"
#include "tilewise/search/kernel.hpp"
#include "tilewise/search/pattern_walk.hpp"
#include "tilewise/search/stored_values.hpp"

namespace tilewise {

template <class Index, int Groups, bool Pruned, PuzzleDomain Domain>
class PatternKernel : public PatternWalk<PatternKernel<Index, Groups, Pruned, Domain>, Pruned, Domain> {
    using Walk = PatternWalk<PatternKernel, Pruned, Domain>;
    friend Walk;

public:
    PatternKernel(const Domain& domain, const FollowedPatterns<Index>& patterns, const MoveAutomaton* automaton, Meter& meter)
        : Walk(domain, automaton, meter), patterns_(patterns) {}

    int h() const { return Groups == 1 ? sums_[0] : std::max(sums_[0], sums_[Groups - 1]); }

private:
    using Place = typename Index::Place;
    using Sums = std::array<int, Groups>;
    using typename Walk::Word;
    using Walk::automaton_;
    using Walk::board_;
    using Walk::bound_;
    using Walk::least_above_;
    using Walk::stats_;

    struct Child {
        std::array<Place, Groups> place;
        std::array<std::size_t, Groups> lookup;
        Sums rest;  // what the other patterns of each sum add
        Word word = MoveAutomaton::begin;
    };

    void look_up_all() {
        std::size_t i = 0;
        for (std::size_t group = 0; group < Groups; ++group) {
            sums_[group] = 0;
            for (; i < patterns_.end(group); ++i) {
                place_[i] = patterns_.start(i, board_.data());
                sums_[group] += *place_[i].value;
            }
        }
    }

    void take_over(const FollowedNodes<Index>& nodes, std::uint32_t number) {
        std::copy_n(nodes.places(number), nodes.lookups(), place_.begin());
        std::copy_n(nodes.sums(number), Groups, sums_.begin());
    }

    // Where the patterns of the tile on a cell are after it slid to the blank.
    void follow(Child& child, const Sums& sums, int blank, Slide slide) const {
        const int tile = board_[slide.target];
        for (std::size_t group = 0; group < Groups; ++group) {
            const std::size_t lookup = patterns_.template which<Groups>(group, tile);
            child.lookup[group] = lookup;
            child.rest[group] = sums[group] - *place_[lookup].value;
            child.place[group] = patterns_.template moved<Groups>(group, lookup, place_[lookup], tile, blank, slide);
            prefetched(child.place[group].value);
        }
    }

    bool visit_placed(int g) { return visit(sums_, this->blank_, this->last_, this->word_, g); }

    // Expand the node on the board, whose successors are at depth g.
    bool visit(Sums sums, int blank, Move last, Word word, int g) {
        ++stats_->expanded;
        const auto& slides = this->slides_after(blank, last);
        std::array<Child, 4> children;
        for (std::size_t i = 0; i < slides.size(); ++i) {
            if constexpr (Pruned) {
                children[i].word = automaton_->after(word, slides[i].move);
                if (children[i].word == MoveAutomaton::forbidden) continue;
            }
            follow(children[i], sums, blank, slides[i]);
        }
        for (std::size_t i = 0; i < slides.size(); ++i) {
            if constexpr (Pruned) {
                if (children[i].word == MoveAutomaton::forbidden) continue;
            }
            if (this->over_before_next()) return true;
            if (try_child(children[i], blank, slides[i], g)) return true;
        }
        return false;
    }

    bool try_child(const Child& child, int blank, Slide slide, int g) {
        Sums sums;
        int most = 0;
        for (std::size_t group = 0; group < Groups; ++group) {
            sums[group] = child.rest[group] + *child.place[group].value;
            most = std::max(most, sums[group]);
            if (g + most > bound_ && least_above_ == bound_ + 2) return false;
        }
        if (g + most > bound_) {
            least_above_ = std::min(least_above_, g + most);
            return false;
        }
        if (this->step(slide.move, g, most)) return true;
        std::array<Place, Groups> before;
        for (std::size_t group = 0; group < Groups; ++group)
            before[group] = std::exchange(place_[child.lookup[group]], child.place[group]);
        this->slide_tile(blank, slide);
        const bool over = visit(sums, slide.target, slide.move, child.word, g + 1);
        this->slide_tile(blank, slide);
        for (std::size_t group = 0; group < Groups; ++group) place_[child.lookup[group]] = before[group];
        return over;
    }

    const FollowedPatterns<Index>& patterns_;
    std::array<Place, FollowedPatterns<Index>::most_lookups> place_{};
    Sums sums_{};
};
static_assert(Kernel<PatternKernel<CompactIndex, 1, true, Domain<RuntimeShape, ByteState<25>>>>);
static_assert(Kernel<PatternKernel<SparseIndex, 2, false, Domain<RuntimeShape, ByteState<25>>>>);

}  // namespace tilewise
