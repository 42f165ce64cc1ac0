// The last resort at a signal: ends the process where Python cannot, because native code holds its lock for long.
#include "watching.hpp"

#ifdef _WIN32

void bind_watching(nanobind::module_&) {}

#else

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <thread>

#include "arguments.hpp"

namespace nb = nanobind;

namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr int look_every = 10;  // milliseconds, once a signal has come

std::atomic<double> patience{std::numeric_limits<double>::infinity()};
std::atomic<int> exit_code{130};

// Ask the processes that this one has started to end. Those of another group are not ours: a browser that was opened.
void end_children() {
    std::error_code none;
    for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task", none)) {
        std::ifstream children(thread.path() / "children");
        for (pid_t child = 0; children >> child;)
            if (getpgid(child) == getpgrp()) kill(child, SIGTERM);
    }
}

void watch(int reading, int writing, Seconds again) {
    std::optional<Clock::time_point> first;
    while (true) {
        pollfd waiting{reading, POLLIN, 0};
        const int ready = poll(&waiting, 1, first ? look_every : -1);
        const auto now = Clock::now();
        double allowed = patience.load();
        if (ready > 0) {
            unsigned char number = 0;
            if (read(reading, &number, 1) != 1) return;
            // who reads there may be the one that does not come to it
            [[maybe_unused]] const auto passed_on = write(writing, &number, 1);
            if (number == SIGINT || number == SIGTERM) {
                if (first && now - *first > again) allowed = 0;
                if (!first) first = now;
            }
        }
        if (first && Seconds(now - *first).count() > allowed) {
            end_children();
            _exit(exit_code.load());
        }
    }
}

}  // namespace

void bind_watching(nb::module_& module) {
    module.def(
        "watch_signals",
        [](int reading, int writing, double again) {
            expect(reading >= 0 && writing >= 0 && again >= 0, "expected two files and seconds");
            // a thread inherits what is blocked: signals are for Python's threads
            sigset_t all, before;
            sigfillset(&all);
            pthread_sigmask(SIG_SETMASK, &all, &before);
            try {
                std::thread(watch, reading, writing, Seconds(again)).detach();
            } catch (...) {
                pthread_sigmask(SIG_SETMASK, &before, nullptr);
                throw;
            }
            pthread_sigmask(SIG_SETMASK, &before, nullptr);
        },
        nb::arg("reading"), nb::arg("writing"), nb::arg("again"),
        "Pass on the numbers of signals from one file to another, and end the process if Python does not.");
    module.def(
        "set_patience",
        [](double seconds, int code) {
            expect(seconds >= 0 && code >= 0 && code <= 255, "expected seconds, and an exit code of 0 to 255");
            exit_code = code;
            patience = seconds;
        },
        nb::arg("seconds"), nb::arg("code"), "Seconds after the first signal until the process is ended, and its exit code.");
}

#endif
