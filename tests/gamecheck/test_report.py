from __future__ import annotations

from fracas.errors import Problem
from fracas.gamecheck.report import Check, Report


def report() -> Report:
    good = Check("plays", "rules raise nothing", "6 battles", remark="mind this")
    bad = Check("ends", "every battle ends", "5 battles")
    for number in range(5):
        bad.complain(Problem(f"pets.py:{number}: act", "goes on", "end it"))
    bad.complain(bad.problems[0])
    return Report("pets", 1, "ab" * 32, 6, [good, bad, Check("hidden", "nothing shows").skip("nothing is hidden")])


def test_a_line_for_each_check_and_three_problems() -> None:
    assert str(report()).splitlines() == [
        "passed   rules raise nothing  6 battles",
        "         mind this",
        "failed   every battle ends    5 battles",
        "         pets.py:0: act: goes on (end it)",
        "         pets.py:1: act: goes on (end it)",
        "         pets.py:2: act: goes on (end it)",
        "         and 2 more",
        "skipped  nothing shows        nothing is hidden",
        "pets version 1, rules abababababab: 1 passed, 1 failed, 1 skipped",
    ]


def test_the_same_for_programs() -> None:
    document = report().as_json()
    assert document["passed"] is False
    assert [each["status"] for each in document["checks"]] == ["passed", "failed", "skipped"]
    assert len(document["checks"][1]["problems"]) == 5
    assert document["checks"][1]["problems"][0] == {
        "where": "pets.py:0: act",
        "message": "goes on",
        "suggestion": "end it",
    }
