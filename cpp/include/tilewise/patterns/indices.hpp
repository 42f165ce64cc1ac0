// Two ways to follow the index of a pattern while tiles move.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "tilewise/go_on.hpp"
#include "tilewise/heuristics/pattern_sum.hpp"
#include "tilewise/memory.hpp"
#include "tilewise/patterns/ranking.hpp"
#include "tilewise/threads.hpp"

namespace tilewise {

// Spread forms of tables that are in use, by the values that they were made of. Heuristics for other
// goals have the same tables, and need not spread them again.
class SpreadTables {
public:
    using Values = ZeroedArray<std::uint8_t>;

    std::shared_ptr<Values> find(const std::uint8_t* original, int size) {
        const std::lock_guard lock(looking_);
        const auto found = known_.find({original, size});
        return found == known_.end() ? nullptr : found->second.lock();
    }
    void add(const std::uint8_t* original, int size, const std::shared_ptr<Values>& values) {
        const std::lock_guard lock(looking_);
        known_[{original, size}] = values;
    }

private:
    std::mutex looking_;
    // Who uses a spread form has the table itself, too, so that its address is that of no other one.
    std::map<std::pair<const std::uint8_t*, int>, std::weak_ptr<Values>> known_;
};

// A table with room for every placement of the tiles, two on one cell included: the index is a sum
// over the tiles, and moving one is an addition. For small patterns, on boards turned so that a
// step in one direction is the same step of the table everywhere.
class SparseIndex {
public:
    struct Place {
        const std::uint8_t* value;
    };

    static bool serves(const PatternLookup& lookup, int columns) {
        if (std::pow(static_cast<double>(lookup.cells.size()), lookup.size) > most_room) return false;
        const auto cell = [&](int at) { return int{lookup.cells[static_cast<std::size_t>(at)]}; };
        for (int at = 0; at < static_cast<int>(lookup.cells.size()); ++at) {
            if (at >= columns && cell(at) - cell(at - columns) != cell(columns) - cell(0)) return false;
            if (at % columns > 0 && cell(at) - cell(at - 1) != cell(1) - cell(0)) return false;
        }
        return true;
    }
    // Bytes of the table of a look-up that is served.
    static std::uint64_t room(const PatternLookup& lookup) {
        return static_cast<std::uint64_t>(std::llround(std::pow(static_cast<double>(lookup.cells.size()), lookup.size)));
    }

    // An index of the same table as one before shares its values, and so does one of those in `shared`.
    SparseIndex(const PatternLookup& lookup, const std::vector<SparseIndex>& before, int threads, const GoOn& go_on,
                SpreadTables* shared = nullptr)
        : size_(lookup.size), original_(lookup.values), cells_(lookup.cells.size()) {
        std::vector<std::int32_t> weight(static_cast<std::size_t>(lookup.size), 1);
        for (std::size_t j = 1; j < weight.size(); ++j) weight[j] = weight[j - 1] * static_cast<std::int32_t>(cells_);
        std::copy_n(weight.begin(), std::min(weight.size(), weight_.size()), weight_.begin());
        for (std::size_t tile = 0; tile < lookup.tiles.size(); ++tile) {
            for (const std::uint8_t cell : lookup.cells)
                share_.push_back(lookup.has(static_cast<int>(tile)) ? weight[lookup.tiles[tile]] * cell : 0);
        }
        for (const SparseIndex& other : before) {
            if (other.original_ == original_ && other.size_ == size_) owner_ = other.owner_;
        }
        if (!owner_ && shared != nullptr) owner_ = shared->find(original_, size_);
        if (!owner_) {
            owner_ = spread(lookup.size, weight, threads, go_on);
            if (shared != nullptr) shared->add(original_, size_, owner_);
        }
        values_ = owner_->begin();
    }

    Place start(const std::uint8_t* board) const {
        Place place{values_};
        for (std::size_t cell = 0; cell < cells_; ++cell) place.value += share(board[cell], static_cast<int>(cell));
        return place;
    }

