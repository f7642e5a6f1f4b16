"""Reads, checks, resolves and compiles squads documents, and lints them."""
