"""One scenario, many battles, counted."""
