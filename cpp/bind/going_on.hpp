// Work that is no search, such as making a table: lets Ctrl-C in and asks the caller whether to go on.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>

#include "arguments.hpp"
#include "gil.hpp"
#include "tilewise/go_on.hpp"

// Called without the GIL, it asks at the start and then about as often as this.
inline tilewise::GoOn going_on(const nanobind::object& poll, std::chrono::milliseconds between = std::chrono::milliseconds(50)) {
    using Clock = std::chrono::steady_clock;
    checked_poll(poll);
    return [poll, between, next = Clock::time_point()]() mutable {
        if (Clock::now() < next) return true;
        const GilHeld gil;
        if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
        const bool ends = !poll.is_none() && nanobind::cast<bool>(poll());
        next = Clock::now() + between;
        return !ends;
    };
}
