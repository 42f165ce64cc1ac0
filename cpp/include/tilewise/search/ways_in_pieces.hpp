// The ways to the nodes of a search by layers, in half a byte for each node of each layer.
//
// Each node keeps the last moves of its way. Every 16th layer keeps what its nodes have, for those that come after them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "tilewise/memory.hpp"

namespace tilewise {

// Up to 16 moves, the last one in the low two bits, from a node of the last layer whose pieces were kept.
struct WayPiece {
    std::uint32_t from;
    std::uint32_t ways;
};

class WaysInPieces {
public:
    static std::uint64_t bytes_for(std::uint64_t width, std::uint64_t layers) {
        return layers / moves_of_piece * width * sizeof(WayPiece);
    }

    void clear() { kept_.clear(); }

    // Before the pieces of a layer are made: where they are kept, there must be room.
    void begin_layer(std::size_t layer, std::size_t nodes) {
        keeps_ = layer % moves_of_piece == 0;
        if (keeps_) kept_.emplace_back(nodes);
    }
    // The piece of a node of that layer. Threads can ask for those of different nodes.
    WayPiece next(const WayPiece& parent, int way, std::uint32_t node) {
        const WayPiece piece{parent.from, parent.ways << 2 | static_cast<std::uint32_t>(way)};
        if (!keeps_) return piece;
        kept_.back()[node] = piece;
        return {node, 0};
    }

    // The whole way to a node, the last move first.
    std::vector<int> back_from(std::size_t layer, WayPiece piece) const {
        std::vector<int> ways;
        const auto go_back = [&](std::size_t moves) {
            for (; moves > 0; --moves, piece.ways >>= 2) ways.push_back(static_cast<int>(piece.ways & 3));
        };
        go_back(layer % moves_of_piece);
        for (std::size_t number = layer / moves_of_piece; number > 0; --number) {
            piece = kept_[number - 1][piece.from];
            go_back(moves_of_piece);
        }
        return ways;
    }

private:
    static constexpr std::size_t moves_of_piece = 16;

    bool keeps_ = false;
    std::vector<ZeroedArray<WayPiece>> kept_;
};

}  // namespace tilewise
