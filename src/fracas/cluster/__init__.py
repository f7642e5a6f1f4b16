"""Battles played by other processes and machines, through Dask.

`executors.py` chooses who plays, `dask_executor.py` hands out ranges and takes results in, `local_workers.py` starts
workers on this machine, `worker.py` is what a worker does, `tasks.py` what travels, `processes.py` the two programs
that other machines run.
"""
