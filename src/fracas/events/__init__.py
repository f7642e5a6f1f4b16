"""Typed events, their canonical bytes, and how they are told."""
