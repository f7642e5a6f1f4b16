"""Battles played by other processes and machines, through Dask.

`hands.py` chooses who plays, `crew.py` hands out ranges and takes them in, `local.py` starts workers on this machine,
`worker.py` is what a worker does, `orders.py` what travels, `serving.py` the two programs that other machines run.
"""
