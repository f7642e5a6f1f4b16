"""Lanes: vectors of 64 numbers, one for each of 64 battles that are played side by side, in NumPy and compiled."""
