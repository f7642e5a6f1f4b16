"""Read, validate, resolve, compile and lint titans files."""
