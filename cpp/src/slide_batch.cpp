// Whether this processor can change the values of many boards at once.

#include "tilewise/learned/slide_batch.hpp"

#if defined(TILEWISE_X86_LEVELS)
#include "tilewise/patterns/cpu_levels.hpp"
#endif

namespace tilewise {

#if defined(TILEWISE_X86_LEVELS)
void batched_changes_avx512(SlideBatch& batch);

ChangeValues batched_changes() { return has_avx512() ? batched_changes_avx512 : nullptr; }
#else
ChangeValues batched_changes() { return nullptr; }
#endif

}  // namespace tilewise
