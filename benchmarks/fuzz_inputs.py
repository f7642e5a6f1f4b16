"""Mutates the fuzzer's files: structurally, so that most of a file stays valid, at limits, and byte by byte."""

from __future__ import annotations

import copy
import json
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random  # noqa: TID251 - which files are tried is no result of a battle
from typing import Any

from benchmarks.fuzz_extremes import copied, extreme, packed, places_of, written_out
from benchmarks.fuzz_specimens import MAIN, Specimen

from fracas.files.toml_writer import toml_text

# More entries of a content list would only cost time.
MOST_ENTRIES = 6
# With more entrants, plain rules need seconds for all battles of a roster.
MOST_ENTRANTS = 6
# Arguments of a command line must be shorter and free of NUL; the other characters are placeholders.
MOST_ARGUMENT = 100_000
_NOT_IN_ARGUMENTS = str.maketrans("{}\n\0", "()  ")
# How often one thing is changed at a limit, alone or after other changes, and how often a whole file is packed.
AT_BOUNDS, ALONE, PACKED = 0.35, 0.7, 0.04
# Changes the value under a key of a table or list, or the holder itself; may take parts of another document.
Change = Callable[[Any, Any, Random, Any], None]


@dataclass(frozen=True)
class Input:
    """One input: its files by name, and the command that reads them."""

    kind: str
    files: dict[str, bytes]
    command: str


# Mutation.

# A document that doubling has made larger is not changed further: it would only slow the fuzzer and fill its memory.
MOST_PLACES = 150_000

# A number that only hexadecimal digits can write; the document holds it as text.
HUGE, AS_WRITTEN = "@huge@", b"0x" + b"f" * 4000

EDGES: tuple[Any, ...] = (
    0, 1, -1, 2, 99, 100, 101, 255, 999, 1000, 10**6, 2**31 - 1, 2**31, 2**32, 2**53 + 1, 2**63 - 1, 2**63,
    -(2**63) - 1,
    10**38, 10**100, HUGE, 0.0, -0.0, 0.5, 1e-300, 1e308, float("inf"), float("nan"), True, False, None, "", " ",
    "x",
    "always", "not always", "../x", "a.b", "\u202eevil", "\x07bell", "\n", "\u0000", "é" * 40, "x" * 5000, "(" * 60,
    "not " * 40, "1", "-1", "1e5", "2026-11-20", [], {}, [[]], [{}], {"": 0}, {"id": "x"}, ["x"] * 40, [0] * 300,
)  # fmt: skip


def input_of(seed: str, index: int, kinds: dict[str, list[Specimen]]) -> Input:
    """The input with this number: equal for equal seeds and specimens."""
    dice = Random(f"{seed}:{index}")
    names = sorted(kinds)
    kind = names[index % len(names)]
    specimen = dice.choice(kinds[kind])
    files = dict(specimen.beside)
    command = dice.choice(list(specimen.commands))
    if not specimen.is_document:
        change = packed if dice.random() < 2 * PACKED else partial(_bytes_mutated, often=True)
        files[specimen.name] = change(specimen.main, dice)
        return Input(kind, files, _filled(command, specimen.name, files[specimen.name]))
    document = copy.deepcopy(specimen.main)
    if "content" in kind or "pack" in kind:
        _thin(document, dice)
    donor = dice.choice(kinds[dice.choice(names)])
    holder = [document]
    changes = _GENTLE if dice.random() < 0.6 else _CHANGES
    at_bounds = dice.random() < AT_BOUNDS
    if not at_bounds or dice.random() > ALONE:
        for _ in range(_how_many(dice)):
            _mutate(holder, dice, donor.main if donor.is_document else {}, changes)
    if at_bounds:
        extreme(holder, dice)
    if command.startswith("lab matchups") and _entrants_of(holder[0]) > MOST_ENTRANTS:
        command = specimen.commands[0]
    name, text = _written(specimen.name, holder[0], dice)
    text = written_out(text) if at_bounds else text
    change = packed if dice.random() < PACKED else partial(_bytes_mutated, often=False)
    files[name] = change(text, dice)
    return Input(kind, files, _filled(command, name, b""))


