"""What authors of games do wrong, in their words and with their lines (docs/reference/errors-in-games.md).

`rules_check.py` reads rules as text and `declarations.py` classes, before anything is played; `running.py` explains
what a plain battle raised, `compiling.py` what the compiler refused, and `places.py` finds lines.
"""
