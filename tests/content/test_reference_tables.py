"""Tables of references find the names in documents, valid or not."""

from __future__ import annotations

import pytest

from fracas.content.reference_tables import References, references_in

PLACES: References = {
    "leader": "units",
    "rules.": {"best": "skills"},
    "queue[]": {"": "skills", "skill": "skills"},
}


def found(value: object) -> list[tuple[str, str, str]]:
    return [(each.path, each.what, each.name) for each in references_in(value, PLACES)]


def test_names_in_tables_and_lists_with_their_paths() -> None:
    document = {"leader": "ann", "rules": {"best": "jab"}, "queue": ["jab", {"skill": "kick"}]}
    assert found(document) == [
        ("leader", "unit", "ann"),
        ("rules.best", "skill", "jab"),
        ("queue.0", "skill", "jab"),
        ("queue.1.skill", "skill", "kick"),
    ]


def test_a_path_in_front() -> None:
    [only] = references_in({"leader": "ann"}, PLACES, "sides.0")
    assert only.path == "sides.0.leader"


@pytest.mark.parametrize("value", [{}, [], "x", None, {"leader": 3, "rules": [], "queue": {"skill": "x"}}])
def test_what_is_not_valid_has_no_names(value: object) -> None:
    assert found(value) == []