    // The value with the tiles of the pattern, by number, on cells of the table; 8 cells are given,
    // those beyond the pattern do not count.
    const std::uint8_t* at(const std::array<std::uint8_t, 8>& cells) const {
        std::uint32_t index = cells[0];
        for (std::size_t tile = 1; tile < 6; ++tile) index += weight_[tile] * cells[tile];
        if (size_ > 6) index += weight_[6] * cells[6] + weight_[7] * cells[7];
        return values_ + index;
    }

    // What a tile on a cell of the board adds to the index.
    std::int32_t share(int tile, int cell) const {
        return share_[static_cast<std::size_t>(tile) * cells_ + static_cast<std::size_t>(cell)];
    }

private:
    static constexpr double most_room = 250e6;
    using Values = SpreadTables::Values;

    // Copy the entries of the table, which lie mask by mask and order by order. The tile of weight 1
    // goes over all cells while the others stay: what is read and what is written are few lines of
    // memory then, each for many entries. Copied in the order of the table, every entry would be
    // written to a line of its own.
    std::shared_ptr<Values> spread(int size, const std::vector<std::int32_t>& weight, int threads, const GoOn& go_on) const {
        auto values = std::make_shared<Values>(static_cast<std::size_t>(weight.back()) * cells_);
        const std::vector<Mask> masks = masks_of_size(static_cast<int>(cells_), size - 1);
        const OtherTiles others(size);
        std::atomic<std::size_t> next = 0;
        std::atomic<bool> ended = false;
        in_threads(masks.size() < 2 * masks_at_once ? 1 : threads, [&](int number) {
            std::vector<std::uint8_t*> begin(others.orders.size());
            for (std::size_t from = next.fetch_add(masks_at_once); from < masks.size() && !ended;
                 from = next.fetch_add(masks_at_once)) {
                if (number == 0 && go_on && !go_on()) ended = true;
                const std::size_t end = std::min(from + masks_at_once, masks.size());
                for (std::size_t i = from; i < end; ++i) spread_around(*values, masks[i], others, weight, begin);
            }
        });
        if (ended) throw Ended();
        return values;
    }

    // All orders of the tiles but the one of weight 1, and the ranks of the orders with it.
    struct OtherTiles {
        explicit OtherTiles(int size) : with_first(static_cast<std::size_t>(size)) {
            for (std::uint32_t rank = 0; rank < factorial(size - 1); ++rank) orders.push_back(order_at(rank, size - 1));
            for (std::size_t place = 0; place < with_first.size(); ++place) {
                for (const Sequence& others : orders) {
                    Sequence whole{};
                    for (std::size_t i = 0; i < with_first.size(); ++i) {
                        if (i != place) whole[i] = static_cast<std::uint8_t>(others[i < place ? i : i - 1] + 1);
                    }
                    with_first[place].push_back(static_cast<std::uint32_t>(order_rank(whole, size)));
                }
            }
        }
        std::vector<Sequence> orders;                        // tile 0 here is tile 1 of the pattern
        std::vector<std::vector<std::uint32_t>> with_first;  // by the place of the first tile, then by order
    };

    // The entries of which the other tiles are on the cells of a mask.
    void spread_around(Values& values, Mask mask, const OtherTiles& others, const std::vector<std::int32_t>& weight,
                       std::vector<std::uint8_t*>& begin) const {
        std::array<int, 16> cell{};
        std::size_t count = 0;
        for (Mask rest = mask; rest != 0; rest &= rest - 1) cell[count++] = std::countr_zero(rest);
        for (std::size_t order = 0; order < begin.size(); ++order) {
            std::int32_t at = 0;
            for (std::size_t i = 0; i < count; ++i) at += weight[others.orders[order][i] + std::size_t{1}] * cell[i];
            begin[order] = &values[static_cast<std::size_t>(at)];
        }
        const std::size_t orders = others.orders.size() * others.with_first.size();
        for (int first = 0; first < static_cast<int>(cells_); ++first) {
            if ((mask & bit(first)) != 0) continue;
            const std::uint8_t* from = original_ + ranks_.rank(mask | bit(first)) * orders;
            const std::vector<std::uint32_t>& rank = others.with_first[static_cast<std::size_t>(tiles_before(mask, first))];
            for (std::size_t order = 0; order < begin.size(); ++order) begin[order][first] = from[rank[order]];
        }
    }

