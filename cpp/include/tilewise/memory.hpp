// Arrays for tables of many megabytes: they grow in place where the system can (realloc moves
// pages, not bytes), start as zeros without being written, and ask for huge pages.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace tilewise {

inline void advise_huge_pages(void* memory, std::size_t bytes) {
#if defined(__linux__)
    constexpr std::uintptr_t huge_page = std::uintptr_t{2} << 20;
    const auto begin = (reinterpret_cast<std::uintptr_t>(memory) + huge_page - 1) & ~(huge_page - 1);
    const auto end = (reinterpret_cast<std::uintptr_t>(memory) + bytes) & ~(huge_page - 1);
    if (end > begin) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#else
    static_cast<void>(memory);
    static_cast<void>(bytes);
#endif
}

// Ask for memory that will be read soon.
inline void prefetched(const void* memory) {
#if defined(__GNUC__)
    __builtin_prefetch(memory);
#else
    static_cast<void>(memory);
#endif
}

// A vector of trivial values that grows by realloc.
template <class T>
class GrowingArray {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    GrowingArray() = default;
    GrowingArray(const GrowingArray&) = delete;
    GrowingArray& operator=(const GrowingArray&) = delete;
    ~GrowingArray() { std::free(values_); }

    std::size_t size() const { return size_; }
    std::size_t capacity() const { return capacity_; }
    T& operator[](std::size_t i) { return values_[i]; }
    const T& operator[](std::size_t i) const { return values_[i]; }

    void reserve(std::size_t capacity) {
        void* grown = std::realloc(values_, capacity * sizeof(T));
        if (grown == nullptr) throw std::bad_alloc();
        advise_huge_pages(grown, capacity * sizeof(T));
        values_ = static_cast<T*>(grown);
        capacity_ = capacity;
    }

    // There must be room.
    void push_back(const T& value) { ::new (&values_[size_++]) T(value); }

private:
    T* values_ = nullptr;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

// A fixed number of values whose bytes are all zero at first.
template <class T>
class ZeroedArray {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    ZeroedArray() = default;
    explicit ZeroedArray(std::size_t size) : values_(static_cast<T*>(std::calloc(size, sizeof(T)))), size_(size) {
        if (values_ == nullptr) throw std::bad_alloc();
        advise_huge_pages(values_, size * sizeof(T));
    }
    ZeroedArray(ZeroedArray&& other) noexcept
        : values_(std::exchange(other.values_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    ZeroedArray& operator=(ZeroedArray&& other) noexcept {
        std::swap(values_, other.values_);
        std::swap(size_, other.size_);
        return *this;
    }
    ~ZeroedArray() { std::free(values_); }

    std::size_t size() const { return size_; }
    T& operator[](std::size_t i) { return values_[i]; }
    const T& operator[](std::size_t i) const { return values_[i]; }
    const T* begin() const { return values_; }
    const T* end() const { return values_ + size_; }

private:
    T* values_ = nullptr;
    std::size_t size_ = 0;
};

// An array of values whose bytes are zero at first, which can grow. Large arrays grow in place:
// their addresses are reserved ahead, and memory is taken only for what is used.
template <class T>
class GrowingZeros {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    // The array will never take more than `most_bytes`, and a little to round up.
    explicit GrowingZeros(std::uint64_t most_bytes) : most_bytes_(most_bytes) {}
    GrowingZeros(const GrowingZeros&) = delete;
    GrowingZeros& operator=(const GrowingZeros&) = delete;
    ~GrowingZeros() { release(); }

    std::size_t size() const { return size_; }
    T& operator[](std::size_t i) { return values_[i]; }
    const T& operator[](std::size_t i) const { return values_[i]; }

    void grow(std::size_t size) {
        const std::size_t before = size_ * sizeof(T);
        const std::size_t bytes = size * sizeof(T);
        if (reserved_ == 0 && bytes >= worth_reserving) reserve(bytes);
        if (reserved_ > 0) {
            if (bytes > reserved_) throw std::bad_alloc();
        } else {
            void* grown = std::realloc(static_cast<void*>(values_), bytes);
            if (grown == nullptr) throw std::bad_alloc();
            values_ = static_cast<T*>(grown);
            std::memset(reinterpret_cast<char*>(values_) + before, 0, bytes - before);
        }
        advise_huge_pages(values_, bytes);
        size_ = size;
    }

private:
    static constexpr std::size_t worth_reserving = std::size_t{1} << 20;
    static constexpr std::uint64_t most_reserved = std::uint64_t{1} << 40;

    // Move to reserved addresses, where they can be had.
    void reserve([[maybe_unused]] std::size_t bytes) {
#if defined(__linux__)
        const std::size_t reserved = static_cast<std::size_t>(std::min(most_bytes_, most_reserved)) + worth_reserving;
        if (reserved < bytes) return;
        void* memory = mmap(nullptr, reserved, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) return;
        advise_huge_pages(memory, bytes);
        if (size_ > 0) std::memcpy(memory, static_cast<const void*>(values_), size_ * sizeof(T));
        std::free(values_);
        values_ = static_cast<T*>(memory);
        reserved_ = reserved;
#endif
    }

    void release() {
#if defined(__linux__)
        if (reserved_ > 0) {
            munmap(static_cast<void*>(values_), reserved_);
            return;
        }
#endif
        std::free(values_);
    }

    std::uint64_t most_bytes_;
    T* values_ = nullptr;
    std::size_t size_ = 0;
    std::size_t reserved_ = 0;
};

}  // namespace tilewise
