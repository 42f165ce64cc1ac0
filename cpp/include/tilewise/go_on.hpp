// Ending work that is no search, such as making a table.
#pragma once

#include <exception>
#include <functional>

namespace tilewise {

// Called now and then while something large is made; false ends it.
using GoOn = std::function<bool()>;

// Thrown by what was ended so.
struct Ended : std::exception {
    const char* what() const noexcept override { return "ended by its caller"; }
};

// Ends the work here if its caller wants that; without a caller's function it goes on.
inline void check(const GoOn& go_on) {
    if (go_on && !go_on()) throw Ended{};
}

}  // namespace tilewise
