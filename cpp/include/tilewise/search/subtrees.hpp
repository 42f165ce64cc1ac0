// The top of a pass of IDA*, cut into subtrees that threads or machines search.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tilewise/meter.hpp"
#include "tilewise/search/automaton.hpp"
#include "tilewise/search/kernel.hpp"

namespace tilewise {

// The moves to the root of a subtree. They give the state of the automaton there, too.
using Path = std::vector<Move>;

struct Subtrees {
    std::vector<Path> roots;
    int least_above = INT32_MAX;  // of the nodes above the roots that were cut off
    bool found = false;           // the goal is above the roots; `moves` lead to it
    bool stopped = false;         // a limit was reached
    Path moves;
};

// The successors of a node, without the way back and without what the automaton forbids.
template <PuzzleDomain Domain>
std::vector<Path> successors(const Domain& domain, const MoveAutomaton* automaton, const Path& path) {
    int blank = domain.start_blank();
    MoveAutomaton::State word = MoveAutomaton::begin;
    for (const Move move : path) {
        for (const Slide slide : domain.slides(blank)) {
            if (slide.move == move) {
                blank = slide.target;
                break;
            }
        }
        if (automaton != nullptr) word = automaton->after(word, move);
    }
    std::vector<Path> made;
    for (const Slide slide : domain.slides(blank)) {
        if (!path.empty() && slide.move == opposite(path.back())) continue;
        if (automaton != nullptr && automaton->after(word, slide.move) == MoveAutomaton::forbidden) continue;
        made.push_back(path);
        made.back().push_back(slide.move);
    }
    return made;
}

// The nodes within a bound at the least depth that has as many as are wanted. What is above them is
// counted as the pass would count it.
template <PuzzleDomain Domain, Kernel K>
Subtrees subtrees_below(const Domain& domain, const MoveAutomaton* automaton, int bound, std::uint64_t wanted, K& kernel,
                        Meter& meter, Stats& stats) {
    Subtrees top;
    top.roots.emplace_back();
    while (top.roots.size() < wanted && !top.roots.empty()) {
        std::vector<Path> next;
        for (const Path& path : top.roots) {
            ++stats.expanded;
            for (const Path& child : successors(domain, automaton, path)) {
                top.stopped = stats.generated == meter.pause() && meter.stop(stats);
                if (top.stopped) return top;
                ++stats.generated;
                kernel.place(child);
                const int f = static_cast<int>(child.size()) + kernel.h();
                if (f > bound) {
                    top.least_above = std::min(top.least_above, f);
                    continue;
                }
                stats.max_depth = std::max<std::uint64_t>(stats.max_depth, child.size());
                if (kernel.at_goal()) {
                    top.found = true;
                    top.moves = child;
                    return top;
                }
                next.push_back(child);
            }
        }
        top.roots = std::move(next);
    }
    return top;
}

}  // namespace tilewise
