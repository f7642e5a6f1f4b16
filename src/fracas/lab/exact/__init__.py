"""Probabilities by enumerating states."""
