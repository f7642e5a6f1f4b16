"""Typed events, their canonical bytes and digests, tick labels and styled text."""
