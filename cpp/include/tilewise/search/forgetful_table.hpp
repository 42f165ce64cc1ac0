// The states of a beam's last layers, by hash, in bounded memory: a full bucket forgets its oldest entry.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "tilewise/memory.hpp"

namespace tilewise {

class ForgetfulTable {
public:
    ForgetfulTable(const ForgetfulTable&) = delete;
    ForgetfulTable& operator=(const ForgetfulTable&) = delete;
    // Room for at least this number of entries. Parts can be used by different threads.
    ForgetfulTable(std::uint64_t entries, std::uint32_t parts)
        : parts_(parts), buckets_(buckets_for(entries, parts)), memory_(parts_ * buckets_ * width + width) {
        const auto address = reinterpret_cast<std::uintptr_t>(memory_.begin());
        table_ = &memory_[(64 - address % 64) % 64 / sizeof(std::uint64_t)];
    }
    static std::uint64_t bytes_for(std::uint64_t entries, std::uint32_t parts) {
        return parts * buckets_for(entries, parts) * 64;
    }

    void clear() { std::memset(table_, 0, parts_ * buckets_ * 64); }
    void prefetch(std::uint32_t part, std::uint64_t hash) const { __builtin_prefetch(bucket(part, hash), 1); }

    // Whether the state is new; then it is remembered.
    bool add(std::uint32_t part, std::uint64_t hash) {
        std::uint64_t* entries = bucket(part, hash);
        const std::uint64_t key = hash & ~low_bits;
        bool known = false;  // all entries are looked at: a branch for each would often be mistaken
        for (std::uint64_t i = 0; i < width; ++i) known |= (entries[i] & ~low_bits) == key;
        if (known) return false;
        const std::uint64_t turn = entries[0] & low_bits;
        entries[turn] = key;
        entries[0] = (entries[0] & ~low_bits) | ((turn + 1) & low_bits);
        return true;
    }

private:
    static constexpr std::uint64_t width = 8;
    // The same for all hashes of a bucket. In its first entry they say whose turn it is: its oldest one's.
    static constexpr std::uint64_t low_bits = width - 1;

    static std::uint64_t buckets_for(std::uint64_t entries, std::uint32_t parts) {
        std::uint64_t buckets = 8;
        while (buckets * width * parts < entries) buckets *= 2;
        return buckets;
    }
    std::uint64_t* bucket(std::uint32_t part, std::uint64_t hash) const {
        return &table_[(part * buckets_ + (hash & (buckets_ - 1))) * width];
    }

    std::uint64_t parts_;
    std::uint64_t buckets_;
    ZeroedArray<std::uint64_t> memory_;  // taken from the system as it is used
    std::uint64_t* table_;               // where its first whole cache line begins
};

}  // namespace tilewise
