// Moves and orders of successors as letters.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "arguments.hpp"
#include "tilewise/domain.hpp"

namespace tilewise {

inline Order order_of(const std::string& letters) {
    Order order{};
    expect(letters.size() == order.size(), "expected four letters for the order");
    for (std::size_t i = 0; i < order.size(); ++i) {
        const std::size_t move = std::string_view("UDLR").find(letters[i]);
        expect(move <= right && letters.find(letters[i]) == i, "expected each of the letters U D L R once for the order");
        order[i] = static_cast<Move>(move);
    }
    return order;
}

inline std::string text_of(const std::vector<Move>& moves) {
    std::string text;
    for (const Move move : moves) text += "UDLR"[move];
    return text;
}

}  // namespace tilewise
