// An allocator that asks for huge pages where the system has them: tables of many megabytes
// that are looked up at random lose half of their time to small pages.
#pragma once

#include <cstddef>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace tilewise {

template <class T>
struct HugePageAllocator {
    using value_type = T;

    HugePageAllocator() = default;
    template <class U>
    HugePageAllocator(const HugePageAllocator<U>&) {}

    T* allocate(std::size_t count) {
        const std::size_t bytes = count * sizeof(T);
        void* memory = ::operator new(bytes, std::align_val_t{alignment(bytes)});
#if defined(__linux__)
        if (bytes >= huge_page) madvise(memory, bytes, MADV_HUGEPAGE);
#endif
        return static_cast<T*>(memory);
    }

    void deallocate(T* memory, std::size_t count) { ::operator delete(memory, std::align_val_t{alignment(count * sizeof(T))}); }

    friend bool operator==(const HugePageAllocator&, const HugePageAllocator&) { return true; }

private:
    static constexpr std::size_t huge_page = std::size_t{2} << 20;
    static constexpr std::size_t alignment(std::size_t bytes) { return bytes >= huge_page ? huge_page : alignof(std::max_align_t); }
};

}  // namespace tilewise
