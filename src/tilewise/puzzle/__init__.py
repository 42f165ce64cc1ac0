"""The puzzle itself: boards, moves, goals, shapes, parity and notations."""
