"""Translates intermediate code to a WebAssembly module that needs nothing but its memory.

Anything that could make battles differ elsewhere or exceed the given memory is refused here instead of left to tests:
inexact arithmetic, fused products, functions of a mathematics library, memory that grows, any other import.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from fracas.portable.intermediate_code import EntryCode

TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+simd128,+bulk-memory,+nontrapping-fptoint,+sign-ext,+mutable-globals"
# The stack is below the data, so that an overflow traps.
STACK_BYTES = 64 * 1024
# The function that plays many battles is optimised for speed, the others for size.
FAST = "simulate"
# Functions that only trained policies call, by parts of their names in intermediate code; and their attribute group.
APART = re.compile(
    r"8networks(?!11has_network)|7trained|11observation(?!9target_of)|by_network|best_of_network|weight_in_network"
)
LAST_GROUP = 99_999

_FAST_MATH = re.compile(
    r"= (?:tail |musttail |notail )?(?:fneg|fadd|fsub|fmul|fdiv|frem|fcmp|call|select|phi|fptrunc|fpext)"
    r" (?:fast|nnan|ninf|nsz|arcp|contract|afn|reassoc)\b"
)
_FUSED = re.compile(r"@llvm\.(?:experimental\.constrained\.)?(?:fma|fmuladd)\b")
_GROWING = re.compile(r"@llvm\.wasm\.memory\.grow\b")
# LLVM has no instruction for these here, so they would become calls of a mathematics library.
_MATHEMATICS = re.compile(
    r"@llvm\.(?:exp|exp2|exp10|log|log2|log10|pow|powi|sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|sincos|ldexp"
    r"|frexp|modf)\."
)
_REFUSALS = (
    (_FAST_MATH, "arithmetic that may be reordered"),
    (_FUSED, "a product and a sum rounded as one"),
    (_GROWING, "memory that grows"),
    (_MATHEMATICS, "a function of a mathematics library"),
)


class RefusedCodeError(Exception):
    """The rules contain code that would not be the same everywhere, or not bounded."""


def refusals(text: str) -> Iterator[str]:
    """Forbidden operations in intermediate code, each with its line."""
    for pattern, what in _REFUSALS:
        found = pattern.search(text)
        if found:
            end = text.find("\n", found.start())
            yield f"{what}: {text[text.rfind(chr(10), 0, found.start()) + 1 : end].strip()}"


def build_module(codes: Sequence[EntryCode], folder: Path) -> bytes:
    """Translate and link a ruleset's exports; works in an empty folder.

    Raises:
        RefusedCodeError: the module would not be the same everywhere, or not bounded.
    """
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(TRIPLE)
    machine = target.create_target_machine(cpu="generic", features=FEATURES, opt=3, reloc="static")
    objects = []
    for code in codes:
        file = folder / f"{code.export}.o"
        file.write_bytes(_translated(llvm, machine, code))
        objects.append(file.name)
    _link(objects, [code.export for code in codes], folder)
    module = (folder / "rules.wasm").read_bytes()
    wrong = [each for each in imports(module) if each != ("env", "memory")]
    if wrong:
        raise RefusedCodeError(f"the module imports {', '.join(f'{place}.{name}' for place, name in wrong)}")
    return module


def _translated(llvm: Any, machine: Any, code: EntryCode) -> bytes:
    """The object file of one exported function."""
    found = [f"{code.export}: {each}" for each in refusals(code.text)]
    if found:
        raise RefusedCodeError("; ".join(found))
    module = llvm.parse_assembly(_retargeted(code, str(machine.target_data)))
    module.verify()
    for function in module.functions:
        if not function.is_declaration and function.name != code.export:
            function.linkage = "internal"
    options = llvm.create_pipeline_tuning_options(speed_level=3 if code.export == FAST else 2)
    passes = llvm.create_pass_builder(machine, options)
    passes.getModulePassManager().run(module, passes)
    found = [f"{code.export}: {each}" for each in refusals(str(module))]
    if found:
        raise RefusedCodeError("; ".join(found))
    emitted: bytes = machine.emit_object(module)
    return emitted


def _retargeted(code: EntryCode, data_layout: str) -> str:
    """The code for 32-bit addresses, without Numba's parts for this machine and for Python."""
    text = re.sub(r'target datalayout = ".*"', f'target datalayout = "{data_layout}"', code.text)
    text = re.sub(r'target triple = ".*"', f'target triple = "{TRIPLE}"', text)
    text = re.sub(r'"target-(?:cpu|features)"="[^"]*"', "", text)
    # Kernels hold no reference-counted objects.
    text = re.sub(
        r"define linkonce_odr void @NRT_(incref|decref)\(ptr[^\n]*\{\n(?:.*\n)*?\}\n",
        r"define internal void @NRT_\1(ptr %counted) {\n  ret void\n}\n",
        text,
    )
    text = re.sub(r"declare i8 @llvm\.x86[^\n]*\n", "", text)
    text = re.sub(
        r"^(@_ZN08NumbaEnv[^=]*= )common (local_unnamed_addr )?global ptr null[^\n]*",
        r"\1internal global ptr null",
        text,
        flags=re.MULTILINE,
    )
    text = _built_for_size(text)
    return text if code.export == FAST else re.sub(r"\balwaysinline\b", "optsize", text)


def _built_for_size(text: str) -> str:
    """Keep what only trained policies need in functions of their own: inlined everywhere it is a fifth of a module."""
    own_group = f"#{LAST_GROUP}"
    lines = [
        re.sub(r" #\d+(?= (?:personality |comdat |\{))|(?= \{$)", f" {own_group}", line, count=1)
        if line.startswith("define ") and APART.search(line)
        else line
        for line in text.split("\n")
    ]
    return "\n".join([*lines, f"attributes {own_group} = {{ noinline nounwind optsize }}", ""])


def _link(objects: Sequence[str], exports: Sequence[str], folder: Path) -> None:
    options = ["--no-entry", "--import-memory", "--strip-all", "--stack-first", "-z", f"stack-size={STACK_BYTES}"]
    options += [f"--export={name}" for name in (*exports, "__heap_base")]
    command = [sys.executable, "-m", "ziglang", "wasm-ld", *options, "-o", "rules.wasm", *objects]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RefusedCodeError(f"the module cannot be linked: {done.stderr.strip()}")


def imports(module: bytes) -> list[tuple[str, str]]:
    """What a module imports, as pairs of module and name."""
    reader = _Reader(module, 8)
    while reader.place < len(module):
        section, size = reader.byte(), reader.number()
        if section == 2:
            return [reader.import_() for _ in range(reader.number())]
        reader.place += size
    return []


class _Reader:
    """Reads a module's list of imports."""

    def __init__(self, module: bytes, index: int) -> None:
        self.module = module
        self.place = index

    def byte(self) -> int:
        self.place += 1
        return self.module[self.place - 1]

    def number(self) -> int:
        """A LEB128 number: groups of seven bits, the lowest first."""
        value = shift = 0
        while True:
            part = self.byte()
            value |= (part & 0x7F) << shift
            shift += 7
            if part < 0x80:
                return value

    def name(self) -> str:
        size = self.number()
        self.place += size
        return self.module[self.place - size : self.place].decode()

    def import_(self) -> tuple[str, str]:
        names = self.name(), self.name()
        kind = self.byte()
        if kind == 0:
            self.number()
        elif kind == 1:
            self.byte()
            self._limits()
        elif kind == 2:
            self._limits()
        else:
            self.place += 2
        return names

    def _limits(self) -> None:
        has_most = self.byte() & 1
        self.number()
        if has_most:
            self.number()
