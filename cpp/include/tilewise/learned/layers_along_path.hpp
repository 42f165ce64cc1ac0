// A narrow beam that is kept on a path, and what its layers hold beside the path: examples of which boards a beam should keep.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <utility>
#include <vector>

#include "tilewise/learned/homes_board.hpp"
#include "tilewise/learned/random.hpp"
#include "tilewise/search/board_values.hpp"
#include "tilewise/search/forgetful_table.hpp"

namespace tilewise {

// A board of a path, and boards that lay in the same layer of a beam. Few of them lead to the goal as soon.
struct Ranking {
    HomesBoard board;
    std::vector<HomesBoard> others;
};

template <SummedValues Values>
class LayersAlongPath {
public:
    LayersAlongPath(const Values& values, std::uint32_t width)
        : values_(values), cells_(static_cast<std::size_t>(values.cells())), width_(width) {
        SplitMix random(0x6c61'7965'7273u);
        keys_.resize(cells_ * cells_);
        for (std::uint64_t& key : keys_) key = random();
    }

    // For each full layer the board of the path and others, drawn at random. Where the beam loses the path, the path's board is
    // put back into the layer. `stop` is called once in each layer; true ends the search.
    std::vector<Ranking> rankings(const HomesBoard& start, const std::vector<HomeCell>& path, std::uint32_t others,
                                  SplitMix random, const std::function<bool()>& stop) const {
        std::vector<Ranking> found;
        ForgetfulTable seen(std::uint64_t{width_} * remembered, 1);
        std::vector<Node> layer{node_of(start)};
        std::vector<Child> children;
        seen.add(0, layer[0].hash);
        HomesBoard target = start;
        int blank = blank_of(start);
        for (std::size_t depth = 0; depth + 1 < path.size() && !stop(); ++depth) {
            slide(target, blank, path[depth]);
            expand(layer, seen, children);
            const bool full = children.size() >= width_;
            if (children.size() > width_) {
                std::nth_element(children.begin(), children.begin() + width_, children.end());
                children.resize(width_);
            }
            layer = made(layer, children);
            const Node wanted = node_of(target);
            if (full) found.push_back({target, drawn(layer, wanted.hash, others, random)});
            const auto same = [&](const Node& node) { return node.hash == wanted.hash; };
            if (std::none_of(layer.begin(), layer.end(), same)) {
                seen.add(0, wanted.hash);
                layer.push_back(wanted);
            }
        }
        return found;
    }

private:
    static constexpr std::uint64_t remembered = 64;  // layers
    static constexpr int no_way = 4;

    struct Node {
        HomesBoard board;
        std::uint64_t hash;
        int value;
        int blank;
        int way;
    };
    struct Child {
        int value;
        std::uint64_t hash;
        std::uint32_t parent;
        int to;
        int way;

        bool operator<(const Child& other) const { return std::pair(value, hash) < std::pair(other.value, other.hash); }
    };

    std::uint64_t key(int cell, int tile) const {
        return keys_[static_cast<std::size_t>(cell) * cells_ + static_cast<std::size_t>(tile)];
    }

    Node node_of(const HomesBoard& board) const {
        std::uint64_t hash = 0;
        for (std::size_t cell = 0; cell < cells_; ++cell) hash ^= keys_[cell * cells_ + board[cell]];
        return {board, hash, values_.value(board.data()), blank_of(board), no_way};
    }

    void expand(const std::vector<Node>& layer, ForgetfulTable& seen, std::vector<Child>& children) const {
        children.clear();
        for (std::uint32_t parent = 0; parent < layer.size(); ++parent) {
            const Node& node = layer[parent];
            for (int way = 0; way < 4; ++way) {
                const int to = values_.steps().to(node.blank, way);
                if (to == BlankSteps::none || (node.way != no_way && way == (node.way ^ 1))) continue;
                const int tile = node.board[static_cast<std::size_t>(to)];
                const std::uint64_t hash = node.hash ^ key(to, tile) ^ key(to, 0) ^ key(node.blank, tile) ^ key(node.blank, 0);
                if (!seen.add(0, hash)) continue;
                const auto change = values_.slide(node.blank, way, tile);
                children.push_back({values_.template after<0>(node.value, change, node.board.data()), hash, parent, to, way});
            }
        }
    }

    static std::vector<Node> made(const std::vector<Node>& layer, const std::vector<Child>& children) {
        std::vector<Node> next;
        next.reserve(children.size() + 1);
        for (const Child& child : children) {
            const Node& parent = layer[child.parent];
            next.push_back({parent.board, child.hash, child.value, parent.blank, child.way});
            slide(next.back().board, next.back().blank, child.to);
        }
        return next;
    }

    static std::vector<HomesBoard> drawn(const std::vector<Node>& layer, std::uint64_t but, std::uint32_t count,
                                         SplitMix& random) {
        std::vector<HomesBoard> boards;
        for (std::uint32_t i = 0; i < count; ++i) {
            const Node& node = layer[random.below(static_cast<std::uint32_t>(layer.size()))];
            if (node.hash != but) boards.push_back(node.board);
        }
        return boards;
    }

    const Values& values_;
    std::size_t cells_;
    std::uint32_t width_;
    std::vector<std::uint64_t> keys_;
};

}  // namespace tilewise
