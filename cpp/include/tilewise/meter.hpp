// The limits of one running search. The search asks when its generated counter equals pause().
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>

#include "tilewise/outcome.hpp"

namespace tilewise {

struct Limits {
    std::uint64_t generated = UINT64_MAX;
    double seconds = 0;  // 0 is no limit
    std::uint64_t memory = UINT64_MAX;
};

class Meter {
public:
    // `poll` is called about every 50 ms; it returns true to cancel the search.
    using Poll = std::function<bool(const Stats&)>;

    Meter(Limits limits, Poll poll) : limits_(limits), poll_(std::move(poll)) {}
    virtual ~Meter() = default;

    std::uint64_t pause() const { return pause_; }
    std::uint64_t most_generated() const { return limits_.generated; }
    Status status() const { return status_; }
    bool out_of_time() const { return out_of_time_; }

    // Whether the search must end here; if so status() says why.
    virtual bool stop(const Stats& stats) {
        if (stats.generated >= limits_.generated || over(stats)) return true;
        pause_ = std::min(limits_.generated, stats.generated + nodes_between_checks);
        return false;
    }

    // Whether time or the caller ends the search, however many nodes it may still make.
    bool over(const Stats& stats) {
        const auto now = Clock::now();
        if (limits_.seconds > 0 && now - began_ >= std::chrono::duration<double>(limits_.seconds)) {
            out_of_time_ = true;
            return true;
        }
        if (poll_ && now - polled_ >= std::chrono::milliseconds(50)) {
            polled_ = now;
            if (poll_(stats)) {
                status_ = Status::cancelled;
                return true;
            }
        }
        return false;
    }

    // The search begins anew and counts from 0; its time runs on.
    void begin_anew() { pause_ = 0; }

    bool has_memory_for(std::uint64_t bytes) const { return bytes <= limits_.memory; }
    std::uint64_t memory() const { return limits_.memory; }

protected:
    static constexpr std::uint64_t nodes_between_checks = 8200;  // kernels that check at 8192 get to it
    void pause_at(std::uint64_t generated) { pause_ = generated; }

private:
    using Clock = std::chrono::steady_clock;

    Limits limits_;
    Poll poll_;
    Status status_ = Status::limit;
    bool out_of_time_ = false;
    std::uint64_t pause_ = 0;
    Clock::time_point began_ = Clock::now();
    Clock::time_point polled_ = began_;
};

}  // namespace tilewise
