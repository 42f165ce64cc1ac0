// Threads that stay for many short pieces of work; the calling thread is one of them and alone decides what comes next.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <system_error>
#include <thread>
#include <vector>

#include "tilewise/threads.hpp"

namespace tilewise {

class Team {
public:
    explicit Team(int threads) {
        try {
            others_.reserve(static_cast<std::size_t>(threads));
            for (int number = 1; number < threads; ++number) others_.emplace_back([this] { wait_for_work(); });
        } catch (const std::system_error&) {  // those that run already must end
            end();
            throw NoThreads{};
        } catch (...) {
            end();
            throw;
        }
    }
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;
    ~Team() { end(); }

    // Call `item(0) ... item(items - 1)`, shared out among the threads, and wait for all. The items must not throw.
    template <class Item>
    void share(std::uint32_t items, Item item) {
        next_.store(0, std::memory_order_relaxed);
        const auto all = [&] {
            for (std::uint32_t i = next_.fetch_add(1); i < items; i = next_.fetch_add(1)) item(i);
        };
        if (others_.empty() || items < 2) {
            all();
            return;
        }
        work_ = all;
        busy_.store(static_cast<std::uint32_t>(others_.size()), std::memory_order_relaxed);
        begin();
        all();
        for (std::uint32_t busy = busy_.load(); busy != 0; busy = busy_.load()) busy_.wait(busy);
    }

private:
    void begin() {
        turn_.fetch_add(1);
        turn_.notify_all();
    }

    void end() {
        work_ = nullptr;
        begin();
        for (std::thread& other : others_) other.join();
    }

    void wait_for_work() {
        for (std::uint32_t seen = 0;;) {
            turn_.wait(seen);
            ++seen;  // the next turn begins only when all have ended this one
            if (!work_) return;
            work_();
            if (busy_.fetch_sub(1) == 1) busy_.notify_one();
        }
    }

    std::function<void()> work_;
    std::atomic<std::uint32_t> turn_{0};
    std::atomic<std::uint32_t> busy_{0};
    alignas(128) std::atomic<std::uint32_t> next_{0};
    std::vector<std::thread> others_;
};

}  // namespace tilewise
