"""The kernels of titans: everything that is compiled, and nothing else."""
