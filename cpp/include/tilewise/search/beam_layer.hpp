// One layer of a wide beam: arrays of fields, since each phase needs other ones.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tilewise/learned/homes_board.hpp"
#include "tilewise/learned/slide_batch.hpp"
#include "tilewise/memory.hpp"
#include "tilewise/search/blank_slides.hpp"
#include "tilewise/search/board_values.hpp"
#include "tilewise/search/ways_in_pieces.hpp"

namespace tilewise {

// What values carry along from board to board, if they do.
template <class Values>
struct CarriedBy {
    struct Type {};
};
template <CarriedValues Values>
struct CarriedBy<Values> {
    using Type = typename Values::Carried;
};

template <BoardValues Values>
struct BeamLayer {
    using Carried = typename CarriedBy<Values>::Type;
    static constexpr bool carries = CarriedValues<Values>;

    ZeroedArray<HomeCell> boards;
    ZeroedArray<std::uint64_t> hashes;
    ZeroedArray<std::int32_t> values;
    ZeroedArray<std::uint8_t> blanks;
    ZeroedArray<std::uint8_t> ways;  // that the blank came
    ZeroedArray<WayPiece> pieces;
    ZeroedArray<Carried> carried;

    BeamLayer() = default;
    BeamLayer(std::size_t width, std::size_t cells)
        : boards(width * cells + SlideBatch::padded),
          hashes(width),
          values(width),
          blanks(width),
          ways(width),
          pieces(width),
          carried(carries ? width : 1) {}

    static std::uint64_t bytes_for_node(std::uint64_t cells) {
        return cells + sizeof(std::uint64_t) + sizeof(std::int32_t) + 2 + sizeof(WayPiece) + (carries ? sizeof(Carried) : 0);
    }

    const BlankSlides::List& slides(const BlankSlides& slides, std::uint32_t node) const {
        return slides.of(blanks[node], ways[node]);
    }
};

}  // namespace tilewise
