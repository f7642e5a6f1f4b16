"""Presents lab results as sentences, tables and charts, for terminals, pages and notebooks.

A result is its document: the fields are the keys of `--format json`, and a saved document looks as the result did. Each
study defines its result beside it; `documents.py` knows where.
"""
