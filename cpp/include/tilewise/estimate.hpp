// The heuristic of a search, as the engine is given it: one or more by name, for one goal.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "tilewise/go_on.hpp"
#include "tilewise/heuristics/heuristic.hpp"
#include "tilewise/heuristics/learned.hpp"
#include "tilewise/heuristics/pattern_sum.hpp"
#include "tilewise/patterns/followed.hpp"
#include "tilewise/state.hpp"

namespace tilewise {

using State5x5 = ByteState<25>;
using LargeState = ByteState<256>;

// The largest or the sum of named heuristics, for one goal. Made once, shared by searches and
// threads.
class Estimate {
public:
    // `patterns` has the tables of each part that is named pdb, `models` that of each named learned.
    // `go_on` may end the making. Spread forms of tables are shared with other estimates by `shared`.
    Estimate(int rows, int columns, std::vector<std::uint8_t> goal, std::vector<std::string> names, bool summed,
             std::vector<PatternSums> patterns = {}, const std::vector<LearnedModel>& models = {}, const GoOn& go_on = nullptr,
             std::shared_ptr<SpreadTables> shared = nullptr);

    int rows() const { return rows_; }
    int columns() const { return columns_; }
    const std::vector<std::uint8_t>& goal() const { return goal_; }
    bool is_zero() const;
    bool is_manhattan() const;
    // Whether every move changes it by exactly one. The largest of such heuristics does too: they
    // all have the parity of the distance.
    bool changes_by_one() const;
    // The tables of a heuristic that is nothing but pattern databases, or Manhattan distance,
    // which is one of single tiles; or null.
    const PatternTables* tables() const { return tables_ && !tables_->has_sums_by_cells() ? tables_.get() : nullptr; }
    // The same, with sums by cells or without.
    const PatternTables* tables_of_passes() const { return tables_.get(); }
    // The memory of the tables that were made here; those that were given are not counted.
    std::uint64_t bytes() const;
    int of(const std::vector<std::uint8_t>& tiles) const;

    template <BoardState State>
    const Heuristic<State>& as() const {
        return *std::get<std::unique_ptr<Heuristic<State>>>(heuristic_);
    }

private:
    int rows_;
    int columns_;
    std::vector<std::uint8_t> goal_;
    std::vector<std::string> names_;
    bool summed_;
    std::variant<std::unique_ptr<Heuristic<PackedState>>, std::unique_ptr<Heuristic<State5x5>>,
                 std::unique_ptr<Heuristic<LargeState>>>
        heuristic_;
    std::unique_ptr<PatternTables> tables_;
};

}  // namespace tilewise
