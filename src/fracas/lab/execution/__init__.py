"""Plays chunks of battles: executors, chunk sizes, tallies, interrupts."""
