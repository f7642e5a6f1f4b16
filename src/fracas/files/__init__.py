"""Bytes on disk: read with bounds, write whole or not at all, lock, write TOML."""
