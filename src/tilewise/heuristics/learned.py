"""Values learned by a machine."""

from __future__ import annotations

from tilewise.core.learned_estimate import LearnedEstimate
from tilewise.core.registry import heuristic
from tilewise.learning.frames import frame_of
from tilewise.learning.models import model_for
from tilewise.puzzle.board import Goal


@heuristic("learned", on_boards=False)
def learned(goal: Goal) -> LearnedEstimate:
    """Moves to the goal as learned from solved boards: a value for each pair of tiles and cells.

    It estimates the distance itself, not a bound on it, and is often too large: not admissible,
    not consistent. Beams find much shorter solutions with it than with admissible heuristics.
    `tilewise learn train` makes a model for a shape; shapes without one take weights that are
    shared by all shapes.
    """
    frame, values = frame_of(goal), model_for(goal).values
    return LearnedEstimate(
        values, frame.homes, frame.moves, frame.solved, values.value(frame.solved)
    )
