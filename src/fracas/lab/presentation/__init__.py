"""Presents lab results as tables and charts, built from the documents that `--format json` prints.

A result and its saved document look the same, because both are shown from the document. Each command has a module that
defines its tables and charts; `documents.py` picks the module.
"""
