"""The rules of squads as kernels: everything here is compiled, and nothing else is."""
