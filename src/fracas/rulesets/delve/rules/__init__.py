"""The rules of delve as kernels: everything here is compiled, and nothing else is."""
