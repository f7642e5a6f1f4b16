"""Studies: questions answered by several simulations, one module for each command."""
