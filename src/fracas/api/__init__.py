"""The Python API: load, run, simulate, verify and the lab's studies. `fracas` gives them their public names."""
