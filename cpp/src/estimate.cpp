// Estimates are made of the named heuristics.

#include "tilewise/estimate.hpp"

#include <algorithm>
#include <utility>

#include "tilewise/heuristics/native_heuristics.hpp"

namespace tilewise {
namespace {

template <BoardState State>
std::unique_ptr<Heuristic<State>> make(const std::vector<std::string>& names, const Homes& homes, bool summed,
                                       const std::vector<PatternSums>& patterns, const std::vector<LearnedModel>& models,
                                       const GoOn& go_on) {
    std::vector<std::unique_ptr<Heuristic<State>>> parts;
    std::size_t tables = 0;
    std::size_t learned = 0;
    for (const std::string& name : names) {
        GivenParts given;
        if (name == PatternSum<State>::name) given.tables = patterns.at(tables++);
        if (name == Learned<State>::name) given.model = models.at(learned++);
        parts.push_back(NativeHeuristics::make<State>(name, homes, given, go_on));
    }
    if (parts.size() == 1) return std::move(parts.front());
    if (summed) return std::make_unique<Sum<State>>(std::move(parts));
    return std::make_unique<Maximum<State>>(std::move(parts));
}

// Manhattan distance as the sum of one table for each tile.
PatternGroups single_tiles(const Homes& homes) {
    PatternGroup group;
    for (int tile = 1; tile < homes.cells(); ++tile) {
        auto values = std::make_shared<std::vector<std::uint8_t>>();
        PatternLookup lookup{
            nullptr, values, 1, {}, std::vector<std::uint8_t>(static_cast<std::size_t>(homes.cells()), not_in_pattern)};
        for (int cell = 0; cell < homes.cells(); ++cell) {
            values->push_back(static_cast<std::uint8_t>(manhattan(homes, cell, tile)));
            lookup.cells.push_back(static_cast<std::uint8_t>(cell));
        }
        lookup.values = values->data();
        lookup.tiles[static_cast<std::size_t>(tile)] = 0;
        group.push_back(std::move(lookup));
    }
    return {group};
}

template <BoardState State>
int value(const Heuristic<State>& heuristic, const std::vector<std::uint8_t>& tiles) {
    return heuristic(State(tiles.data(), static_cast<int>(tiles.size())));
}

}  // namespace

Estimate::Estimate(int rows, int columns, std::vector<std::uint8_t> goal, std::vector<std::string> names, bool summed,
                   std::vector<PatternSums> patterns, const std::vector<LearnedModel>& models, const GoOn& go_on,
                   std::shared_ptr<SpreadTables> shared)
    : rows_(rows), columns_(columns), goal_(std::move(goal)), names_(std::move(names)), summed_(summed) {
    const Homes homes(rows, columns, goal_.data());
    if (homes.cells() <= PackedState::max_cells) {
        heuristic_ = make<PackedState>(names_, homes, summed, patterns, models, go_on);
    } else if (rows == 5 && columns == 5) {
        heuristic_ = make<State5x5>(names_, homes, summed, patterns, models, go_on);
    } else {
        heuristic_ = make<LargeState>(names_, homes, summed, patterns, models, go_on);
    }
    if (is_manhattan() && homes.cells() <= 25) patterns = {PatternSums{single_tiles(homes), {}}};
    if (names_.size() == 1 && patterns.size() == 1 && PatternTables::serves(patterns.front(), homes.cells(), columns)) {
        tables_ = std::make_unique<PatternTables>(std::move(patterns.front()), homes, std::move(shared));
    }
}

bool Estimate::is_zero() const { return names_.size() == 1 && names_.front() == Zero<PackedState>::name; }

bool Estimate::is_manhattan() const { return names_.size() == 1 && names_.front() == Manhattan<PackedState>::name; }

bool Estimate::changes_by_one() const {
    const auto by_one = [](const std::string& name) { return NativeHeuristics::facts_of(name).changes_by_one; };
    return std::all_of(names_.begin(), names_.end(), by_one) && (names_.size() == 1 || !summed_);
}

std::uint64_t Estimate::bytes() const {
    const std::uint64_t made = std::visit([](const auto& heuristic) { return heuristic->bytes(); }, heuristic_);
    return made + (tables_ ? tables_->bytes() : 0);
}

int Estimate::of(const std::vector<std::uint8_t>& tiles) const {
    return std::visit([&](const auto& heuristic) { return value(*heuristic, tiles); }, heuristic_);
}

}  // namespace tilewise
