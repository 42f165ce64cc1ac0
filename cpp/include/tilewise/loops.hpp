// Which loop serves which search: one table, which the engine, Python and the documents read.
//
// The general loops serve every search; the others are faster forms of them, with the same
// counters, for some heuristics, shapes and orders.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tilewise/domain.hpp"
#include "tilewise/estimate.hpp"
#include "tilewise/request.hpp"

namespace tilewise {

enum class Loop : std::uint8_t {
    manhattan,
    shared_manhattan,
    patterns,
    deepening,
    plain,
    stored_patterns,
    stored_plain,
    nine_breadth_first,
    packed_breadth_first,
    packed_astar,
    batched_astar,
    best_first,
    beam,
};

enum class HeuristicNeeded : std::uint8_t { any, zero, manhattan, changes_by_one, tables, tables_of_passes };

// One shape, or all shapes of up to a number of cells.
struct ShapeNeeded {
    int rows = 0;
    int columns = 0;
    int most_cells = 256;
};
constexpr ShapeNeeded any_shape{};
constexpr ShapeNeeded only(int rows, int columns) { return {rows, columns, rows * columns}; }
constexpr ShapeNeeded up_to(int cells) { return {0, 0, cells}; }

// The order with which Korf's published counts for the 15-puzzle (1985) come out.
constexpr Order korf_order{up, left, right, down};
enum class OrderNeeded : std::uint8_t { any, usual, usual_or_korf };

// Each a bit: a search that is watched, and the options that only the native engine has.
using Options = unsigned;
namespace option {
constexpr Options none = 0;
constexpr Options watched = 1;
constexpr Options prune = 2;
constexpr Options threads = 4;
constexpr Options batch = 8;
constexpr Options below = 16;
}  // namespace option

inline Options options_of(const Request& request, bool watched) {
    Options options = option::none;
    if (watched) options |= option::watched;
    if (request.automaton != nullptr) options |= option::prune;
    if (request.threads > 1) options |= option::threads;
    if (request.batch > 0) options |= option::batch;
    if (request.below > 0) options |= option::below;
    return options;
}

struct LoopRow {
    Algorithm search;
    bool by_f;  // only where the priority is g + h and cheaper paths re-open states: A*
    HeuristicNeeded heuristic;
    ShapeNeeded shape;
    OrderNeeded order;
    Options takes;  // the search may have these and no others
    Loop loop;
    Options needs = option::none;  // the search must have these

