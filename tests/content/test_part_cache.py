"""Parts of documents that were checked or resolved before are not made again, and nobody can tell but by the time."""

from __future__ import annotations

import gc
import json
import marshal
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from itertools import count
from typing import Annotated, Any

import pytest
from pydantic import Field
from tests.helpers import soak

import fracas
from fracas.content import part_cache
from fracas.content.canonical import canonical
from fracas.content.packs import examples_folder
from fracas.content.part_cache import Known, made_once, share, to_plain_once
from fracas.content.validate import Model, validate
from fracas.errors import InputError
from fracas.files.process_cache import Memory

numbers = count()


@pytest.fixture(autouse=True)
def nothing_is_known(monkeypatch):
    """No part was seen before, and none is remembered afterwards."""
    for name, room in (("_known", part_cache.MOST_KNOWN), ("_seen", part_cache.MOST_SEEN)):
        monkeypatch.setattr(part_cache, name, Memory(room))
    monkeypatch.setattr(part_cache, "_made_of", {})


class Wheel(Model):
    size: int
    spokes: dict[str, int] = Field(default_factory=dict)
    when: Any = None


class Cart(Model):
    name: str
    wheels: list[Annotated[Wheel, Known()]]


def cart(*wheels: Any) -> dict[str, Any]:
    return {"name": "cart", "wheels": list(wheels)}


def loaded(document: dict[str, Any], **changes: Any) -> fracas.Scenario:
    """A scenario that no cache of whole scenarios knows."""
    return fracas.load({**document, "id": f"load-{next(numbers)}", **changes})


def told(scenario: fracas.Scenario) -> Any:
    document = {**scenario.document, "id": ""}
    books = {key: list(names) for key, names in scenario.compiled.books.items()}
    return json.dumps(document), scenario.compiled.record.tobytes(), scenario.warnings, books


def example(ruleset: str, name: str) -> dict[str, Any]:
    return deepcopy(fracas.load(examples_folder() / ruleset / f"{name}.toml").document)


def first_fight(document: dict[str, Any]) -> list[Any]:
    """The enemies of a quest's first combat."""
    return next(each["enemies"] for each in document["quest"]["encounters"] if each["type"] == "combat")


def test_equal_parts_share_a_model_from_their_second_time():
    wheels = [validate(Cart, cart({"size": 1}), "cart").wheels[0] for _ in range(4)]
    assert wheels[0] == wheels[1]
    assert wheels[0] is not wheels[1]
    assert wheels[1] is wheels[2] is wheels[3]
    assert len(part_cache._known) == 1


@pytest.mark.parametrize("other", [{"size": 2}, {"size": True}, {"size": 1.0}, {"size": "1"}, {"weight": 1}])
def test_a_part_that_differs_in_value_or_type_is_another(other):
    for _ in range(3):
        validate(Cart, cart({"size": 1}), "cart")
    if other == {"size": 2}:
        assert validate(Cart, cart(other), "cart").wheels[0].size == 2
    else:
        for _ in range(3):
            with pytest.raises(InputError) as caught:
                validate(Cart, cart({"size": 1}, other), "cart")
            assert caught.value.problems[0].where.startswith("cart: wheels.1.")


def test_the_order_of_keys_changes_nothing():
    one = {"size": 1, "spokes": {"a": 1, "b": 2}}
    other = {"spokes": {"b": 2, "a": 1}, "size": 1}
    found = [validate(Cart, cart(each), "cart", levels).wheels[0] for each in (one, other) * 3 for levels in (1, 2, 64)]
    assert all(list(each.spokes) == ["a", "b"] and each == found[0] for each in found)


def test_who_gave_a_part_cannot_change_what_is_known():
    given = cart({"size": 1, "when": {"all": ["a"]}})
    for _ in range(3):
        validate(Cart, given, "cart")
    given["wheels"][0]["when"]["all"].append("b")
    fresh = cart({"size": 1, "when": {"all": ["a"]}})
    assert validate(Cart, fresh, "cart").wheels[0].when == {"all": ["a"]}
    assert validate(Cart, given, "cart").wheels[0].when == {"all": ["a", "b"]}