    static constexpr std::size_t masks_at_once = 256;

    const std::uint8_t* values_;
    std::array<std::uint32_t, 8> weight_{};  // of the tiles of the pattern
    int size_;
    MaskRanks ranks_;
    const std::uint8_t* original_;
    std::size_t cells_;
    std::vector<std::int32_t> share_;  // by tile and cell of the board
    std::shared_ptr<Values> owner_;
};

// The ranks of masks and orders, looked up in two halves each, for patterns of one size on boards of one number of cells. They
// are shared by all look-ups of that size: those of one would fill most of a core's cache.
class HalvedRanks {
public:
    using SmallMask = std::uint32_t;  // of boards of up to 25 cells

    HalvedRanks(int cells, int size)
        : cells_(cells), size_(size), orders_(static_cast<std::uint32_t>(factorial(size))), low_bits_((cells + 1) / 2) {
        rank_masks();
        rank_orders();
    }

    bool are_for(int cells, int size) const { return cells == cells_ && size == size_; }

    // The place in a table. An order has three bits for each tile, in the order of their cells.
    std::size_t index(SmallMask mask, std::uint32_t order) const {
        const Low& low = low_rank_[mask & ((SmallMask{1} << low_bits_) - 1)];
        const std::uint32_t rank = low.rank + high_rank_[low.high_row + (mask >> low_bits_)];
        return std::size_t{rank} * orders_ + first_rank_[order & 4095] + last_rank_[order >> 12];
    }

private:
    void rank_masks() {
        const MaskRanks ranks;
        const int high_bits = cells_ - low_bits_;
        for (Mask low = 0; low < bit(low_bits_); ++low) {
            const int tiles = std::min(std::popcount(low), size_);
            low_rank_.push_back({static_cast<std::uint32_t>(ranks.rank(low)), static_cast<std::uint32_t>(tiles) << high_bits});
        }
        for (int tiles = 0; tiles <= size_; ++tiles) {
            // as many tiles on the lowest cells keep the place of those above
            const std::uint64_t lowest = ranks.rank(bit(tiles) - 1);
            for (Mask high = 0; high < bit(high_bits); ++high) {
                const bool fits = tiles + std::popcount(high) <= size_ && tiles <= low_bits_;
                const std::uint64_t rank = fits ? ranks.rank(high << low_bits_ | (bit(tiles) - 1)) - lowest : 0;
                high_rank_.push_back(static_cast<std::uint32_t>(rank));
            }
        }
    }

    // The first four tiles decide their own digits, the others' digits follow from their order.
    void rank_orders() {
        const int first = std::min(size_, 4);
        first_rank_.assign(4096, 0);
        last_rank_.assign(4096, 0);
        for (std::uint32_t rank = 0; rank < orders_; ++rank) {
            const Sequence tiles = order_at(rank, size_);
            const auto last_orders = static_cast<std::uint32_t>(factorial(size_ - first));
            std::uint32_t head = 0;
            std::uint32_t tail = 0;
            for (int i = 0; i < size_; ++i)
                (i < first ? head : tail) |= std::uint32_t{tiles[static_cast<std::size_t>(i)]} << (3 * (i % 4));
            first_rank_[head] = static_cast<std::uint16_t>(rank / last_orders * last_orders);
            last_rank_[tail] = static_cast<std::uint16_t>(rank % last_orders);
        }
    }

    struct Low {
        std::uint32_t rank;
        std::uint32_t high_row;
    };
    int cells_;
    int size_;
    std::uint32_t orders_;
    int low_bits_;
    std::vector<Low> low_rank_;
    std::vector<std::uint32_t> high_rank_;
    std::vector<std::uint16_t> first_rank_;
    std::vector<std::uint16_t> last_rank_;
};

// The table as it is: the mask and the order are followed.
class CompactIndex {
public:
    using SmallMask = HalvedRanks::SmallMask;

