"""The native engine: which searches it serves, running them, its tables."""

from __future__ import annotations

from tilewise.native.built_from import why_absent, why_stale
from tilewise.native.compiled import CHANGES_BY_ONE, ENGINES, LOOPS, NATIVE
from tilewise.native.learned_functions import (
    LearnedModel,
    LearnedValues,
    Network,
    Training,
    folded_size,
    folded_weights,
    learned_beam_bytes,
    learned_sizes,
    run_learned_beam,
    stretched_values,
    train_round,
    unfolded_weights,
)
from tilewise.native.passes import (
    PassTop,
    SubtreeCount,
    check_served,
    probe_roots,
    search_subtrees,
    top_of_pass,
)
from tilewise.native.paths import shorten_path, solve_lines
from tilewise.native.searching import run
from tilewise.native.serving import choose, may_serve
from tilewise.native.statuses import LARGEST, STATUSES
from tilewise.native.table_functions import (
    Poll,
    build_distances,
    build_pattern,
    distance,
    distance_bytes,
    states_at,
    table_kernels,
    wrong_entries,
)
from tilewise.native.twins import twin_of
from tilewise.native.watching import stand_by

__all__ = [
    "CHANGES_BY_ONE",
    "ENGINES",
    "LARGEST",
    "LOOPS",
    "NATIVE",
    "STATUSES",
    "LearnedModel",
    "LearnedValues",
    "Network",
    "PassTop",
    "Poll",
    "SubtreeCount",
    "Training",
    "build_distances",
    "build_pattern",
    "check_served",
    "choose",
    "distance",
    "distance_bytes",
    "folded_size",
    "folded_weights",
    "learned_beam_bytes",
    "learned_sizes",
    "may_serve",
    "probe_roots",
    "run",
    "run_learned_beam",
    "search_subtrees",
    "shorten_path",
    "solve_lines",
    "stand_by",
    "states_at",
    "stretched_values",
    "table_kernels",
    "top_of_pass",
    "train_round",
    "twin_of",
    "unfolded_weights",
    "why_absent",
    "why_stale",
    "wrong_entries",
]
