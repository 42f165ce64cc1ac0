// Building a pattern database: breadth-first by blocks of a layout.
//
// A level is a set of orders for each block. A move of a tile changes the colour of its mask, and
// moves can be undone, so what one move reaches from level n is level n + 1 together with parts
// of level n - 1. Each block therefore holds one set: blocks of one colour the last level, those
// of the other colour the level before, which becomes the next one.
#pragma once

#include <algorithm>
#include <atomic>
#include <barrier>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "tilewise/memory.hpp"
#include "tilewise/patterns/kernels.hpp"
#include "tilewise/patterns/layout.hpp"
#include "tilewise/patterns/progress.hpp"
#include "tilewise/patterns/rotations.hpp"
#include "tilewise/threads.hpp"

namespace tilewise {

constexpr std::uint8_t unreachable = 255;

class PatternBuilder {
public:
    // The table proper has the least value of all components that the blank may be in.
    enum class Keep { least, each };

    // A caller who ends it gets a builder whose run() is over at once.
    PatternBuilder(int rows, int columns, int tiles, const Kernels& kernels, Progress* progress = nullptr)
        : layout_(rows, columns, tiles, progress),
          orders_(factorial(tiles)),
          words_(static_cast<std::uint32_t>((orders_ + 23) / 24)),
          rotations_(tiles, columns, kernels),
          kernels_(kernels),
          sets_(static_cast<std::size_t>(layout_.blocks()) * words_),
          valued_(layout_.masks() * words_),
          count_(layout_.blocks()),
          left_(layout_.blocks(), static_cast<std::uint32_t>(orders_)) {}

    const PatternLayout& layout() const { return layout_; }
    std::uint64_t orders() const { return orders_; }
    // One for each set of cells and order; while each component is kept apart, for each block.
    std::uint64_t entries(Keep keep = Keep::least) const {
        return (keep == Keep::least ? layout_.masks() : layout_.blocks()) * orders_;
    }

    // Fill `values`, which has entries(keep) bytes: the pattern at home on `goal` with the blank
    // on `blank` is at 0 moves. False if the caller ended it.
    bool run(Mask goal, int blank, std::uint8_t* values, int threads, Progress& progress, Keep keep = Keep::least) {
        values_ = values;
        keep_ = keep;
        in_threads(threads, [&](int number) {  // the first touch of memory is slow
            const auto part = [&](int at) {
                return entries(keep) * static_cast<std::uint64_t>(at) / static_cast<std::uint64_t>(threads);
            };
            for (std::uint64_t from = part(number); from < part(number + 1) && !progress.ended(); from += bytes_between_looks) {
                std::memset(values + from, unreachable, std::min(bytes_between_looks, part(number + 1) - from));
                if (number == 0) progress.look();
            }
        });
        if (progress.ended()) return false;
        const std::uint32_t home = layout_.block_of(goal, blank);
        sets_[std::size_t{home} * words_] = 1;
        count_[home] = 1;
        --left_[home];
        *values_of(layout_.rank(goal), home) = 0;
        *valued(layout_.rank(goal)) = 1;
        colour_ = layout_.colour(layout_.rank(goal));
        progress.add(1);
        // all threads must agree whether to go on: one that left alone would keep the others waiting
        std::barrier next_level(threads, [this, &progress]() noexcept {
            more_ = made_.exchange(0) > 0 && !progress.ended();
            next_.store(0);
            ++level_;
        });
        in_threads(threads, [&](int number) {
            std::vector<std::uint32_t> made(2 * std::size_t{words_});  // and what is between
            do {
                try {
                    make_level(number == 0, made.data(), progress);
                } catch (...) {
                    progress.end();
                    next_level.arrive_and_drop();
                    throw;
                }
                next_level.arrive_and_wait();
            } while (more_);
        });
        return !progress.ended();
    }

private:
    static constexpr std::size_t masks_at_once = 64;
    static constexpr std::uint64_t bytes_between_looks = std::uint64_t{1} << 22;

    // One thread's share of the blocks that level_ + 1 can have.
    void make_level(bool calling, std::uint32_t* made, Progress& progress) {
        const int level = level_ + 1;
        std::uint64_t found = 0;
        for (;;) {
            const std::size_t begin = next_.fetch_add(masks_at_once);
            if (begin >= layout_.masks() || progress.ended()) break;
            const std::size_t end = std::min(begin + masks_at_once, layout_.masks());
            std::uint64_t given = 0;
            for (std::size_t mask = begin; mask < end; ++mask) {
                if (layout_.colour(mask) != ((colour_ + level) & 1)) continue;
                for (std::uint32_t block = layout_.first_block(mask); block < layout_.first_block(mask + 1); ++block) {
                    const std::uint32_t fresh = make_block(block, made);
                    found += fresh;
                    if (fresh > 0) given += give_values(mask, block, static_cast<std::uint8_t>(level), made, fresh);
                }
            }
            progress.add(given);
            if (calling) progress.look();
        }
        made_.fetch_add(found);
    }

    // The next set of a block; returns its size.
    std::uint32_t make_block(std::uint32_t block, std::uint32_t* made) {
        const std::uint32_t before = count_[block];
        count_[block] = 0;
        if (left_[block] == 0) return 0;
        bool any = false;
        for (const Passage& passage : layout_.passages(block)) {
            if (count_[passage.source] == 0) continue;
            if (!any) std::memset(made, 0, std::size_t{words_} * 4);
            any = true;
            rotations_.apply(passage.from, passage.to, made, set(passage.source), count_[passage.source], made + words_);
        }
        if (!any) return 0;
        if (before == 0) std::memset(set(block), 0, std::size_t{words_} * 4);
        count_[block] = kernels_.renew(set(block), made, words_);
        left_[block] -= count_[block];
        return count_[block];
    }

    // Give the fresh orders of a block their value, where no other component did; returns to how
    // many.
    std::uint32_t give_values(std::size_t mask, std::uint32_t block, std::uint8_t level, std::uint32_t* room,
                              std::uint32_t fresh) {
        const std::uint32_t* orders = set(block);
        if (keep_ == Keep::least && layout_.first_block(mask + 1) - layout_.first_block(mask) > 1) {
            fresh = kernels_.claim(room, orders, valued(mask), words_);
            if (fresh == 0) return 0;
            orders = room;
        }
        kernels_.value(values_of(mask, block), orders, words_, level);
        return fresh;
    }

    std::uint8_t* values_of(std::size_t mask, std::uint32_t block) const {
        return values_ + (keep_ == Keep::least ? mask : block) * orders_;
    }

    std::uint32_t* valued(std::size_t mask) { return &valued_[mask * words_]; }
    std::uint32_t* set(std::uint32_t block) { return &sets_[std::size_t{block} * words_]; }

    PatternLayout layout_;
    std::uint64_t orders_;
    std::uint32_t words_;
    Rotations rotations_;
    const Kernels& kernels_;
    ZeroedArray<std::uint32_t> sets_;
    ZeroedArray<std::uint32_t> valued_;  // for each mask the orders that have a value
    std::vector<std::uint32_t> count_;   // orders in the set of a block
    std::vector<std::uint32_t> left_;    // orders of a block that no level has had
    std::uint8_t* values_ = nullptr;
    Keep keep_ = Keep::least;
    int colour_ = 0;
    int level_ = 0;
    bool more_ = true;
    std::atomic<std::size_t> next_ = 0;
    std::atomic<std::uint64_t> made_ = 0;
};

}  // namespace tilewise