def test_what_is_known_is_bounded(monkeypatch):
    monkeypatch.setattr(part_cache, "_known", Memory(5_000))
    monkeypatch.setattr(part_cache, "_seen", Memory(10))
    for size in range(200):
        for _ in range(2):
            validate(Cart, cart({"size": size}), "cart")
        assert part_cache._known.weight <= 5_000
        assert len(part_cache._seen) <= 10
    gc.collect()
    # What was made of a model goes with it.
    assert 0 < len(part_cache._known) == len(part_cache._made_of) < 10


def test_what_is_made_of_a_model_is_made_once_and_goes_with_it():
    wheel = Wheel(size=1)
    made: list[int] = []

    def make() -> int:
        made.append(1)
        return len(made)

    assert [made_once(wheel, "use", make) for _ in range(2)] == [1, 2]
    share([wheel])
    assert [made_once(wheel, "use", make) for _ in range(3)] == [3, 3, 3]
    assert made_once(wheel, "another use", make) == 4
    first = to_plain_once(wheel)
    first["size"] = 9
    assert to_plain_once(wheel)["size"] == 1
    for use in range(100):
        made_once(wheel, str(use), make)
    assert len(part_cache._made_of[id(wheel)][1]) <= part_cache.MOST_MADE
    # A copy with other values is another model.
    assert to_plain_once(wheel.model_copy(update={"size": 5}))["size"] == 5
    del wheel
    gc.collect()
    assert not part_cache._made_of


EXAMPLES = [("delve", "chalk-court"), ("delve", "own-content"), ("delve", "boss-phases"), ("relics", "own-statuses")]


@pytest.mark.parametrize(("ruleset", "name"), [*EXAMPLES, ("relics", "standard"), ("relics", "home-made-items")])
def test_a_document_of_known_parts_is_the_same_as_when_it_was_new(ruleset, name):
    document = example(ruleset, name)
    assert told(loaded(document)) == told(loaded(document)) == told(loaded(document)) == told(loaded(document))
    assert len(part_cache._known)
    shuffled = json.loads(json.dumps(document), object_pairs_hook=lambda pairs: dict(reversed(pairs)))
    assert told(loaded(shuffled)) == told(loaded(document))
    resolved = loaded(document).document
    assert json.dumps(resolved) == json.dumps(canonical(resolved))


