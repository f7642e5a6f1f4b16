"""Read, validate, resolve, compile and lint relics files."""
