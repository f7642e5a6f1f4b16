"""Results of the lab as tables and charts, made from the documents that `--format json` prints.

A result and its saved document show the same, because both are shown by the document. One module for each command says
which tables and which charts there are; `kinds.py` finds the module.
"""
