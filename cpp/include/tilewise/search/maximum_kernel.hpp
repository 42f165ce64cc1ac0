// IDA* with the largest of several sums of pattern databases, unobserved: lazy look-ups.
//
// A move touches one pattern of each sum. The sum that is the largest at a node is the most likely to
// exceed the bound at its successors, so it is looked up first, for all of them together; only a
// successor that it leaves has the others looked up, again together, so that none waits for the
// memory of another. A successor is cut off as soon as one sum exceeds the bound, unless the next
// bound is still open.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "tilewise/patterns/followed.hpp"
#include "tilewise/search/automaton.hpp"
#include "tilewise/search/kernel.hpp"
#include "tilewise/search/pattern_walk.hpp"
#include "tilewise/search/stored_values.hpp"

namespace tilewise {

// `Groups` is the number of sums, or 0 where it is known at run time only.
template <class Index, int Groups, bool Pruned, PuzzleDomain Domain>
class MaximumKernel : public PatternWalk<MaximumKernel<Index, Groups, Pruned, Domain>, Pruned, Domain> {
    using Walk = PatternWalk<MaximumKernel, Pruned, Domain>;
    friend Walk;

public:
    MaximumKernel(const Domain& domain, const FollowedPatterns<Index>& patterns, std::size_t groups,
                  const MoveAutomaton* automaton, Meter& meter)
        : Walk(domain, automaton, meter), patterns_(patterns), groups_(groups) {}

    int h() const { return *std::max_element(sums_.begin(), sums_.begin() + static_cast<std::ptrdiff_t>(groups())); }

private:
    static constexpr std::size_t most = Groups > 0 ? Groups : FollowedPatterns<Index>::most_groups;
    using Place = typename Index::Place;
    using Sums = std::array<std::int16_t, most>;
    using typename Walk::Word;
    using Walk::automaton_;
    using Walk::board_;
    using Walk::bound_;
    using Walk::least_above_;
    using Walk::stats_;

    struct Child {
        std::array<Place, most> place;
        Sums sums;
        int f = 0;
        int tile = 0;
        Word word = MoveAutomaton::begin;
        bool cut = false;
    };

    std::size_t groups() const {
        if constexpr (Groups > 0) return Groups;
        return groups_;
    }

    void look_up_all() {
        std::size_t i = 0;
        for (std::size_t group = 0; group < groups(); ++group) {
            sums_[group] = 0;
            for (; i < patterns_.end(group); ++i) {
                place_[i] = patterns_.start(i, board_.data());
                value_[i] = *place_[i].value;
                sums_[group] = static_cast<std::int16_t>(sums_[group] + value_[i]);
            }
        }
    }

    void take_over(const FollowedNodes<Index>& nodes, std::uint32_t number) {
        std::copy_n(nodes.places(number), nodes.lookups(), place_.begin());
        std::copy_n(nodes.sums(number), groups(), sums_.begin());
        for (std::size_t i = 0; i < nodes.lookups(); ++i) value_[i] = *place_[i].value;
    }

    // Follow the pattern of a sum that has the tile of a child.
    void follow(Child& child, std::size_t group, int blank, Slide slide) const {
        const std::size_t lookup = patterns_.which(group, child.tile);
        child.place[group] = patterns_.moved(group, lookup, place_[lookup], child.tile, blank, slide);
        prefetched(child.place[group].value);
    }

    int sum_of(Child& child, const Sums& sums, std::size_t group) const {
        const int sum = sums[group] - value_[patterns_.which(group, child.tile)] + *child.place[group].value;
        child.sums[group] = static_cast<std::int16_t>(sum);
        return sum;
    }

    bool visit_placed(int g) { return visit(sums_, this->blank_, this->last_, this->word_, g); }

    // Expand the node on the board, whose successors are at depth g.
    bool visit(const Sums& sums, int blank, Move last, Word word, int g) {
        ++stats_->expanded;
        const auto& slides = this->slides_after(blank, last);
        std::array<Child, 4> children;
        evaluate(children, sums, blank, slides, word, g);
        for (std::size_t i = 0; i < slides.size(); ++i) {
            if constexpr (Pruned) {
                if (children[i].word == MoveAutomaton::forbidden) continue;
            }
            if (this->over_before_next()) return true;
            if (!children[i].cut && enter(children[i], blank, slides[i], g)) return true;
        }
        return false;
    }

    template <class Slides>
    void evaluate(std::array<Child, 4>& children, const Sums& sums, int blank, const Slides& slides, Word word, int g) {
        const auto largest = std::max_element(sums.begin(), sums.begin() + static_cast<std::ptrdiff_t>(groups()));
        const auto first = static_cast<std::size_t>(largest - sums.begin());
        const bool next_is_known = least_above_ == bound_ + 2;  // no f lies between the bounds
        for (std::size_t i = 0; i < slides.size(); ++i) {
            Child& child = children[i];
            if constexpr (Pruned) {
                child.word = automaton_->after(word, slides[i].move);
                child.cut = child.word == MoveAutomaton::forbidden;
                if (child.cut) continue;
            }
            child.tile = board_[slides[i].target];
            follow(child, first, blank, slides[i]);
        }
        for (std::size_t i = 0; i < slides.size(); ++i) {
            Child& child = children[i];
            if (Pruned && child.cut) continue;
            child.f = g + sum_of(child, sums, first);
            child.cut = child.f > bound_ && next_is_known;
            if (child.cut) continue;
            for (std::size_t group = 0; group < groups(); ++group) {
                if (group != first) follow(child, group, blank, slides[i]);
            }
        }
        for (std::size_t i = 0; i < slides.size(); ++i) {
            Child& child = children[i];
            if (child.cut) continue;
            for (std::size_t group = 0; group < groups(); ++group) {
                if (group != first) child.f = std::max(child.f, g + sum_of(child, sums, group));
            }
            child.cut = child.f > bound_;
            if (child.cut) least_above_ = std::min(least_above_, child.f);
        }
    }

    bool enter(const Child& child, int blank, Slide slide, int g) {
        if (this->step(slide.move, g, child.f - g)) return true;
        std::array<Place, most> places;
        std::array<std::uint8_t, most> values;
        for (std::size_t group = 0; group < groups(); ++group) {
            const std::size_t lookup = patterns_.which(group, child.tile);
            places[group] = place_[lookup];
            values[group] = value_[lookup];
            place_[lookup] = child.place[group];
            value_[lookup] = *child.place[group].value;
        }
        this->slide_tile(blank, slide);
        const bool over = visit(child.sums, slide.target, slide.move, child.word, g + 1);
        this->slide_tile(blank, slide);
        for (std::size_t group = 0; group < groups(); ++group) {
            const std::size_t lookup = patterns_.which(group, child.tile);
            place_[lookup] = places[group];
            value_[lookup] = values[group];
        }
        return over;
    }

    const FollowedPatterns<Index>& patterns_;
    std::size_t groups_;
    std::array<Place, FollowedPatterns<Index>::most_lookups> place_{};
    std::array<std::uint8_t, FollowedPatterns<Index>::most_lookups> value_{};
    Sums sums_{};
};
static_assert(Kernel<MaximumKernel<CompactIndex, 0, true, Domain<RuntimeShape, ByteState<25>>>>);
static_assert(Kernel<MaximumKernel<SparseIndex, 8, false, Domain<RuntimeShape, ByteState<25>>>>);

}  // namespace tilewise