def _numbers_of(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    if isinstance(value, dict | list):
        places = value.items() if isinstance(value, dict) else enumerate(value)
        return [found for key, each in places for found in _numbers_of(each, (*path, key))]
    return [path] if type(value) is int else []


@pytest.mark.parametrize(("ruleset", "name"), EXAMPLES)
def test_every_changed_number_is_noticed(ruleset, name, monkeypatch):
    """A battle of known parts with one other number is what it is where nothing is known."""
    document = example(ruleset, name)
    for _ in range(3):
        loaded(document)
    paths = _numbers_of({key: value for key, value in document.items() if key != "options"})
    for path in paths[:: max(1, len(paths) // soak.times(6))]:
        changed = deepcopy(document)
        holder = changed
        for key in path[:-1]:
            holder = holder[key]
        holder[path[-1]] += 1
        assert _outcome(changed) == _outcome_where_nothing_is_known(changed, monkeypatch), path


def _outcome(document: dict[str, Any]) -> Any:
    try:
        return told(loaded(document))
    except InputError as error:
        return [str(problem) for problem in error.problems]


def _outcome_where_nothing_is_known(document: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> Any:
    with monkeypatch.context() as patch:
        patch.setattr(part_cache, "_known", Memory(0))
        patch.setattr(part_cache, "_made_of", {})
        return _outcome(document)


def test_an_entry_that_a_part_looks_up_is_noticed():
    """A creature's resolved form depends on the skills it uses, which are other parts."""
    document = example("delve", "chalk-court")
    for _ in range(3):
        loaded(document)
    used = first_fight(document)[0]["queue"][0]["skill"]
    changed = deepcopy(document)
    changed["skills"][used]["cost"] = 1_000
    for _ in range(3):
        with pytest.raises(InputError, match="costs"):
            loaded(changed)
    del changed["skills"][used]["cost"]
    loaded(changed)
    content = deepcopy(document)
    content["skills"][used]["name"] = "Something Else"
    assert loaded(content).document["skills"][used]["name"] == "Something Else"
    assert loaded(document).document["skills"][used]["name"] == document["skills"][used]["name"]


def test_a_stale_part_would_be_caught(monkeypatch):
    """The negative control: with a key that ignores the hit points, the test of changed numbers fails."""
    document = example("delve", "boss-phases")

    class Careless:
        def dumps(self, part: Any, version: int = 4) -> bytes:
            return marshal.dumps({**part, "hp": 0} if isinstance(part, dict) and "hp" in part else part, version)

        loads = staticmethod(marshal.loads)

    monkeypatch.setattr(part_cache, "marshal", Careless())
    for _ in range(3):
        loaded(document)
    changed = deepcopy(document)
    changed["party"][0]["hp"] += 1
    assert _outcome(changed) != _outcome_where_nothing_is_known(changed, monkeypatch)


def test_problems_name_the_place_of_each_of_several_equal_parts():
    document = example("delve", "chalk-court")
    enemies = first_fight(document)
    broken = {**enemies[0], "queue": [{"skill": "no_such_skill"}]}
    enemies[:] = [broken, enemies[0], broken]
    said = [_outcome(document) for _ in range(4)]
    assert said[0] == said[1] == said[2] == said[3]
    assert sum("enemies.0" in each for each in said[0]) == sum("enemies.2" in each for each in said[0]) == 1


def test_warnings_come_each_time():
    document = example("delve", "chalk-court")
    document["party"][0]["queue"][0]["when"] = "no_such_condition"
    said = [loaded(document).warnings for _ in range(4)]
    assert said[0]
    assert said[0] == said[1] == said[2] == said[3]


def test_nothing_that_is_handed_out_reaches_what_is_known():
    document = example("delve", "chalk-court")
    document["party"][0]["queue"][0]["when"] = {"any": ["round >= 2", "round < 9"]}
    fresh = _outcome(document)
    for _ in range(3):
        scenario = loaded(document)
        scenario.document["party"][0]["queue"][0]["when"]["any"].clear()
        for member in scenario.document["party"]:
            member["hp"] = 1
            member["queue"].clear()
            member["attributes"].clear()
        scenario.document["skills"].clear()
        scenario.compiled.record["participants"] = 0
        assert _outcome(document) == fresh


def test_threads_share_parts():
    documents = [example("delve", "own-content"), example("relics", "standard")]
    fresh = [told(loaded(each)) for each in documents]

    def work(turn: int) -> list[Any]:
        own = [deepcopy(each) for each in documents]
        for each in own:
            each["note" if turn % 2 else "id"] = f"turn {turn}"
        return [told(loaded({**each, "note": ""})) for each in own]

    with ThreadPoolExecutor(4) as threads:
        for found in threads.map(work, range(16)):
            assert found == fresh


def test_an_effect_written_twice_counts_twice():
    """Equal entries of a list share a model; they are still two."""
    document = example("relics", "standard")
    effect = {"do": [["gain_armor", 1]]}
    counts = []
    for times in (1, 2, 3):
        document["left"]["triggers"] = {"battle_start": [effect] * times}
        counts.append({int(loaded(document).compiled.record["builds"]["effects"]["entries"][0, 0]) for _ in range(4)})
    first = min(counts[0])
    assert counts == [{first}, {first + 1}, {first + 2}]
