"""Proofs: how many moves a board needs at least, pass by pass, with checkpoints."""