def _entrants_of(document: Any) -> int:
    entrants = document.get("entrants") if isinstance(document, dict) else None
    return len(entrants) if isinstance(entrants, list) else 0


def _filled(command: str, name: str, text: bytes) -> str:
    """The command with the file's path; folders are filled in where they are created."""
    shown = text[:MOST_ARGUMENT].decode(errors="replace").translate(_NOT_IN_ARGUMENTS)
    return command.replace(MAIN, f"{{folder}}/{name}").replace("{text}", shlex.quote(shown))


def _how_many(dice: Random) -> int:
    count = 1
    while count < 12 and dice.random() < 0.45:
        count += 1
    return count if dice.random() < 0.98 else 0


def _thin(document: dict[str, Any], dice: Random) -> None:
    for key, entries in document.items():
        if isinstance(entries, list) and len(entries) > MOST_ENTRIES:
            document[key] = dice.sample(entries, MOST_ENTRIES)


def _mutate(holder: list[Any], dice: Random, donor: Any, changes: Sequence[Change]) -> None:
    """Change one place of a document, unless repeated doubling has made it huge."""
    places = places_of(holder)
    if len(places) > MOST_PLACES:
        return
    owner, key = dice.choice(places)
    dice.choice(changes)(owner, key, dice, donor)
    if not holder:
        holder.append({})


def _edge(owner: Any, key: Any, dice: Random, _donor: Any) -> None:
    owner[key] = copy.deepcopy(dice.choice(EDGES))


