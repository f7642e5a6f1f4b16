"""What follows from a game's declarations: one module a derivation, each usable by itself.

`shape.py` reads the classes and `functions.py` the module; `record.py`, `bind.py` and `loops.py` make record types and
kernels of them; `models.py`, `reading.py` and `compile.py` the way from files to a record; `protocol.py`, `story.py`,
`chronicle.py` and `reference.py` the way back to words; `lab.py`, `decisions.py`, `scenarios.py`, `statistics.py` and
`template.py` answer the contract.
"""
