"""Reads, checks, resolves and compiles delve documents, and lints them."""
