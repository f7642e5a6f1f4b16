"""Tournaments: who meets whom, entering and starting, rounds that play themselves, and how they stand."""
