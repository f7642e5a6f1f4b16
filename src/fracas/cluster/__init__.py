"""Plays battles in other processes and on other machines, through Dask.

`executors.py` opens the chosen executor, `dask_executor.py` sends chunks and collects results, `local_workers.py`
starts workers on this machine, `worker.py` is what a worker runs, `tasks.py` defines the messages, and `processes.py`
has the two programs that other machines run.
"""
