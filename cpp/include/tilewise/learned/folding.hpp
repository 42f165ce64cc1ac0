// Half of a square shape's weights. A board and its transposed image have the same value, so the weights of two cells and
// those of their transposed cells are images of each other, and a file needs only one of the two.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "tilewise/learned/pair_layout.hpp"

namespace tilewise {

class Folding {
public:
    explicit Folding(const PairLayout& layout) : layout_(layout) {
        if (layout.rows() != layout.columns()) throw std::invalid_argument("weights of a square shape can be folded");
        const int cells = layout.cells();
        for (int a = 0; a < cells; ++a) {
            turned_.push_back(static_cast<std::size_t>(layout.transposed(a)));
            for (int b = a + 1; b < cells; ++b) {
                const int first = layout.transposed(a);
                const int second = layout.transposed(b);
                const bool swapped = first > second;
                const std::size_t image = swapped ? layout.pair(second, first) : layout.pair(first, second);
                if (layout.pair(a, b) <= image) kept_.push_back({layout.pair(a, b), image, swapped});
            }
        }
    }

    // The number of weights that are left.
    std::size_t size() const { return kept_.size() * layout_.singles(); }

    // The weights of one of each two images; false if some are not equal.
    bool fold(const std::int16_t* own, std::int16_t* half) const {
        for (const Kept& each : kept_) {
            const std::int16_t* from = own + each.pair * layout_.singles();
            const std::int16_t* image = own + each.image * layout_.singles();
            int differences = 0;
            walk(each, [&](std::size_t at, std::size_t other) { differences |= (half[at] = from[at]) ^ image[other]; });
            if (differences != 0) return false;
            half += layout_.singles();
        }
        return true;
    }

    // All weights of pairs, from those of one of each two images.
    void unfold(const std::int16_t* half, std::int16_t* own) const {
        for (const Kept& each : kept_) {
            std::int16_t* to = own + each.pair * layout_.singles();
            std::int16_t* image = own + each.image * layout_.singles();
            walk(each, [&](std::size_t at, std::size_t other) { to[at] = image[other] = half[at]; });
            half += layout_.singles();
        }
    }

private:
    struct Kept {
        std::size_t pair;
        std::size_t image;
        bool swapped;  // the image's first cell is that of the pair's second
    };

    // Each two tiles of a pair, and where the same tiles, transposed, are in its image.
    template <class Visit>
    void walk(const Kept& each, Visit visit) const {
        const std::size_t for_first = each.swapped ? 1 : turned_.size();
        const std::size_t for_second = each.swapped ? turned_.size() : 1;
        std::size_t at = 0;
        for (const std::size_t first : turned_) {
            for (const std::size_t second : turned_) visit(at++, first * for_first + second * for_second);
        }
    }

    const PairLayout& layout_;
    std::vector<std::size_t> turned_;  // the transposed cell of each one
    std::vector<Kept> kept_;
};

}  // namespace tilewise
