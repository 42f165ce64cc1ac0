// What a wide beam can sort boards by: values that follow from a board, that a slide changes, or that are read from tables.
#pragma once

#include <concepts>

#include "tilewise/learned/homes_board.hpp"
#include "tilewise/learned/slide_batch.hpp"

namespace tilewise {

// What gives boards their values: whole numbers in 1/scale of a move.
template <class Values>
concept AnyBoardValues = requires(const Values& values, const HomeCell* board) {
    { values.steps() } -> std::same_as<const BlankSteps&>;
    { values.cells() } -> std::same_as<int>;
    { Values::scale } -> std::convertible_to<int>;
    { values.value(board) } -> std::same_as<int>;
};

// Values that follow from a board at once. `prepare` does what all slides of a board share.
template <class Values>
concept ComputedValues =
    AnyBoardValues<Values> && requires(const Values& values, const HomeCell* board, typename Values::Prepared& prepared) {
        values.prepare(board, prepared);
        { values.template after<0>(0, prepared, 0, 0, 0) } -> std::same_as<int>;
    };

// Values whose entries are asked for first and read later, when they have come from memory. What they need of a board is
// carried with it. They are never negative, and boards are sorted by whole moves.
template <class Values>
concept CarriedValues = AnyBoardValues<Values> && requires(const Values& values, const HomeCell* board,
                                                           typename Values::Carried& carried, typename Values::Entries& entries) {
    carried = values.carry(board);
    entries = values.ask(carried, 0, 0, 0);
    { values.read(carried, 0, entries) } -> std::same_as<int>;
    values.carry(carried, 0, 0, 0, 0, carried);
};

// Values that a slide changes by a sum over the board, of numbers that all slides of a tile between two cells share.
template <class Values>
concept SummedValues = AnyBoardValues<Values> && requires(const Values& values, const HomeCell* board) {
    { values.template after<0>(0, values.slide(0, 0, 0), board) } -> std::same_as<int>;
};

// The same for several boards at once.
template <class Values>
concept BatchedValues = SummedValues<Values> && requires(const Values& values, SlideBatch& batch) {
    values.prepare(batch, values.slide(0, 0, 0));
    { values.change() } -> std::same_as<ChangeValues>;
};

template <class Values>
concept BoardValues = ComputedValues<Values> || SummedValues<Values> || CarriedValues<Values>;

}  // namespace tilewise
