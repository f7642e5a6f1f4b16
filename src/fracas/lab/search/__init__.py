"""The optimiser: searches for better strategies, builds and line-ups, and tests what it finds."""
