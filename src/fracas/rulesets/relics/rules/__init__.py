"""The kernels of relics: everything that is compiled, and nothing else."""
