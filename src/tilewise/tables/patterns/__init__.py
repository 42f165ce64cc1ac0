"""Pattern databases: for some tiles of a goal, the moves that they need from every placement."""
