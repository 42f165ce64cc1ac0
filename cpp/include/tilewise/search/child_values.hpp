// The values of the children of a layer's nodes, with as few looks at memory as their kind allows.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "tilewise/learned/homes_board.hpp"
#include "tilewise/learned/slide_batch.hpp"
#include "tilewise/search/beam_layer.hpp"
#include "tilewise/search/blank_slides.hpp"
#include "tilewise/search/board_values.hpp"

namespace tilewise {

template <BoardValues Values, int Cells>
class ChildValues {
public:
    static constexpr std::uint32_t most_nodes = 8192;  // at once

    ChildValues(const Values& values, const BlankSlides& slides, const BeamLayer<Values>& layer)
        : values_(values), slides_(slides), layer_(layer), cells_(static_cast<std::size_t>(values.cells())) {}

    // Call note(node, slide, way, tile, value) for each slide of the nodes, which are sorted by the blank's cell. Slides have
    // numbers in the order of their list.
    template <class Note>
    void each(std::uint32_t first, std::uint32_t last, Note note) const {
        if constexpr (CarriedValues<Values>) {
            value_when_read(first, last, note);
        } else if constexpr (SummedValues<Values>) {
            for (std::uint32_t end = first, node = first; node < last; node = end) {
                while (end < last && layer_.blanks[end] == layer_.blanks[node]) ++end;
                value_by_slides(node, end, note);
            }
        } else {
            typename Values::Prepared prepared;
            for (std::uint32_t node = first; node < last; ++node) {
                values_.prepare(&layer_.boards[node * cells_], prepared);
                each_slide(node, [&](std::size_t slide, int way, HomeCell tile) {
                    const int blank = layer_.blanks[node];
                    note(node, slide, way, tile, values_.template after<Cells>(layer_.values[node], prepared, blank, way, tile));
                });
            }
        }
    }

private:
    static constexpr std::uint32_t fewest_sorted = 32;  // nodes
    static constexpr std::size_t fewest_batched = 6;    // slides that are alike
    static constexpr std::uint32_t asked_at_once = 64;

    template <class Use>
    void each_slide(std::uint32_t node, Use use) const {
        const HomeCell* board = &layer_.boards[node * cells_];
        const BlankSlides::List& slides = layer_.slides(slides_, node);
        for (std::uint8_t i = 0; i < slides.count; ++i) use(i, slides.way[i], board[slides.to[i]]);
    }

    // Ask for the entries of the children of some nodes, then read them: no more than stay in the nearest cache.
    template <class Note>
    void value_when_read(std::uint32_t first, std::uint32_t last, Note note) const {
        std::array<typename Values::Entries, std::size_t{3} * asked_at_once + 1> asked;
        for (std::uint32_t end = first; first < last; first = end) {
            end = std::min(first + asked_at_once, last);
            std::size_t count = 0;
            for (std::uint32_t node = first; node < end; ++node) {
                each_slide(node, [&](std::size_t, int way, HomeCell tile) {
                    asked[count++] = values_.ask(layer_.carried[node], layer_.blanks[node], way, tile);
                });
            }
            count = 0;
            for (std::uint32_t node = first; node < end; ++node) {
                each_slide(node, [&](std::size_t slide, int way, HomeCell tile) {
                    note(node, slide, way, tile, values_.read(layer_.carried[node], tile, asked[count++]));
                });
            }
        }
    }

    // The children of nodes with the blank on one cell.
    template <class Note>
    void value_by_slides(std::uint32_t first, std::uint32_t last, Note note) const {
        if (last - first >= fewest_sorted) {
            value_sorted(first, last, note);
            return;
        }
        for (std::uint32_t node = first; node < last; ++node) {
            each_slide(node, [&](std::size_t number, int way, HomeCell tile) {
                const auto slide = values_.slide(layer_.blanks[node], way, tile);
                note(node, number, way, tile, value_after(node, slide));
            });
        }
    }

    // The same, where many slides are alike: these are evaluated one after the other, while their numbers are in the nearest
    // cache, or together.
    template <class Note>
    void value_sorted(std::uint32_t first, std::uint32_t last, Note note) const {
        std::array<std::uint32_t, std::size_t{3} * most_nodes + 1> slides;  // nodes and their slides
        std::array<std::uint32_t, std::size_t{3} * most_nodes + 1> sorted;
        std::array<std::uint16_t, std::size_t{3} * most_nodes + 1> kind;
        std::array<std::uint16_t, std::size_t{4} * 256 + 1> ends;
        const std::size_t kinds = 4 * cells_;
        std::fill(ends.begin(), ends.begin() + kinds + 1, 0);
        std::size_t count = 0;
        for (std::uint32_t node = first; node < last; ++node) {
            each_slide(node, [&](std::size_t number, int way, HomeCell tile) {
                slides[count] = (node << 2) | static_cast<std::uint32_t>(number);
                kind[count] = static_cast<std::uint16_t>(static_cast<std::size_t>(way) * cells_ + tile);
                ++ends[kind[count++] + 1U];
            });
        }
        for (std::size_t i = 0; i < kinds; ++i) ends[i + 1] = static_cast<std::uint16_t>(ends[i + 1] + ends[i]);
        for (std::size_t i = 0; i < count; ++i) sorted[ends[kind[i]]++] = slides[i];
        std::uint32_t begin = 0;
        for (std::size_t i = 0; i < kinds; begin = ends[i++]) {
            if (begin == ends[i]) continue;
            const auto way = static_cast<int>(i / cells_);
            const auto tile = static_cast<HomeCell>(i % cells_);
            const auto slide = values_.slide(layer_.blanks[first], way, tile);
            value_alike(slide, &sorted[begin], ends[i] - begin, [&](std::uint32_t node, std::size_t number, std::int32_t value) {
                note(node, number, way, tile, value);
            });
        }
    }

    // The values of children by the same slide.
    template <class Slide, class Use>
    void value_alike(const Slide& slide, const std::uint32_t* slides, std::size_t count, Use use) const {
        if constexpr (BatchedValues<Values>) {
            if (values_.change() != nullptr && count >= fewest_batched) {
                SlideBatch batch;
                values_.prepare(batch, slide);
                for (std::size_t begin = 0; begin < count; begin += SlideBatch::most) {
                    const std::size_t last = std::min(SlideBatch::most, count - begin) - 1;
                    for (std::size_t i = 0; i < SlideBatch::most; ++i)
                        batch.boards[i] = &layer_.boards[(slides[begin + std::min(i, last)] >> 2) * cells_];
                    values_.change()(batch);
                    for (std::size_t i = 0; i <= last; ++i) {
                        const std::uint32_t node = slides[begin + i] >> 2;
                        use(node, slides[begin + i] & 3, layer_.values[node] + batch.changes[i]);
                    }
                }
                return;
            }
        }
        for (std::size_t i = 0; i < count; ++i) use(slides[i] >> 2, slides[i] & 3, value_after(slides[i] >> 2, slide));
    }
    template <class Slide>
    std::int32_t value_after(std::uint32_t node, const Slide& slide) const {
        return values_.template after<Cells>(layer_.values[node], slide, &layer_.boards[node * cells_]);
    }

    const Values& values_;
    const BlankSlides& slides_;
    const BeamLayer<Values>& layer_;
    std::size_t cells_;
};

}  // namespace tilewise
