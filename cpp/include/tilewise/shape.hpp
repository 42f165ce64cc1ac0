// Shapes: rows and columns known to the compiler, or at run time only.
#pragma once

namespace tilewise {

template <int Rows, int Columns>
struct FixedShape {
    static constexpr int rows() { return Rows; }
    static constexpr int columns() { return Columns; }
    static constexpr int cells() { return Rows * Columns; }
};

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

}  // namespace tilewise
