"""Training of models on known distances: the states, the fits, and how good they are."""
