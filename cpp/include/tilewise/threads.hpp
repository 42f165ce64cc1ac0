// Several threads at one piece of work; the calling thread is one of them.
#pragma once

#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace tilewise {

// Run `work(0) ... work(threads - 1)` at the same time and wait for all. The first exception is
// thrown again here; the work must see by itself that the others should end.
template <class Work>
void in_threads(int threads, Work work) {
    std::exception_ptr failure;
    std::mutex failing;
    auto guarded = [&](int number) {
        try {
            work(number);
        } catch (...) {
            const std::lock_guard lock(failing);
            if (!failure) failure = std::current_exception();
        }
    };
    std::vector<std::thread> others;
    for (int number = 1; number < threads; ++number) others.emplace_back(guarded, number);
    guarded(0);
    for (std::thread& other : others) other.join();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace tilewise
