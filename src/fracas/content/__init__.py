"""Content and scenarios as people write them: read, validate, look up references, report problems."""
