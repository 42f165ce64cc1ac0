"""Distances of whole spaces of small shapes."""
