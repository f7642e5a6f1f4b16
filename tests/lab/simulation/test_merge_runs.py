"""Parts of a run: put together they are the bytes of one run; what does not belong together is refused."""

from __future__ import annotations

import json
import shutil

import pytest
from tests.helpers.parquet import row_groups
from tests.helpers.relics import battle as relics_battle
from tests.helpers.runs import bytes_of
from tests.helpers.scenarios import loaded, problems_of

from fracas.lab.simulation.export import simulate_to_file
from fracas.lab.simulation.merge_runs import merge
from fracas.lab.simulation.summary_file import summary_of

BATTLES = 300


@pytest.fixture(scope="module")
def scenario():
    return loaded()


@pytest.fixture(autouse=True)
def compiled(monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", "1")


@pytest.fixture(scope="module")
def two_parts(tmp_path_factory, scenario):
    """Battles 0 to 9 and 10 to 19, for tests that copy and damage them."""
    folder = tmp_path_factory.mktemp("parts")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FRACAS_JIT", "1")
        parts_of(folder, "a.json", scenario, 10, 20)
    return folder


@pytest.fixture
def parts(tmp_path, two_parts):
    """The first and the second part, copied."""
    shutil.copytree(two_parts, tmp_path, dirs_exist_ok=True)
    return tmp_path / "0" / "a.json", tmp_path / "10" / "a.json"


@pytest.fixture(params=["battles.parquet", "battles.json"])
def name(request):
    return request.param


def parts_of(folder, name, scenario, *ends, contributions=0):
    """Parts of a run that end with these numbers, and their places."""
    places = []
    for start, end in zip((0, *ends), ends, strict=False):
        place = folder / f"{start}" / name
        place.parent.mkdir(parents=True)
        simulate_to_file(place, scenario, end - start, start=start, contributions=contributions)
        places.append(place)
    return places


def whole_of(folder, name, scenario, n=BATTLES, **options):
    folder.mkdir()
    simulate_to_file(folder / name, scenario, n, **options)
    return bytes_of(folder)


def merged(folder, name, places):
    folder.mkdir()
    merge(places, folder / name)
    return bytes_of(folder)


@pytest.mark.parametrize("ends", [(150, 300), (1, 2, 300), (290, 300)])
def test_parts_are_put_together_to_the_bytes_of_the_whole(tmp_path, name, scenario, ends):
    places = parts_of(tmp_path, name, scenario, *ends)
    assert merged(tmp_path / "merged", name, places[::-1]) == whole_of(tmp_path / "whole", name, scenario)


def test_row_groups_do_not_depend_on_where_a_run_was_cut(tmp_path, scenario, monkeypatch):
    for module in ("store.parquet", "simulation.merge_runs"):
        monkeypatch.setattr(f"fracas.lab.{module}.ROWS_OF_A_GROUP", 64)
    places = parts_of(tmp_path, "a.parquet", scenario, 70, 200, 300)
    assert merged(tmp_path / "merged", "a.parquet", places) == whole_of(tmp_path / "whole", "a.parquet", scenario)
    assert row_groups(tmp_path / "merged" / "a.parquet") == [64, 64, 64, 64, 44]


def test_what_is_put_together_is_a_part_itself(tmp_path, name, scenario):
    first, second, third = parts_of(tmp_path, name, scenario, 100, 200, 300)
    merged(tmp_path / "later", name, [third, second])
    assert merged(tmp_path / "merged", name, [tmp_path / "later" / name, first]) == whole_of(
        tmp_path / "whole", name, scenario
    )


def test_what_units_did_is_told_by_the_first_part(tmp_path, scenario):
    places = parts_of(tmp_path, "a.json", scenario, 40, 80, contributions=20)
    together = merged(tmp_path / "merged", "a.json", places)
    assert together == whole_of(tmp_path / "whole", "a.json", scenario, 80, contributions=20)
    assert json.loads((tmp_path / "merged" / "a.json").read_bytes())["contributions"]["battles"] == 20


@pytest.mark.parametrize("asked", [40, None])
def test_a_first_part_that_is_too_short_for_what_units_did_is_counted_anew(tmp_path, scenario, asked):
    """A part that was fine by itself is no reason to refuse all parts after they were played."""
    places = parts_of(tmp_path, "a.json", scenario, 20, 80, contributions=asked)
    assert merged(tmp_path / "merged", "a.json", places) == whole_of(
        tmp_path / "whole", "a.json", scenario, 80, contributions=asked
    )


def test_a_battle_without_luck_is_put_together_too(tmp_path, name):
    sure = loaded(relics_battle({"weapon": "boomstick"}))
    places = parts_of(tmp_path, name, sure, 10, 30)
    assert merged(tmp_path / "merged", name, places) == whole_of(tmp_path / "whole", name, sure, 30)


def changed(place, **values):
    """A part whose summary says something else."""
    file = summary_of(place)
    file.write_text(json.dumps(json.loads(file.read_text()) | values))
    return place


def test_gaps_and_overlaps_are_told_with_what_to_do(tmp_path, scenario):
    first, _, third = parts_of(tmp_path, "a.json", scenario, 10, 20, 30)
    [problem] = problems_of(merge, [first, third], tmp_path / "whole.json")
    assert (problem.message, problem.suggestion) == (
        "battles 10 to 19 are missing",
        "simulate them with --start 10 -n 10",
    )
    [problem] = problems_of(merge, [first, first, third], tmp_path / "whole.json")[:1]
    assert problem.message == "battle 0 is in two parts"


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"command": "odds"}, "is not a summary of a simulation"),
        ({"sums": None}, "has no sums"),
        ({"sums": {"battles": "x"}}, "its sums are damaged"),
        ({"contributions": {"rows": []}}, "its sums are damaged"),
        ({"contributions": {"battles": 0, "rows": []}}, "its sums are damaged"),
        ({"asked": {"contributions": "many"}}, "its sums are damaged"),
        ({"wins": [1, 1]}, "its sums are damaged"),
        ({"wins": None}, "its sums are damaged"),
        ({"interrupted": True}, "was interrupted"),
        ({"asked": {"n": None, "precision": 1.0}}, "was played to a precision"),
        ({"start": -1}, "begins with battle -1"),
        ({"start": "x"}, "begins with battle"),
        ({"seed": "another"}, "the seed differs"),
        ({"rules_version": 99}, "the rules version differs"),
    ],
)
def test_what_is_no_part_of_the_run_is_refused(tmp_path, parts, values, message):
    first, second = parts
    [problem] = problems_of(merge, [first, changed(second, **values)], tmp_path / "whole.json")
    assert problem.where == str(second)
    assert message in problem.message
    assert not (tmp_path / "whole.json").exists()


