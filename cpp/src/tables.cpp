// Which kernels there are on this processor.

#include <stdexcept>

#include "tilewise/patterns/kernels.hpp"
#if defined(TILEWISE_X86_LEVELS)
#include "tilewise/patterns/cpu_levels.hpp"
#endif

namespace tilewise {

extern const Kernels portable;
#if defined(TILEWISE_X86_LEVELS)
extern const Kernels avx2;
extern const Kernels avx512;
#endif

std::vector<const Kernels*> kernels() {
    std::vector<const Kernels*> levels;
#if defined(TILEWISE_X86_LEVELS)
    if (has_avx512()) levels.push_back(&avx512);
    if (has_avx2()) levels.push_back(&avx2);
#endif
    levels.push_back(&portable);
    return levels;
}

const Kernels& kernels_named(const std::string& name) {
    for (const Kernels* level : kernels()) {
        if (name.empty() || name == level->name) return *level;
    }
    throw std::invalid_argument("no kernels " + name + " on this processor");
}

}  // namespace tilewise
