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

#include "tilewise/meter.hpp"
#include "tilewise/patterns/followed.hpp"
#include "tilewise/search/automaton.hpp"
#include "tilewise/search/kernel.hpp"

namespace tilewise {

template <class Index, int Groups, bool Pruned, PuzzleDomain Domain>
class PatternKernel {
public:
    PatternKernel(const Domain& domain, const FollowedPatterns<Index>& patterns, const MoveAutomaton* automaton, Meter& meter)
        : domain_(domain), forward_(domain), patterns_(patterns), automaton_(automaton), meter_(meter) {}

    void place(const std::vector<Move>& moves) {
        typename Domain::State state = domain_.start();
        blank_ = domain_.start_blank();
        last_ = no_move;
        word_ = MoveAutomaton::begin;
        for (const Move move : moves) {
            for (const Slide slide : domain_.slides(blank_)) {
                if (slide.move != move) continue;
                state = state.slid(blank_, slide.target);
                blank_ = slide.target;
                break;
            }
            last_ = move;
            if constexpr (Pruned) word_ = automaton_->after(word_, move);
        }
        for (int cell = 0; cell < domain_.shape().cells(); ++cell)
            board_[static_cast<std::size_t>(cell)] = static_cast<std::uint8_t>(state.tile(cell));
        path_ = moves;
        look_up_all();
    }

    int h() const { return Groups == 1 ? sums_[0] : std::max(sums_[0], sums_[Groups - 1]); }

    bool at_goal() const { return h() == 0; }

    bool pass(int bound, Stats& stats) {
        bound_ = bound;
        least_above_ = INT32_MAX;
        found_ = false;
        stats_ = &stats;
        const auto depth = static_cast<int>(path_.size());
        path_.resize(static_cast<std::size_t>(std::max(bound, depth)) + 1, no_move);
        const bool over = visit(sums_, blank_, last_, word_, depth + 1);
        path_.resize(static_cast<std::size_t>(found_ ? found_at_ : depth));
        return over;
    }

    int least_above() const { return least_above_; }
    bool found() const { return found_; }
    const std::vector<Move>& moves() const { return path_; }

private:
    using Place = typename Index::Place;
    using Sums = std::array<int, Groups>;
    using Word = MoveAutomaton::State;

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

    // Where the patterns of the tile on a cell are after it slid to the blank.
    void follow(Child& child, const Sums& sums, int blank, Slide slide) const {
        const int tile = board_[slide.target];
        for (std::size_t group = 0; group < Groups; ++group) {
            const std::size_t lookup = patterns_.which(group, tile);
            child.lookup[group] = lookup;
            child.rest[group] = sums[group] - *place_[lookup].value;
            child.place[group] = patterns_.moved(group, lookup, place_[lookup], tile, blank, slide);
            prefetched(child.place[group].value);
        }
    }

    // Expand the node on the board, whose successors are at depth g.
    bool visit(Sums sums, int blank, Move last, Word word, int g) {
        ++stats_->expanded;
        const auto& slides = last == no_move ? domain_.slides(blank) : forward_(blank, last);
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
            if (stats_->generated == meter_.pause() && meter_.stop(*stats_)) return true;
            ++stats_->generated;
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
        if (static_cast<std::uint64_t>(g) > stats_->max_depth) stats_->max_depth = static_cast<std::uint64_t>(g);
        path_[static_cast<std::size_t>(g) - 1] = slide.move;
        if (most == 0) {
            found_ = true;
            found_at_ = g;
            return true;
        }
        std::array<Place, Groups> before;
        for (std::size_t group = 0; group < Groups; ++group)
            before[group] = std::exchange(place_[child.lookup[group]], child.place[group]);
        std::swap(board_[static_cast<std::size_t>(blank)], board_[slide.target]);
        const bool over = visit(sums, slide.target, slide.move, child.word, g + 1);
        std::swap(board_[static_cast<std::size_t>(blank)], board_[slide.target]);
        for (std::size_t group = 0; group < Groups; ++group) place_[child.lookup[group]] = before[group];
        return over;
    }

    const Domain& domain_;
    const ForwardSlides<Domain> forward_;
    const FollowedPatterns<Index>& patterns_;
    const MoveAutomaton* automaton_;
    Meter& meter_;
    Stats* stats_ = nullptr;
    int blank_ = 0;
    Move last_ = no_move;
    Word word_ = MoveAutomaton::begin;
    int bound_ = 0;
    int least_above_ = 0;
    int found_at_ = 0;
    bool found_ = false;
    std::array<std::uint8_t, 32> board_{};
    std::array<Place, FollowedPatterns<Index>::most_lookups> place_{};
    Sums sums_{};
    std::vector<Move> path_;
};
static_assert(Kernel<PatternKernel<CompactIndex, 1, true, Domain<RuntimeShape, ByteState<25>>>>);
static_assert(Kernel<PatternKernel<SparseIndex, 2, false, Domain<RuntimeShape, ByteState<25>>>>);

}  // namespace tilewise