@pytest.mark.parametrize("content", [b"", b"\xff", b"[1]", b"[" * 100_000])
def test_what_is_no_summary_is_refused(tmp_path, parts, content):
    first, second = parts
    second.write_bytes(content)
    [problem] = problems_of(merge, [first, second], tmp_path / "whole.json")
    assert problem.message == "is not a summary of a simulation"


def test_a_table_that_is_not_its_summarys_is_refused(tmp_path, scenario):
    first, second = parts_of(tmp_path, "a.parquet", scenario, 10, 20)
    first.write_bytes(second.read_bytes())
    [problem] = problems_of(merge, [first, second], tmp_path / "whole.parquet")
    assert problem.where == str(first)
    assert "is not the table of its summary" in problem.message


def test_all_problems_are_told_at_once(tmp_path, parts):
    first, second = parts
    problems = problems_of(merge, [first, tmp_path / "x.json", changed(second, seed="other")], tmp_path / "w.json")
    assert [problem.where for problem in problems] == [str(tmp_path / "x.json"), str(second)]


def test_one_part_is_no_merger(tmp_path, scenario):
    [place] = parts_of(tmp_path, "a.json", scenario, 10)
    [problem] = problems_of(merge, [place], tmp_path / "whole.json")
    assert "takes 2 to 10,000 parts" in problem.message
