"""The rules as WebAssembly: one module for each ruleset, built from the same source, for programs without Python.

A module plays battles anywhere WebAssembly runs: in a browser (fracas.js), in other languages, and in Python before the
rules are compiled. It ships with a description of its memory in `data/wasm/`; see docs/adr/0027.

    python -m fracas.portable.build          # rebuild modules and descriptions (extra `artefacts`)
    python -m fracas.portable.build --check  # check whether the shipped ones match these sources

`intermediate_code.py` gets the rules from Numba, `wasm_target.py` translates and links them, `memory_layout.py`
describes their memory, `artefacts.py` finds the shipped files, `wasm_machine.py` plays them through wasmtime.
"""
