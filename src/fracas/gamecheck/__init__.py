"""Checks the rules of a game of one's own: `fracas game check`, and `fracas.testing` for pytest.

`run.py` draws random scenarios and goes through all checks; each module beside it has some of them; `report.py` is what
comes out. A check counts what it looked at and names what is wrong, with the author's line where there is one.
"""
