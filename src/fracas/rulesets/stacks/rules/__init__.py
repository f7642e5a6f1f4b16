"""The rules of stacks as kernels: everything here is compiled, and nothing else is."""
