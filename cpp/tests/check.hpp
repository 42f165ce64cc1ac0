// A check of the tests: the program ends at the first that fails, with its line.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <source_location>

namespace tilewise {

inline void check(bool holds, std::source_location where = std::source_location::current()) {
    if (holds) return;
    std::fprintf(stderr, "%s:%u: a check of %s failed\n", where.file_name(), static_cast<unsigned>(where.line()),
                 where.function_name());
    std::exit(1);
}

}  // namespace tilewise
