"""The rules as WebAssembly: one module for each ruleset, made from the same source, for programs without Python.

A module plays battles anywhere that WebAssembly runs: in a browser (fracas.js), in other languages, and here where
nothing is compiled yet. It ships with a description of its memory in `data/wasm/`; docs/adr/0027 says why.

    python -m fracas.portable.build          # make modules and descriptions anew (extra `artefacts`)
    python -m fracas.portable.build --check  # say whether those that ship are of these sources

`intermediate_code.py` takes the rules from Numba, `wasm_target.py` translates and links them, `layout.py` describes
their memory, `artefacts.py` finds what ships, `wasm_machine.py` plays it through wasmtime.
"""
