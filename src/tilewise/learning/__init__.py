"""Learned values of boards: models, their files, the beam that uses them, their training."""