    struct Place {
        SmallMask mask;
        std::uint32_t order;
        const std::uint8_t* value;
    };

    static bool serves(const PatternLookup& lookup, int /*columns*/) { return lookup.size <= 8 && lookup.cells.size() <= 25; }

    // An index of the same size as one before shares its ranks.
    CompactIndex(const PatternLookup& lookup, const std::vector<CompactIndex>& before, int /*threads*/, const GoOn&,
                 SpreadTables* = nullptr)
        : values_(lookup.values), size_(lookup.size), cell_(lookup.cells), tile_(lookup.tiles) {
        const auto cells = static_cast<int>(lookup.cells.size());
        for (const CompactIndex& other : before) {
            if (other.ranks_->are_for(cells, lookup.size)) ranks_ = other.ranks_;
        }
        if (!ranks_) ranks_ = std::make_shared<const HalvedRanks>(cells, lookup.size);
    }

    Place start(const std::uint8_t* board) const {
        std::array<std::uint8_t, 32> on_cell{};
        Place at{0, 0, nullptr};
        for (std::size_t cell = 0; cell < cell_.size(); ++cell) {
            if (tile_[board[cell]] == not_in_pattern) continue;
            on_cell[cell_[cell]] = tile_[board[cell]];
            at.mask |= small_bit(cell_[cell]);
        }
        int place = 0;
        for (SmallMask rest = at.mask; rest != 0; rest &= rest - 1, ++place) {
            at.order |= std::uint32_t{on_cell[static_cast<std::size_t>(std::countr_zero(rest))]} << (3 * place);
        }
        at.value = values_ + index(at);
        return at;
    }

    // The value with the tiles of the pattern, by number, on cells of the table; 8 cells are given,
    // those beyond the pattern do not count.
    const std::uint8_t* at(const std::array<std::uint8_t, 8>& cells) const {
        SmallMask mask = 0;
        for (std::size_t tile = 0; tile < static_cast<std::size_t>(size_); ++tile) mask |= small_bit(cells[tile]);
        std::uint32_t order = 0;
        for (std::size_t tile = 0; tile < static_cast<std::size_t>(size_); ++tile)
            order |= static_cast<std::uint32_t>(tile) << (3 * bits_below(mask, cells[tile]));
        return values_ + ranks_->index(mask, order);
    }

    Place moved(Place at, int from, int to) const {
        const int source = cell_[static_cast<std::size_t>(from)];
        const int target = cell_[static_cast<std::size_t>(to)];
        const int low = std::min(source, target);
        const int high = std::max(source, target);
        const SmallMask between = at.mask >> low >> 1 & (small_bit(high - low - 1) - 1);
        if (between != 0) {  // the tile passes others
            const std::uint32_t first = 3 * bits_below(at.mask, low);
            const std::uint32_t width = 3 * bits_of(between);
            const std::uint32_t part = at.order >> first & below(width + 3);
            const std::uint32_t turned = source < target ? part >> 3 | part << width : part << 3 | part >> width;
            at.order ^= (part ^ (turned & below(width + 3))) << first;
        }
        at.mask ^= small_bit(source) ^ small_bit(target);
        at.value = values_ + index(at);
        return at;
    }

private:
    static constexpr SmallMask small_bit(int cell) { return SmallMask{1} << cell; }
    static std::uint32_t below(std::uint32_t bits) { return (std::uint32_t{1} << bits) - 1; }
    // Processors of the oldest kind cannot count bits in one step.
    static std::uint32_t bits_of(SmallMask x) {
        x -= x >> 1 & 0x55555555u;
        x = (x & 0x33333333u) + (x >> 2 & 0x33333333u);
        return ((x + (x >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24;
    }
    static std::uint32_t bits_below(SmallMask mask, int cell) { return bits_of(mask & (small_bit(cell) - 1)); }

    std::size_t index(const Place& at) const { return ranks_->index(at.mask, at.order); }

    const std::uint8_t* values_;
    int size_;
    std::vector<std::uint8_t> cell_;
    std::vector<std::uint8_t> tile_;
    std::shared_ptr<const HalvedRanks> ranks_;
};

}  // namespace tilewise
