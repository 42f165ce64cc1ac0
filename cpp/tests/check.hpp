// A check of the tests: the program ends at the first that fails, with its line.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace tilewise {

// The built-in functions are older than std::source_location, which clang 14 does not have.
inline void check(bool holds, const char* file = __builtin_FILE(), int line = __builtin_LINE(),
                  const char* function = __builtin_FUNCTION()) {
    if (holds) return;
    std::fprintf(stderr, "%s:%d: a check of %s failed\n", file, line, function);
    std::exit(1);
}

}  // namespace tilewise
