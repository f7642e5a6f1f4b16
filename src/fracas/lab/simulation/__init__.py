"""Simulation: one scenario, many battles, counted."""
