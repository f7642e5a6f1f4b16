"""Reads, checks, resolves and compiles stacks worlds and scenarios, and lints them."""