def _near(owner: Any, key: Any, dice: Random, donor: Any) -> None:
    """Another value of the same type."""
    value = owner[key]
    if isinstance(value, bool):
        owner[key] = not value
    elif isinstance(value, int):
        owner[key] = dice.choice([value + 1, value - 1, -value, value * 2, value // 2, value * 1000, 0])
    elif isinstance(value, str):
        owner[key] = _text(value, dice)
    else:
        _shuffle(owner, key, dice, donor)


def _text(value: str, dice: Random) -> str:
    words = value.split(" ")
    place = dice.randrange(len(words))
    numbers = ("-1", "0", "1", "100", "1000000", "9" * 30, "1.5")
    return dice.choice(
        [
            value[: dice.randrange(len(value) + 1)],
            value + dice.choice("abc_-. \u202e\n09"),
            value.upper(),
            " ".join([*words[:place], dice.choice(numbers), *words[place + 1 :]]),
            " ".join(
                [*words[:place], dice.choice(["and", "or", "not", "(", ")", "<", "==", "always"]), *words[place:]]
            ),
            f"not ({value})",
            f"({value}) or ({value}) and not {value}",
            " and ".join([value] * dice.choice([2, 20, 70])),
            "".join(dice.sample(value, len(value))),
        ]
    )


def _drop(owner: Any, key: Any, _dice: Random, _donor: Any) -> None:
    del owner[key]


def _rename(owner: Any, key: Any, dice: Random, donor: Any) -> None:
    if isinstance(owner, dict):
        names = [name for _, name in places_of([donor]) if isinstance(name, str)]
        other = dice.choice(names) if names and dice.random() < 0.6 else _text(key, dice)
        owner[other] = owner.pop(key)


def _double(owner: Any, key: Any, dice: Random, donor: Any) -> None:
    """Copy the value to another key, or many times in its list."""
    if isinstance(owner, list):
        times = dice.choice([1, 1, 2, 8, 70]) if dice.random() < 0.98 else 3000
        room = MOST_PLACES // len(places_of([owner[key]]))
        owner[key:key] = [copied(owner[key]) for _ in range(min(times, max(1, room)))]
    else:
        owner[_text(str(key), dice)] = copied(owner[key])


def _shuffle(owner: Any, key: Any, dice: Random, _donor: Any) -> None:
    value = owner[key]
    if isinstance(value, dict):
        items = list(value.items())
        dice.shuffle(items)
        owner[key] = dict(items)
    elif isinstance(value, list):
        dice.shuffle(value)


def _graft(owner: Any, key: Any, dice: Random, donor: Any) -> None:
    """Insert a part of another specimen."""
    there, name = dice.choice(places_of([donor]))
    part = copied(there[name])
    if isinstance(owner, dict) and dice.random() < 0.5 and isinstance(name, str):
        owner[name] = part
    else:
        owner[key] = part


def _swap(owner: Any, key: Any, dice: Random, _donor: Any) -> None:
    """Use another value of the same holder."""
    keys = list(owner) if isinstance(owner, dict) else list(range(len(owner)))
    owner[key] = copied(owner[dice.choice(keys)])


def _wrap(owner: Any, key: Any, dice: Random, _donor: Any) -> None:
    levels = dice.choice([1, 1, 2, 60, 70, 400])
    kind = dice.choice(["list", "a", "all", "not", "id"])
    for _ in range(levels):
        owner[key] = [owner[key]] if kind == "list" else {kind: owner[key]}


def _widen(owner: Any, key: Any, dice: Random, _donor: Any) -> None:
    """Add a few entries, occasionally very many."""
    size = dice.choice([5, 50]) if dice.random() < 0.99 else 20_000
    value = owner[key]
    owner[key] = {f"k{number}": value if number < 3 else number for number in range(size)}


def _number(owner: Any, key: Any, dice: Random, _donor: Any) -> None:
    """A number near another one, or at a limit of its place; nothing else changes."""
    value = owner[key]
    if isinstance(value, int) and not isinstance(value, bool):
        near = (value + 1, max(0, value - 1), value * 2, value // 2, 0, 1, 99, 100, 10_000)
        owner[key] = dice.choice(near)


# Changes that often leave a document valid, and changes of every kind.
_GENTLE: tuple[Change, ...] = (_number, _number, _number, _number, _shuffle, _shuffle, _drop, _swap, _double)
_CHANGES: tuple[Change, ...] = (
    _edge, _edge, _edge, _near, _near, _near, _near, _near, _drop, _drop, _rename, _double, _double, _shuffle, _graft,
    _graft, _swap, _swap, _wrap, _widen,
)  # fmt: skip


# Writing.


def _written(name: str, document: Any, dice: Random) -> tuple[str, bytes]:
    """The document as TOML or JSON; JSON if TOML cannot express it."""
    stem, _, ending = name.rpartition(".")
    if ending == "toml" and dice.random() < 0.8 and isinstance(document, dict):
        try:
            written = toml_text(document).encode(errors="replace")
            return name, written.replace(f'"{HUGE}"'.encode(), AS_WRITTEN)
        except (TypeError, ValueError, RecursionError, AttributeError):
            pass
    try:
        text = json.dumps(document, ensure_ascii=dice.random() < 0.5, default=str, skipkeys=True)
    except (ValueError, RecursionError):
        text = '{"ruleset": "squads", "x": ' + "[" * 5000
    return (f"{stem}.json" if name != "battle.toml" else name), text.encode(errors="replace")


def _bytes_mutated(text: bytes, dice: Random, *, often: bool) -> bytes:
    """Cut, flip, repeat, insert: damage from transport."""
    if dice.random() > (0.9 if often else 0.12):
        return text
    place = dice.randrange(len(text) + 1)
    kind = dice.randrange(7)
    if kind == 0:
        return text[:place]
    if kind == 1:
        end = min(len(text), place + dice.choice([1, 4, 40]))
        return text[:place] + text[end:]
    if kind == 2:
        noise = bytes(dice.randrange(256) for _ in range(dice.choice([1, 3, 30])))
        return text[:place] + noise + text[place:]
    if kind == 3:
        return text[:place] + text[place : place + 200] * dice.choice([2, 5, 200]) + text[place:]
    if kind == 4:
        odd = dice.choice(
            ["\\ud800", "NaN", "1e999", "0x" + "f" * 5000, "\ufeff", "a." * 200, "[" * 100, '"""', "'''", "\r"]
        )
        return text[:place] + odd.encode() + text[place:]
    if kind == 5:
        lines = text.split(b"\n")
        lines.insert(dice.randrange(len(lines) + 1), dice.choice(lines))
        return b"\n".join(lines)
    return (
        text[:place]
        + bytes([text[place % max(1, len(text))] ^ (1 << dice.randrange(8))] if text else b"x")
        + text[place + 1 :]
    )
