"""How the networks of the experiment `learning` are trained and tried, whatever their states."""

from __future__ import annotations

TRAINING_STEPS = 1_000_000
"""States that a network is trained on, each as often as that takes."""
TRAINED_DEPTH, TRAINED_BOARDS = 24, 10
