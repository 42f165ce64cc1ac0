// Reports the progress of building a table to the caller now and then, who may end it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>

namespace tilewise {

class Progress {
public:
    // Called about every 50 ms by the calling thread; true ends the building.
    using Poll = std::function<bool(std::uint64_t done, std::uint64_t total)>;

    Progress(std::uint64_t total, Poll poll) : total_(total), poll_(std::move(poll)) {}

    void add(std::uint64_t done) { done_.fetch_add(done, std::memory_order_relaxed); }
    std::uint64_t done() const { return done_.load(std::memory_order_relaxed); }
    bool ended() const { return ended_.load(std::memory_order_relaxed); }
    void end() { ended_.store(true, std::memory_order_relaxed); }

    // For the calling thread alone.
    void look() {
        const auto now = Clock::now();
        if (!poll_ || now - looked_ < std::chrono::milliseconds(50)) return;
        looked_ = now;
        try {
            if (poll_(done(), total_)) end();
        } catch (...) {
            end();
            throw;
        }
    }

private:
    using Clock = std::chrono::steady_clock;
    std::uint64_t total_;
    Poll poll_;
    std::atomic<std::uint64_t> done_ = 0;
    std::atomic<bool> ended_ = false;
    Clock::time_point looked_ = Clock::now();
};

}  // namespace tilewise
