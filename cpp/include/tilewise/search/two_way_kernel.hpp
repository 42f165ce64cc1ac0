// IDA* with pattern databases that are looked up in two ways, by tiles and by cells, unobserved.
//
// As in maximum_kernel.hpp, the sum that is the largest at a node is looked up first, for all of its
// successors together, and only a successor that it leaves has the others looked up.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "tilewise/patterns/cell_patterns.hpp"
#include "tilewise/patterns/followed.hpp"
#include "tilewise/search/automaton.hpp"
#include "tilewise/search/kernel.hpp"
#include "tilewise/search/pattern_walk.hpp"

namespace tilewise {

// `Groups` and `Views` are the numbers of sums by tiles and by cells, or 0 where they are known at run
// time only.
template <class Index, int Groups, int Views, bool Pruned, PuzzleDomain Domain>
class TwoWayKernel : public PatternWalk<TwoWayKernel<Index, Groups, Views, Pruned, Domain>, Pruned, Domain> {
    using Walk = PatternWalk<TwoWayKernel, Pruned, Domain>;
    friend Walk;

public:
    TwoWayKernel(const Domain& domain, const FollowedPatterns<Index>& by_tiles, std::size_t groups,
                 const CellPatterns<Index>& by_cells, const MoveAutomaton* automaton, Meter& meter)
        : Walk(domain, automaton, meter), by_tiles_(by_tiles), groups_(groups), by_cells_(by_cells) {}

    int h() const { return *std::max_element(root_.sums.begin(), root_.sums.begin() + static_cast<std::ptrdiff_t>(all())); }

private:
    using Cells = CellPatterns<Index>;
    using Place = typename Index::Place;
    using typename Walk::Word;
    using Walk::automaton_;
    using Walk::board_;
    using Walk::bound_;
    using Walk::least_above_;
    using Walk::stats_;

    static constexpr std::size_t most_groups = Groups > 0 ? Groups : FollowedPatterns<Index>::most_groups;
    static constexpr std::size_t most_views = Views > 0 ? Views : Cells::most_views;
    // Sums by tiles, then sums by cells.
    using Sums = std::array<std::int16_t, most_groups + most_views>;
    using Entries = std::array<std::uint8_t, Cells::most_patterns>;

    struct Node {
        Sums sums;
        std::array<Entries, most_views> entries;  // of the sums by cells
    };
    struct Child : Node {
        std::array<Place, most_groups> place;
        std::array<std::array<const std::uint8_t*, Cells::most_patterns>, most_views> entry;
        int f = 0;
        int tile = 0;
        Word word = MoveAutomaton::begin;
        bool cut = false;
    };

    std::size_t groups() const { return Groups > 0 ? Groups : groups_; }
    std::size_t views() const { return Views > 0 ? Views : by_cells_.views(); }
    std::size_t all() const { return groups() + views(); }

    void look_up_all() {
        std::size_t i = 0;
        for (std::size_t group = 0; group < groups(); ++group) {
            int sum = 0;
            for (; i < by_tiles_.end(group); ++i) {
                place_[i] = by_tiles_.start(i, board_.data());
                value_[i] = *place_[i].value;
                sum += value_[i];
            }
            root_.sums[group] = static_cast<std::int16_t>(sum);
        }
        for (std::size_t view = 0; view < views(); ++view) {
            int sum = 0;
            for (std::size_t i = 0; i < by_cells_.patterns(this->blank_, view); ++i) {
                root_.entries[view][i] = *by_cells_.at(this->blank_, view, i, board_.data());
                sum += root_.entries[view][i];
            }
            root_.sums[groups() + view] = static_cast<std::int16_t>(sum);
        }
    }

    // Find where the entries of a sum are that a child changes, and ask for their memory.
    void ask_for(Child& child, std::size_t sum, int blank, Slide slide) {
        if (sum < groups()) {
            const std::size_t lookup = by_tiles_.template which<Groups>(sum, child.tile);
            child.place[sum] = by_tiles_.template moved<Groups>(sum, lookup, place_[lookup], child.tile, blank, slide);
            prefetched(child.place[sum].value);
            return;
        }
        const std::size_t view = sum - groups();
        for (unsigned changed = by_cells_.changed(blank, slide.move, view); changed != 0; changed &= changed - 1) {
            const auto i = static_cast<std::size_t>(std::countr_zero(changed));
            child.entry[view][i] = by_cells_.at(slide.target, view, i, board_.data());
            prefetched(child.entry[view][i]);
        }
    }

