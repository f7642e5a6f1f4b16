"""Questions made of several simulations, one module for each command."""
