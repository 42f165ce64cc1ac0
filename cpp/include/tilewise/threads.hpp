// Several threads at one piece of work; the calling thread is one of them.
#pragma once

#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace tilewise {

// The system does not give as many threads as are wanted.
struct NoThreads : std::exception {
    const char* what() const noexcept override {
        return "expected more threads than the system gives now: choose fewer, or raise its limit";
    }
};

// Run `work(0) ... work(threads - 1)` at the same time and wait for all. The first exception is
// thrown again here; the work must see by itself that the others should end. Where the system does
// not give all of the threads, that is an exception too, and no work is begun.
template <class Work>
void in_threads(int threads, Work work) {
    std::exception_ptr failure;
    std::mutex failing;
    enum Gate { closed, open, given_up };
    std::atomic<Gate> gate = threads > 1 ? closed : open;
    auto guarded = [&](int number) {
        gate.wait(closed);
        if (gate == given_up) return;
        try {
            work(number);
        } catch (...) {
            const std::lock_guard lock(failing);
            if (!failure) failure = std::current_exception();
        }
    };
    std::vector<std::thread> others;
    others.reserve(static_cast<std::size_t>(threads));
    const auto go = [&](Gate how) {
        gate = how;
        gate.notify_all();
    };
    try {
        for (int number = 1; number < threads; ++number) others.emplace_back(guarded, number);
    } catch (const std::system_error&) {
        failure = std::make_exception_ptr(NoThreads{});
    } catch (...) {
        failure = std::current_exception();
    }
    go(failure ? given_up : open);
    guarded(0);
    for (std::thread& other : others) other.join();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace tilewise
