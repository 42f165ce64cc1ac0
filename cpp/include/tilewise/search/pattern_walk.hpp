// What the kernels of pattern databases have in common: the board that a pass changes and changes
// back, the path to it, and how a pass begins and ends. A kernel looks values up and visits nodes.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "tilewise/meter.hpp"
#include "tilewise/search/automaton.hpp"
#include "tilewise/search/kernel.hpp"

namespace tilewise {

template <class Looking, bool Pruned, PuzzleDomain Domain>
class PatternWalk {
public:
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
            if constexpr (Pruned) word_ = word_after(word_, move);
        }
        for (int cell = 0; cell < domain_.shape().cells(); ++cell)
            board_[static_cast<std::size_t>(cell)] = static_cast<std::uint8_t>(state.tile(cell));
        path_ = moves;
        looking().look_up_all();
    }

    // Put a stored node in place, whose places and sums are known; the moves to it are left open.
    template <class Node, class Values>
    void place(const Node& node, const Values& values, std::uint32_t number) {
        for (int cell = 0; cell < domain_.shape().cells(); ++cell)
            board_[static_cast<std::size_t>(cell)] = static_cast<std::uint8_t>(node.state.tile(cell));
        blank_ = node.blank;
        last_ = node.last;
        word_ = node.word;
        path_.assign(node.g, no_move);
        looking().take_over(values, number);
    }

    bool at_goal() const { return static_cast<const Looking&>(*this).h() == 0; }

    bool pass(int bound, Stats& stats) {
        bound_ = bound;
        least_above_ = INT32_MAX;
        least_h_ = INT32_MAX;
        found_ = false;
        stats_ = &stats;
        const auto depth = static_cast<int>(path_.size());
        path_.resize(static_cast<std::size_t>(std::max(bound, depth)) + 1, no_move);
        const bool over = looking().visit_placed(depth + 1);
        path_.resize(static_cast<std::size_t>(found_ ? found_at_ : depth));
        return over;
    }

    int least_above() const { return least_above_; }
    int least_h() const { return least_h_; }
    bool found() const { return found_; }
    const std::vector<Move>& moves() const { return path_; }

protected:
    using Word = MoveAutomaton::State;

    PatternWalk(const Domain& domain, const MoveAutomaton* automaton, Meter& meter)
        : domain_(domain), forward_(domain), automaton_(automaton), meter_(meter) {}

    const auto& slides_after(int blank, Move last) const {
        return last == no_move ? domain_.slides(blank) : forward_(blank, last);
    }

    // Count a successor; true if a limit ends the pass before it.
    bool over_before_next() {
        if (stats_->generated == meter_.pause() && meter_.stop(*stats_)) return true;
        ++stats_->generated;
        return false;
    }

    // Step to depth g, where h is; true if that is the goal.
    bool step(Move move, int g, int h) {
        least_h_ = std::min(least_h_, h);
        if (static_cast<std::uint64_t>(g) > stats_->max_depth) stats_->max_depth = static_cast<std::uint64_t>(g);
        path_[static_cast<std::size_t>(g) - 1] = move;
        if (h > 0) return false;
        found_ = true;
        found_at_ = g;
        return true;
    }

    void slide_tile(int blank, Slide slide) { std::swap(board_[static_cast<std::size_t>(blank)], board_[slide.target]); }

    const Domain& domain_;
    const ForwardSlides<Domain> forward_;
    const MoveAutomaton* automaton_;
    Meter& meter_;
    Stats* stats_ = nullptr;
    int blank_ = 0;
    Move last_ = no_move;
    Word word_ = MoveAutomaton::begin;
    int bound_ = 0;
    int least_above_ = 0;
    std::array<std::uint8_t, 32> board_{};

private:
    // A way that no pass takes, because a word in it is forbidden, is followed as if it began behind it.
    Word word_after(Word word, Move move) const {
        const Word next = automaton_->after(word, move);
        return next == MoveAutomaton::forbidden ? automaton_->after(MoveAutomaton::begin, move) : next;
    }

    Looking& looking() { return static_cast<Looking&>(*this); }

    int least_h_ = INT32_MAX;
    int found_at_ = 0;
    bool found_ = false;
    std::vector<Move> path_;
};

}  // namespace tilewise
