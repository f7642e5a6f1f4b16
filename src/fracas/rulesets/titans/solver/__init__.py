"""Compiled, like rules: what a duel is worth."""
