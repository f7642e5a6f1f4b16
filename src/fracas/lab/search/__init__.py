"""The optimiser."""
