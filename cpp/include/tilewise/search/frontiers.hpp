// Open lists: buckets for best-first search, a queue for breadth-first, a stack for depth-first.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

#include "tilewise/observers.hpp"

namespace tilewise {

// Where nodes wait to be expanded. A list that gives back the newest node is pushed to in the
// reverse order of successors, so that the first of them comes out first.
template <class List>
concept OpenList = std::default_initializable<List> &&
                   requires(List list, const List& waiting, std::uint32_t node, std::int64_t priority, int h) {
                       { List::pushes_reversed } -> std::convertible_to<bool>;
                       list.push(node, priority, h);
                       { list.pop() } -> std::same_as<std::uint32_t>;
                       { waiting.size() } -> std::same_as<std::size_t>;
                       { waiting.bytes() } -> std::same_as<std::uint64_t>;
                   };

// Stacks that share their memory: it is handed out in small pieces and taken back, so that many
// stacks together need no more than what they hold.
template <class Value>
class StackPool {
    struct Piece;

public:
    class Stack {
        friend class StackPool;
        Piece* top_ = nullptr;
        std::uint32_t used_ = 0;  // of the top piece

    public:
        bool empty() const { return top_ == nullptr; }
    };

    void push(Stack& stack, Value value) {
        if (stack.top_ == nullptr || stack.used_ == piece_size) {
            Piece* piece = take();
            piece->below = stack.top_;
            stack.top_ = piece;
            stack.used_ = 0;
        }
        stack.top_->values[stack.used_++] = value;
    }

    // There must be a value.
    Value pop(Stack& stack) {
        const Value value = stack.top_->values[--stack.used_];
        if (stack.used_ == 0) {
            Piece* piece = stack.top_;
            stack.top_ = piece->below;
            stack.used_ = piece_size;
            piece->below = free_;
            free_ = piece;
        }
        return value;
    }

    std::uint64_t bytes() const { return pieces_ * sizeof(Piece); }
    // Whether a push may need more memory, and how much there is then.
    bool is_full() const { return free_ == nullptr; }
    std::uint64_t bytes_when_grown() const { return (pieces_ + block()) * sizeof(Piece); }

private:
    static constexpr std::size_t piece_size = (512 - sizeof(void*)) / sizeof(Value);
    struct Piece {
        Piece* below;
        Value values[piece_size];
    };

    std::size_t block() const { return std::clamp<std::size_t>(pieces_ / 4, 16, 2048); }

    Piece* take() {
        if (free_ == nullptr) {
            const std::size_t count = block();
            blocks_.emplace_back(new Piece[count]);
            for (std::size_t i = 0; i < count; ++i) {
                blocks_.back()[i].below = free_;
                free_ = &blocks_.back()[i];
            }
            pieces_ += count;
        }
        Piece* piece = free_;
        free_ = piece->below;
        return piece;
    }

    std::vector<std::unique_ptr<Piece[]>> blocks_;
    std::size_t pieces_ = 0;
    Piece* free_ = nullptr;
};

// Smallest priority first, then smallest h, then newest.
template <class Value>
class BucketsOf {
public:
    static constexpr bool pushes_reversed = false;

    std::size_t size() const { return size_; }

    void push(Value value, std::int64_t priority, int h) {
        const auto level = static_cast<std::size_t>(priority);
        const auto rank = static_cast<std::size_t>(h);
        if (level >= levels_.size()) {
            if (level > most_levels) throw std::length_error("a priority is negative, or too large for the open list");
            levels_.resize(level + 1);
        }
        Level& buckets = levels_[level];
        if (rank >= buckets.by_h.size()) buckets.by_h.resize(rank + 1);
        pool_.push(buckets.by_h[rank], value);
        ++buckets.size;
        if (rank < buckets.least_h) buckets.least_h = rank;
        if (level < least_) least_ = level;
        ++size_;
    }

    // The least priority, where there is any.
    std::size_t best_level() {
        while (levels_[least_].size == 0) ++least_;
        return least_;
    }

    Value pop() {
        Level& buckets = levels_[best_level()];
        while (buckets.by_h[buckets.least_h].empty()) ++buckets.least_h;
        --buckets.size;
        --size_;
        return pool_.pop(buckets.by_h[buckets.least_h]);
    }

    // Priority and h of what was taken last, until something is pushed.
    std::size_t level() const { return least_; }
    std::size_t h() const { return levels_[least_].least_h; }

    std::uint64_t bytes() const { return pool_.bytes(); }
    bool is_full() const { return pool_.is_full(); }
    std::uint64_t bytes_when_grown() const { return pool_.bytes_when_grown(); }

private:
    static constexpr std::size_t most_levels = std::size_t{1} << 26;
    using Pool = StackPool<Value>;
    struct Level {
        std::vector<typename Pool::Stack> by_h;
        std::size_t least_h = SIZE_MAX;
        std::size_t size = 0;
    };
    Pool pool_;
    std::vector<Level> levels_;
    std::size_t least_ = SIZE_MAX;
    std::size_t size_ = 0;
};

using Buckets = BucketsOf<std::uint32_t>;
static_assert(OpenList<Buckets>);

class Queue {
public:
    static constexpr bool pushes_reversed = false;
    std::size_t size() const { return nodes_.size() - head_; }
    void push(std::uint32_t node, std::int64_t, int) { nodes_.push_back(node); }
    std::uint32_t pop() { return nodes_[head_++]; }
    std::uint64_t bytes() const { return nodes_.capacity() * sizeof(std::uint32_t); }

private:
    std::vector<std::uint32_t> nodes_;
    std::size_t head_ = 0;
};
static_assert(OpenList<Queue>);

class Stack {
public:
    static constexpr bool pushes_reversed = true;
    std::size_t size() const { return nodes_.size(); }
    void push(std::uint32_t node, std::int64_t, int) { nodes_.push_back(node); }
    std::uint32_t pop() {
        const std::uint32_t node = nodes_.back();
        nodes_.pop_back();
        return node;
    }
    std::uint64_t bytes() const { return nodes_.capacity() * sizeof(std::uint32_t); }

private:
    std::vector<std::uint32_t> nodes_;
};
static_assert(OpenList<Stack>);

}  // namespace tilewise
