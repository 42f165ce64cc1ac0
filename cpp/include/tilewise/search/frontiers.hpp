// Open lists: buckets for best-first search, a queue for breadth-first, a stack for depth-first.
#pragma once

#include <cstdint>
#include <vector>

#include "tilewise/observers.hpp"

namespace tilewise {

// Smallest priority first, then smallest h, then newest.
class Buckets {
public:
    static constexpr bool pushes_reversed = false;

    std::size_t size() const { return size_; }

    void push(std::uint32_t node, std::int64_t priority, int h) {
        const auto level = static_cast<std::size_t>(priority);
        const auto rank = static_cast<std::size_t>(h);
        if (level >= levels_.size()) levels_.resize(level + 1);
        Level& buckets = levels_[level];
        if (rank >= buckets.by_h.size()) buckets.by_h.resize(rank + 1);
        buckets.by_h[rank].push_back(node);
        ++buckets.size;
        if (rank < buckets.least_h) buckets.least_h = rank;
        if (level < least_) least_ = level;
        ++size_;
    }

    std::uint32_t pop() {
        while (levels_[least_].size == 0) ++least_;
        Level& buckets = levels_[least_];
        while (buckets.by_h[buckets.least_h].empty()) ++buckets.least_h;
        auto& bucket = buckets.by_h[buckets.least_h];
        const std::uint32_t node = bucket.back();
        bucket.pop_back();
        --buckets.size;
        --size_;
        return node;
    }

private:
    struct Level {
        std::vector<std::vector<std::uint32_t>> by_h;
        std::size_t least_h = SIZE_MAX;
        std::size_t size = 0;
    };
    std::vector<Level> levels_;
    std::size_t least_ = SIZE_MAX;
    std::size_t size_ = 0;
};

class Queue {
public:
    static constexpr bool pushes_reversed = false;
    std::size_t size() const { return nodes_.size() - head_; }
    void push(std::uint32_t node, std::int64_t, int) { nodes_.push_back(node); }
    std::uint32_t pop() { return nodes_[head_++]; }

private:
    std::vector<std::uint32_t> nodes_;
    std::size_t head_ = 0;
};

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

private:
    std::vector<std::uint32_t> nodes_;
};

}  // namespace tilewise
