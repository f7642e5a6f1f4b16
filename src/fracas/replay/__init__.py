"""Saved battles: verify replays, duels and bundles by playing them again; pack bundles; JSON Schemas."""
