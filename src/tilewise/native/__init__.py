"""The native engine: which searches it serves, running them, its tables."""
