"""Files on disk: bounded reading, atomic writing, locks, TOML output, the process cache."""
