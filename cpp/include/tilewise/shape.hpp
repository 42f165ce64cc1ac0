// Shapes: rows and columns known to the compiler, or at run time only.
#pragma once

#include <concepts>

namespace tilewise {

template <class Shape>
concept BoardShape = std::copy_constructible<Shape> && requires(const Shape& shape) {
    { shape.rows() } -> std::same_as<int>;
    { shape.columns() } -> std::same_as<int>;
    { shape.cells() } -> std::same_as<int>;
};

template <int Rows, int Columns>
struct FixedShape {
    static constexpr int rows() { return Rows; }
    static constexpr int columns() { return Columns; }
    static constexpr int cells() { return Rows * Columns; }
};
static_assert(BoardShape<FixedShape<3, 3>>);

class RuntimeShape {
public:
    RuntimeShape(int rows, int columns) : rows_(rows), columns_(columns) {}
    int rows() const { return rows_; }
    int columns() const { return columns_; }
    int cells() const { return rows_ * columns_; }

private:
    int rows_;
    int columns_;
};
static_assert(BoardShape<RuntimeShape>);

}  // namespace tilewise