    bool serves(const Request& request, const Estimate& estimate, bool watched) const {
        const Priority& priority = request.priority;
        return request.algorithm == search && (!by_f || (priority.for_g == 1 && priority.for_h == 1 && priority.reopen)) &&
               serves(estimate) && serves(request.order) && serves(options_of(request, watched));
    }

private:
    bool serves(const Estimate& estimate) const {
        if (estimate.rows() * estimate.columns() > shape.most_cells) return false;
        if (shape.rows != 0 && (estimate.rows() != shape.rows || estimate.columns() != shape.columns)) return false;
        switch (heuristic) {
            case HeuristicNeeded::any: return true;
            case HeuristicNeeded::zero: return estimate.is_zero();
            case HeuristicNeeded::manhattan: return estimate.is_manhattan();
            case HeuristicNeeded::changes_by_one: return estimate.changes_by_one();
            case HeuristicNeeded::tables: return estimate.tables() != nullptr;
            case HeuristicNeeded::tables_of_passes: return estimate.tables_of_passes() != nullptr;
        }
        return false;
    }
    bool serves(Options wanted) const { return (wanted & ~takes) == 0 && (needs & ~wanted) == 0; }
    bool serves(const Order& wanted) const {
        return order == OrderNeeded::any || wanted == default_order ||
               (order == OrderNeeded::usual_or_korf && wanted == korf_order);
    }
};

// The first row that serves a search gives its loop. Where a loop gives up, which it says by
// returning nothing, the rows below it are tried.
namespace serving {
using A = Algorithm;
using H = HeuristicNeeded;
using O = OrderNeeded;
inline constexpr std::array loops{
    LoopRow{A::queue, false, H::zero, only(3, 3), O::any, option::none, Loop::nine_breadth_first},
    LoopRow{A::queue, false, H::zero, up_to(16), O::any, option::none, Loop::packed_breadth_first},
    LoopRow{A::queue, false, H::any, any_shape, O::any, option::watched, Loop::best_first},
    LoopRow{A::stack, false, H::any, any_shape, O::any, option::watched, Loop::best_first},
    LoopRow{A::buckets, true, H::changes_by_one, up_to(16), O::any, option::none, Loop::packed_astar},
    LoopRow{A::buckets, true, H::changes_by_one, up_to(16), O::any, option::batch, Loop::batched_astar, option::batch},
    LoopRow{A::buckets, false, H::any, any_shape, O::any, option::watched, Loop::best_first},
    LoopRow{A::deepening, false, H::manhattan, only(3, 3), O::usual, option::none, Loop::manhattan},
    LoopRow{A::deepening, false, H::manhattan, only(4, 4), O::usual_or_korf, option::none, Loop::manhattan},
    LoopRow{A::deepening, false, H::manhattan, only(4, 4), O::usual, option::threads, Loop::shared_manhattan, option::threads},
    LoopRow{A::deepening, false, H::tables_of_passes, up_to(25), O::any, option::prune | option::threads | option::below,
            Loop::patterns},
    LoopRow{A::deepening, false, H::any, any_shape, O::any, option::watched, Loop::deepening},
    LoopRow{A::deepening, false, H::any, any_shape, O::any, option::prune | option::threads | option::below, Loop::plain},
    LoopRow{A::astar_idastar, false, H::tables, up_to(25), O::any, option::prune | option::below, Loop::stored_patterns,
            option::prune},
    LoopRow{A::astar_idastar, false, H::any, any_shape, O::any, option::prune | option::below, Loop::stored_plain, option::prune},
    LoopRow{A::beam, false, H::any, any_shape, O::any, option::watched, Loop::beam},
};
}  // namespace serving
using serving::loops;

// ---- the table in words

constexpr std::string_view header_of(Loop loop) {
    switch (loop) {
        case Loop::manhattan:
        case Loop::shared_manhattan: return "search/manhattan_kernel.hpp";
        case Loop::patterns: return "search/pattern_kernel.hpp";
        case Loop::deepening: return "search/deepening.hpp";
        case Loop::plain: return "search/plain_kernel.hpp";
        case Loop::stored_patterns:
        case Loop::stored_plain: return "search/astar_idastar.hpp";
        case Loop::nine_breadth_first:
        case Loop::packed_breadth_first: return "search/packed_breadth_first.hpp";
        case Loop::packed_astar: return "search/packed_astar.hpp";
        case Loop::batched_astar: return "search/batched.hpp";
        case Loop::best_first: return "search/best_first.hpp";
        case Loop::beam: return "search/beam.hpp";
    }
    return "";
}

// What is special about a loop.
constexpr std::string_view text_of(Loop loop) {
    switch (loop) {
        case Loop::manhattan: return "a state is one register of homes";
        case Loop::shared_manhattan: return "the same, threads share the subtrees";
        case Loop::patterns: return "a move follows the index of one pattern of each sum";
        case Loop::deepening: return "general";
        case Loop::plain: return "general, for passes that are pruned or shared";
        case Loop::stored_patterns: return "the index of each pattern is stored with a state";
        case Loop::stored_plain: return "general";
        case Loop::nine_breadth_first: return "a byte for each state, found by arithmetic";
        case Loop::packed_breadth_first: return "a word and a byte for each state";
        case Loop::packed_astar: return "a word and a byte for each state; gives up where f grows by more than 30";
        case Loop::batched_astar: return "four states share an entry; gives up where f grows by more than 28";
        case Loop::best_first: return "general";
        case Loop::beam: return "general";
    }
    return "";
}

constexpr std::string_view text_of(HeuristicNeeded heuristic) {
    switch (heuristic) {
        case HeuristicNeeded::any: return "any";
        case HeuristicNeeded::zero: return "none";
        case HeuristicNeeded::manhattan: return "manhattan";
        case HeuristicNeeded::changes_by_one: return "changes by one";
        case HeuristicNeeded::tables: return "manhattan, or pdb by tiles";
        case HeuristicNeeded::tables_of_passes: return "manhattan or pdb";
    }
    return "";
}

inline std::string text_of(const ShapeNeeded& shape) {
    if (shape.rows != 0) return std::to_string(shape.rows) + "x" + std::to_string(shape.columns);
    return shape.most_cells == any_shape.most_cells ? "any" : "up to " + std::to_string(shape.most_cells) + " cells";
}

inline std::string text_of(const Order& order) {
    std::string letters;
    for (const Move move : order) letters += "UDLR"[move];
    return letters;
}

inline std::string text_of(OrderNeeded order) {
    if (order == OrderNeeded::any) return "any";
    return text_of(default_order) + (order == OrderNeeded::usual ? "" : ", " + text_of(korf_order));
}

inline std::vector<std::string> names_of(Options options) {
    std::vector<std::string> names;
    if (options & option::watched) names.emplace_back("watched");
    if (options & option::prune) names.emplace_back("prune");
    if (options & option::threads) names.emplace_back("threads");
    if (options & option::batch) names.emplace_back("batch");
    if (options & option::below) names.emplace_back("incumbent");
    return names;
}

}  // namespace tilewise
