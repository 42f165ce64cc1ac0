// A* that takes many nodes at once: the same solutions, other counters, in the least memory. For
// boards of up to 16 cells and heuristics that every move changes by exactly one.
//
// Such a heuristic is consistent, and f grows in twos: the mark of a stored node says by how much,
// counted from 1, and g is f - h. The open list has hints, four bytes each, which nearly always say
// which node is meant; where they do not, all that fit are expanded. Nodes of the least f are
// expanded together: successors of the same f, which never wait in the open list, and open nodes
// with the smallest h. Some horizontal successors are in the quad of their parent; the memory of
// all others is prefetched before the first is looked at. The path is found at the end: a
// predecessor is a neighbour whose g is smaller by one.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "tilewise/heuristics/heuristic.hpp"
#include "tilewise/meter.hpp"
#include "tilewise/search/frontiers.hpp"
#include "tilewise/search/quad_table.hpp"

namespace tilewise {

template <PuzzleDomain Domain>
class BatchedAStar {
public:
    BatchedAStar(const Domain& domain, const Heuristic<PackedState>& h, std::size_t batch, Meter& meter)
        : domain_(domain), h_(h), batch_(batch), meter_(meter), table_(domain.shape().cells(), meter.memory()) {}

    // None where f grew by more than a mark can say.
    std::optional<Outcome> run() {
        const PackedState start = domain_.start();
        start_h_ = h_(start);
        if (!add({start, QuadTable::name_of(start, domain_.start_blank()), domain_.start_blank(), no_move, 0, start_h_}))
            return end(Status::limit);
        stats_.stored = 0;  // the root is not counted
        while (begin_batch()) {
            if (!expand_batch()) return end(solved_ ? Status::solved : meter_.status());
            for (const Node& child : children_) {
                if (!add(child)) return end(Status::limit);
            }
            stats_.max_frontier = std::max<std::uint64_t>(stats_.max_frontier, open_.size() + now_.size());
        }
        if (too_far_) return std::nullopt;
        return end(Status::unsolvable);
    }

private:
    struct Node {
        PackedState state;
        QuadTable::Name name;
        int blank;
        Move last;
        int g;
        int h;
    };
    struct Taken {
        QuadTable::Hint hint;
        int h;
        Move last;
    };

    // Fill the batch with open nodes of the least f, those with the smallest h first; false where
    // there is no node.
    bool begin_batch() {
        if (now_.empty()) {
            if (open_.size() == 0) return false;
            level_ = static_cast<int>(open_.best_level());
        }
        stats_.bound = static_cast<std::uint64_t>(start_h_ + 2 * level_);
        while (now_.size() + taken_.size() < batch_ && open_.size() > 0 && static_cast<int>(open_.best_level()) == level_) {
            const QuadTable::Hint hint = open_.pop();
            table_.prefetch_for(hint);
            taken_.push_back({hint, static_cast<int>(open_.h() / 4), static_cast<Move>(open_.h() % 4)});
        }
        return true;
    }

    bool expand_batch() {
        children_.clear();
        for (const Node& node : now_) {
            if (!expand(node, *table_.find(node.name))) return false;
        }
        now_.clear();
        for (const Taken& taken : taken_) {
            if (!expand(taken)) return false;
        }
        taken_.clear();
        return true;
    }

    // Those found again at less cost have another mark by now.
    bool expand(const Taken& taken) {
        const int place = QuadTable::place_in(taken.hint);
        return table_.for_hint(taken.hint, [&](QuadTable::Name name, QuadTable::Marks& marks) {
            if (QuadTable::mark_in(marks, place) != level_ + 1) return true;
            const auto [state, blank] = table_.member(name, place);
            if (h_(state) != taken.h) return true;
            return expand({state, name, blank, taken.last, start_h_ + 2 * level_ - taken.h, taken.h}, marks);
        });
    }

