"""Why a count differs, and whether a heuristic is right."""
