// The heuristics that the engine has, by name.
#pragma once

#include <array>
#include <concepts>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "tilewise/heuristics/cellwise.hpp"
#include "tilewise/heuristics/heuristic.hpp"
#include "tilewise/heuristics/learned.hpp"
#include "tilewise/heuristics/linear_conflict.hpp"
#include "tilewise/heuristics/pattern_sum.hpp"
#include "tilewise/heuristics/walking_distance.hpp"

namespace tilewise {

// What a heuristic says of itself.
struct HeuristicFacts {
    std::string_view name;
    bool changes_by_one;
};

// What a heuristic is made of beside the homes of a goal: tables or a model, where it needs them.
struct GivenParts {
    PatternSums tables;
    LearnedModel model;
};

// Heuristics on one kind of state. They are a list of types and not of templates: clang up to 15
// crashes on a list of constrained templates.
template <BoardState State, NamedHeuristic<State>... Named>
struct HeuristicList {
    static constexpr std::array<HeuristicFacts, sizeof...(Named)> facts{{{Named::name, Named::changes_by_one}...}};

    // One of them, for the homes of a goal; null if there is none of that name.
    static std::unique_ptr<Heuristic<State>> make(std::string_view name, const Homes& homes, const GivenParts& given,
                                                  const GoOn& go_on) {
        std::unique_ptr<Heuristic<State>> made;
        static_cast<void>(((Named::name == name && (made = make_one<Named>(homes, given, go_on), true)) || ...));
        return made;
    }

private:
    template <NamedHeuristic<State> H>
    static std::unique_ptr<Heuristic<State>> make_one(const Homes& homes, const GivenParts& given, const GoOn& go_on) {
        if constexpr (std::is_same_v<H, LinearConflict<PackedState>>) {
            if (LinearConflictByLines::serves(homes)) return std::make_unique<LinearConflictByLines>(homes);
        }
        if constexpr (std::constructible_from<H, const Homes&, const GoOn&>) {
            return std::make_unique<H>(homes, go_on);
        } else if constexpr (std::constructible_from<H, const Homes&, LearnedModel>) {
            return std::make_unique<H>(homes, given.model);
        } else if constexpr (std::constructible_from<H, const Homes&>) {
            return std::make_unique<H>(homes);
        } else {
            return std::make_unique<H>(homes, given.tables);
        }
    }
};

template <BoardState State>
using HeuristicsOf = HeuristicList<State, Zero<State>, Misplaced<State>, Manhattan<State>, LinearConflict<State>,
                                   WalkingDistance<State>, PatternSum<State>, Learned<State>>;

struct NativeHeuristics {
    static constexpr auto facts = HeuristicsOf<PackedState>::facts;

    static const HeuristicFacts& facts_of(std::string_view name) {
        for (const HeuristicFacts& each : facts) {
            if (each.name == name) return each;
        }
        refuse(name);
    }

    template <BoardState State>
    static std::unique_ptr<Heuristic<State>> make(std::string_view name, const Homes& homes, const GivenParts& given,
                                                  const GoOn& go_on) {
        auto made = HeuristicsOf<State>::make(name, homes, given, go_on);
        if (made == nullptr) refuse(name);
        return made;
    }

private:
    [[noreturn]] static void refuse(std::string_view name) {
        throw std::invalid_argument("no native heuristic " + std::string(name));
    }
};

}  // namespace tilewise