    bool expand(const Node& node, QuadTable::Marks& marks) {
        if (node.state == domain_.goal()) {
            solved_ = true;
            return false;
        }
        ++stats_.expanded;
        ++expanded_at_[static_cast<std::size_t>(level_)];
        for (const Slide slide : domain_.slides(node.blank)) {
            if (stats_.generated == meter_.pause() && meter_.stop(stats_)) return false;
            ++stats_.generated;
            if (slide.move == opposite(node.last)) {
                ++stats_.duplicates;
                continue;
            }
            const PackedState next = node.state.slid(node.blank, slide.target);
            const int h = h_.after_slide(node.state, node.h, node.blank, slide.target, next);
            Node child{next, node.name, slide.target, slide.move, node.g + 1, h};
            if (slide.move >= left && slide.target / 4 == node.blank / 4) {
                const Reached reached = reach(child, marks);
                if (reached == Reached::no_room || (reached == Reached::now && !expand(child, marks))) return false;
            } else {
                child.name = QuadTable::name_of(child.state, child.blank);
                table_.prefetch(child.name);
                children_.push_back(child);
            }
        }
        return true;
    }

    bool add(Node node) {
        if (table_.is_full() && !make_room(table_, open_.bytes(), meter_, stats_)) return false;
        const Reached reached = reach(node, table_.find_or_add(node.name));
        if (reached == Reached::now) {
            if (now_.size() == batch_) return wait(node, level_);
            now_.push_back(node);
        }
        return reached != Reached::no_room;
    }

    enum class Reached { before, later, now, no_room };

    Reached reach(Node& node, QuadTable::Marks& marks) {
        const int place = QuadTable::place_of(node.blank);
        const int before = QuadTable::mark_in(marks, place);
        if (before != 0 && before <= level_ + 1) {  // f never sinks
            ++stats_.duplicates;
            return Reached::before;
        }
        const int level = (node.g + node.h - start_h_) / 2;
        if (level >= QuadTable::most_mark) {
            too_far_ = true;
            return Reached::before;
        }
        if (before != 0 && before <= level + 1) {
            ++stats_.duplicates;
            return Reached::before;
        }
        QuadTable::set_mark(marks, place, level + 1);
        nodes_ += before == 0;
        ++stats_.stored;
        stats_.max_depth = std::max(stats_.max_depth, static_cast<std::uint64_t>(node.g));
        if (level == level_) return Reached::now;
        return wait(node, level) ? Reached::later : Reached::no_room;
    }

    bool wait(const Node& node, int level) {
        if (open_.is_full() && !meter_.has_memory_for(table_.bytes() + open_.bytes_when_grown())) return false;
        open_.push(QuadTable::hint_of(node.name, QuadTable::place_of(node.blank)), level, 4 * node.h + node.last);
        return true;
    }

    Outcome end(Status status) {
        Outcome outcome;
        outcome.status = status;
        stats_.peak_stored = nodes_;
        stats_.peak_memory = table_.bytes() + open_.bytes();
        if (status == Status::solved) {
            for (int below = 0; below < level_; ++below)
                stats_.expanded_below_cost += expanded_at_[static_cast<std::size_t>(below)];
            outcome.moves = way_back(start_h_ + 2 * level_);
        }
        outcome.stats = stats_;
        return outcome;
    }

    std::vector<Move> way_back(int cost) {
        std::vector<Move> moves;
        PackedState state = domain_.goal();
        int blank = 0;
        while (state.tile(blank) != 0) ++blank;
        for (int g = cost; g > 0; --g) {
            for (const Slide slide : domain_.slides(blank)) {
                const PackedState before = state.slid(blank, slide.target);
                const QuadTable::Marks* marks = table_.find(QuadTable::name_of(before, slide.target));
                const int mark = marks == nullptr ? 0 : QuadTable::mark_in(*marks, QuadTable::place_of(slide.target));
                if (mark == 0 || start_h_ + 2 * (mark - 1) - h_(before) != g - 1) continue;
                moves.push_back(opposite(slide.move));
                state = before;
                blank = slide.target;
                break;
            }
        }
        std::reverse(moves.begin(), moves.end());
        return moves;
    }

    const Domain& domain_;
    const Heuristic<PackedState>& h_;
    std::size_t batch_;
    Meter& meter_;
    int start_h_ = 0;
    int level_ = 0;
    bool too_far_ = false;
    bool solved_ = false;
    QuadTable table_;
    Buckets open_;
    std::array<std::uint64_t, QuadTable::most_mark> expanded_at_{};
    std::uint64_t nodes_ = 0;
    std::vector<Node> now_;
    std::vector<Taken> taken_;
    std::vector<Node> children_;
    Stats stats_;
};

}  // namespace tilewise