    int sum_of(Child& child, const Node& node, std::size_t sum, int blank, Slide slide) const {
        int made = node.sums[sum];
        if (sum < groups()) {
            made += *child.place[sum].value - value_[by_tiles_.template which<Groups>(sum, child.tile)];
        } else {
            const std::size_t view = sum - groups();
            child.entries[view] = node.entries[view];
            for (unsigned changed = by_cells_.changed(blank, slide.move, view); changed != 0; changed &= changed - 1) {
                const auto i = static_cast<std::size_t>(std::countr_zero(changed));
                made += *child.entry[view][i] - node.entries[view][i];
                child.entries[view][i] = *child.entry[view][i];
            }
        }
        child.sums[sum] = static_cast<std::int16_t>(made);
        return made;
    }

    bool visit_placed(int g) { return visit(root_, this->blank_, this->last_, this->word_, g); }

    // Expand the node on the board, whose successors are at depth g.
    bool visit(const Node& node, int blank, Move last, Word word, int g) {
        ++stats_->expanded;
        const auto& slides = this->slides_after(blank, last);
        std::array<Child, 4> children;
        evaluate(children, node, blank, slides, word, g);
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
    void evaluate(std::array<Child, 4>& children, const Node& node, int blank, const Slides& slides, Word word, int g) {
        const auto largest = std::max_element(node.sums.begin(), node.sums.begin() + static_cast<std::ptrdiff_t>(all()));
        const auto first = static_cast<std::size_t>(largest - node.sums.begin());
        const bool next_is_known = least_above_ == bound_ + 2;  // no f lies between the bounds
        // the cell that the blank comes to is in no pattern then, so the board needs one change only
        const auto with_tile = [&](const Child& child, auto ask) {
            board_[static_cast<std::size_t>(blank)] = static_cast<std::uint8_t>(child.tile);
            ask();
            board_[static_cast<std::size_t>(blank)] = 0;
        };
        for (std::size_t i = 0; i < slides.size(); ++i) {
            Child& child = children[i];
            if constexpr (Pruned) {
                child.word = automaton_->after(word, slides[i].move);
                child.cut = child.word == MoveAutomaton::forbidden;
                if (child.cut) continue;
            }
            child.tile = board_[slides[i].target];
            with_tile(child, [&] { ask_for(child, first, blank, slides[i]); });
        }
        for (std::size_t i = 0; i < slides.size(); ++i) {
            Child& child = children[i];
            if (Pruned && child.cut) continue;
            child.f = g + sum_of(child, node, first, blank, slides[i]);
            child.cut = child.f > bound_ && next_is_known;
            if (child.cut) continue;
            with_tile(child, [&] {
                for (std::size_t sum = 0; sum < all(); ++sum) {
                    if (sum != first) ask_for(child, sum, blank, slides[i]);
                }
            });
        }
        for (std::size_t i = 0; i < slides.size(); ++i) {
            Child& child = children[i];
            if (child.cut) continue;
            for (std::size_t sum = 0; sum < all(); ++sum) {
                if (sum != first) child.f = std::max(child.f, g + sum_of(child, node, sum, blank, slides[i]));
            }
            child.cut = child.f > bound_;
            if (child.cut) least_above_ = std::min(least_above_, child.f);
        }
    }

    bool enter(const Child& child, int blank, Slide slide, int g) {
        if (this->step(slide.move, g, child.f - g)) return true;
        std::array<Place, most_groups> places;
        std::array<std::uint8_t, most_groups> values;
        for (std::size_t group = 0; group < groups(); ++group) {
            const std::size_t lookup = by_tiles_.template which<Groups>(group, child.tile);
            places[group] = place_[lookup];
            values[group] = value_[lookup];
            place_[lookup] = child.place[group];
            value_[lookup] = *child.place[group].value;
        }
        this->slide_tile(blank, slide);
        const bool over = visit(child, slide.target, slide.move, child.word, g + 1);
        this->slide_tile(blank, slide);
        for (std::size_t group = 0; group < groups(); ++group) {
            const std::size_t lookup = by_tiles_.template which<Groups>(group, child.tile);
            place_[lookup] = places[group];
            value_[lookup] = values[group];
        }
        return over;
    }

    const FollowedPatterns<Index>& by_tiles_;
    std::size_t groups_;
    const CellPatterns<Index>& by_cells_;
    std::array<Place, FollowedPatterns<Index>::most_lookups> place_{};
    std::array<std::uint8_t, FollowedPatterns<Index>::most_lookups> value_{};
    Node root_{};
};
static_assert(Kernel<TwoWayKernel<CompactIndex, 0, 0, true, Domain<RuntimeShape, ByteState<25>>>>);
static_assert(Kernel<TwoWayKernel<SparseIndex, 2, 2, false, Domain<RuntimeShape, ByteState<25>>>>);

}  // namespace tilewise
