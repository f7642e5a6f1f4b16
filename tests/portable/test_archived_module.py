"""A module that was kept plays what the installed rules play, from its description alone, and within its bounds."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import pytest

import fracas
from fracas.engine.battle import play_battle
from fracas.portable import archived_module, artefacts
from fracas.portable.archived_module import ArchivedModule, ArchiveFault
from fracas.portable.sparse_records import dense, sparse
from fracas.rulesets import registry
from fracas.rulesets.shared.seeds import key_words

SCENARIOS = 3


def files_of(ruleset: str) -> tuple[bytes, bytes]:
    return artefacts.module_file(ruleset).read_bytes(), artefacts.layout_file(ruleset).read_bytes()


@pytest.fixture(scope="module")
def squads() -> ArchivedModule:
    return ArchivedModule(*files_of("squads"))


def key_of(seed: str) -> bytes:
    return key_words(seed).astype("<u4").tobytes()


@pytest.mark.parametrize("name", registry.NAMES)
def test_it_plays_the_same_battles(name: str):
    ruleset, archived = registry.get(name), ArchivedModule(*files_of(name))
    for number in range(SCENARIOS):
        scenario = fracas.load(ruleset.random_scenario(number))
        battle = play_battle(scenario)
        content = sparse(scenario.compiled.record)
        record, end = dense(content, 0, scenario.compiled.record.nbytes)
        assert end == len(content)
        assert record.tobytes() == scenario.compiled.record.tobytes()
        played = archived.play(record, key_of(scenario.seed), logged=True)
        assert (played.winner, played.reason, played.rounds) == (battle.winner, battle.reason, battle.rounds)
        assert played.events is not None
        assert played.events.tobytes() == np.ascontiguousarray(battle.rows).tobytes()
        books = {book: list(names) for book, names in scenario.compiled.books.items()}
        told = archived.decoded(played.events, books)
        assert [event for _, event in told] == [event.as_json() for event in battle.events]
        assert [detail for detail, _ in told] == [event.DETAIL for event in battle.events]
        silent = archived.play(record, key_of(scenario.seed))
        assert (silent.row, silent.events) == (played.row, None)
        assert silent.figures["hp_left"] == list(battle.hp_left)


def test_another_key_is_another_battle(squads: ArchivedModule):
    scenario = fracas.load(registry.get("squads").random_scenario(0))
    record = scenario.compiled.record.view(np.uint8).reshape(-1)
    rows = {squads.play(record, key_of(str(seed)), logged=True).events.tobytes() for seed in range(5)}  # type: ignore[union-attr]
    assert len(rows) > 1


def changed(ruleset: str, change: Any) -> bytes:
    """A description with a change."""
    document = msgspec.json.decode(files_of(ruleset)[1])
    change(document)
    return msgspec.json.encode(document)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda found: found["module"].update(sha256="00" * 32), "differs from the one"),
        (lambda found: found["record"].update(size=1 << 40), "is damaged"),
        (lambda found: found["record"].update(size=12), "is damaged"),
        (lambda found: found["log"].update(size=64), "does not fit itself"),
        (lambda found: found["result"]["fields"][0].update(shape=[1 << 20, 1 << 20]), "does not fit itself"),
        (lambda found: found["result"].update(fields=found["result"]["fields"] * 1_000), "does not fit itself"),
        (lambda found: found.update(more="x" * (1 << 20)), "is too large"),
        (lambda found: found.pop("events"), "is damaged"),
    ],
)
def test_a_description_that_does_not_fit_is_refused(change: Any, told: str):
    module, _ = files_of("squads")
    with pytest.raises(ArchiveFault, match=told):
        ArchivedModule(module, changed("squads", change))


def test_a_record_of_another_size_is_refused(squads: ArchivedModule):
    with pytest.raises(ArchiveFault, match="another size"):
        squads.play(np.zeros(8, np.uint8), bytes(32))


def module_of(*sections: bytes) -> bytes:
    return b"\0asm\1\0\0\0" + b"".join(sections)


def described(module: bytes) -> bytes:
    import hashlib

    facts = {"bytes": len(module), "sha256": hashlib.sha256(module).hexdigest()}
    return changed("squads", lambda found: found["module"].update(facts))


MEMORY = b"\x02\x0f\x01\x03env\x06memory\x02\x00\x01"
# Type () and (i32 x5) -> i32; one function that loops for ever; exports simulate and __heap_base.
LOOPING = module_of(
    b"\x01\x0a\x01\x60\x05\x7f\x7f\x7f\x7f\x7f\x01\x7f",
    MEMORY,
    b"\x03\x02\x01\x00",
    b"\x06\x06\x01\x7f\x00\x41\x00\x0b",
    b"\x07\x1a\x02\x08simulate\x00\x00\x0b__heap_base\x03\x00",
    b"\x0a\x0b\x01\x09\x00\x03\x40\x0c\x00\x0b\x41\x00\x0b",
)


def test_a_module_that_never_ends_is_stopped(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(archived_module, "FUEL", 100_000)
    archived = ArchivedModule(LOOPING, described(LOOPING))
    with pytest.raises(ArchiveFault, match="fuel"):
        archived.play(np.zeros(archived.description.record.size, np.uint8), bytes(32))


# The same, but the function is called play and returns 0 at once.
IDLE = module_of(
    b"\x01\x0a\x01\x60\x05\x7f\x7f\x7f\x7f\x7f\x01\x7f",
    MEMORY,
    b"\x03\x02\x01\x00",
    b"\x06\x06\x01\x7f\x00\x41\x00\x0b",
    b"\x07\x16\x02\x04play\x00\x00\x0b__heap_base\x03\x00",
    b"\x0a\x06\x01\x04\x00\x41\x00\x0b",
)


def test_a_log_without_events_is_empty():
    archived = ArchivedModule(IDLE, described(IDLE))
    played = archived.play(np.zeros(archived.description.record.size, np.uint8), bytes(32), logged=True)
    assert played.events is not None
    assert played.events.shape == (0, 8)
    assert archived.decoded(played.events, {}) == []


@pytest.mark.parametrize(
    ("module", "told"),
    [
        (b"no module at all", "is not WebAssembly"),
        (module_of(), "imports something else"),
        (module_of(b"\x01\x04\x01\x60\x00\x00", b"\x02\x0b\x01\x03env\x03run\x00\x00"), "imports something else"),
        (module_of(MEMORY), "stopped"),
        (module_of(b"\x02" + b"\xff" * 100_000), "is not WebAssembly"),
        # Tables and memories of its own: 400 million functions, and 3.9 GB.
        (module_of(MEMORY, b"\x04\x08\x01\x70\x00\x80\x88\xde\xbe\x01"), "stopped.*table minimum"),
        (module_of(MEMORY, b"\x05\x05\x01\x00\xe0\xd4\x03"), "stopped.*memory minimum"),
    ],
)
def test_what_is_no_module_of_rules_is_refused(module: bytes, told: str):
    archived = ArchivedModule(module, described(module))
    with pytest.raises(ArchiveFault, match=told):
        archived.play(np.zeros(archived.description.record.size, np.uint8), bytes(32))


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "buffer|large"),
        ((9).to_bytes(4, "little") + bytes(200), "more words"),
        ((1).to_bytes(4, "little") + (8).to_bytes(4, "little") + bytes(8), "outside"),
        ((1).to_bytes(4, "little") + bytes(4), "buffer|large"),
    ],
)
def test_a_sparse_record_that_is_cut_or_too_large_is_refused(content: bytes, told: str):
    with pytest.raises(ValueError, match=told):
        dense(content, 0, 64)


@pytest.mark.parametrize("words", [1, 63, 64, 65, 200])
def test_sparse_records_come_back(words: int):
    record = np.zeros(words, np.int64)
    record[[0, words // 2, words - 1]] = (-1, 1 << 60, 7)
    found, _ = dense(b"--" + sparse(record), 2, record.nbytes)
    assert found.tobytes() == record.tobytes()
    empty, end = dense(sparse(np.zeros(words, np.int64)), 0, record.nbytes)
    assert (end, bool(empty.any())) == (4, False)
