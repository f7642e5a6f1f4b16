"""The footer of a Parquet file, read without a library: how many rows each row group has."""

from __future__ import annotations

from pathlib import Path
from typing import Any

STOP, TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET, MAP, STRUCT = range(13)


class _Compact:
    """Thrift's compact protocol, as far as a footer needs it: structs as {field number: value}."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def varint(self) -> int:
        value = shift = 0
        while True:
            part = self.byte()
            value |= (part & 0x7F) << shift
            if part < 0x80:
                return value
            shift += 7

    def integer(self) -> int:
        value = self.varint()
        return value >> 1 ^ -(value & 1)

    def value(self, kind: int) -> Any:
        if kind in (TRUE, FALSE):
            return kind == TRUE
        if kind == BYTE:
            return self.byte()
        if kind in (I16, I32, I64):
            return self.integer()
        if kind in (DOUBLE, BINARY):
            length = 8 if kind == DOUBLE else self.varint()
            self.at += length
            return self.data[self.at - length : self.at]
        if kind in (LIST, SET):
            head = self.byte()
            length = head >> 4 if head >> 4 < 15 else self.varint()
            return [self.value(head & 0x0F) for _ in range(length)]
        assert kind == STRUCT, f"a footer holds no values of kind {kind}"
        return self.struct()

    def struct(self) -> dict[int, Any]:
        fields: dict[int, Any] = {}
        number = 0
        while (head := self.byte()) != STOP:
            number = number + (head >> 4) if head >> 4 else self.integer()
            fields[number] = self.value(head & 0x0F)
        return fields


def row_groups(path: Path) -> list[int]:
    """How many rows each row group of a Parquet file has."""
    raw = path.read_bytes()
    assert raw[:4] == raw[-4:] == b"PAR1"
    length = int.from_bytes(raw[-8:-4], "little")
    footer = _Compact(raw[-8 - length : -8]).struct()
    counts = [int(group[3]) for group in footer[4]]
    assert sum(counts) == footer[3]
    return counts
