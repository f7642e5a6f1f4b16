"""`fracas lab matchups`."""

from __future__ import annotations

import pytest
from tests.helpers.commands import BAD_INPUT, DONE, INTERRUPTED
from tests.helpers.fields import Field
from tests.helpers.guards import ROOT
from tests.helpers.scenarios import SCENARIO, written

from fracas.lab.studies import matchups as module

FORMATIONS = ROOT / "examples" / "squads" / "rosters" / "formations.toml"
PLANS = FORMATIONS.with_name("plans.toml")
STRENGTHS = {"one-of-each": 0.0}


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", "0")


@pytest.fixture
def field(monkeypatch):
    """Chances in place of battles: who is more aggressive wins more often."""

    def put(stop_after=None):
        order = ["defensive", "balanced", "flanking", "aggressive"]

        def chance(document):
            one, other = (order.index(side["strategy"]["formation"]) for side in document["sides"])
            return 0.5 + (one - other) / 10

        monkeypatch.setattr(module, "play_scores", Field(chance, stop_after))

    return put


def test_a_ranking_a_matrix_and_a_mix(field, fracas_cli):
    field()
    answer = fracas_cli("lab", "matchups", FORMATIONS, "-n", 4000)
    lines = answer.out.splitlines()
    assert answer.status == DONE
    assert lines[0] == 'formations: squads, profile classic, seed "one-of-each"'
    assert lines[1].startswith("4 entrants, 6 match-ups of 4,000 battles, half from each side, ±")
    ranked = ["Aggressive", "Flanking", "Balanced", "Defensive"]
    rows = [line.split() for line in lines if line[:2] == "  " and line.split()[0] in "1234"]
    assert [row[1] for row in rows] == [*ranked, *ranked]
    document = fracas_cli("lab", "matchups", FORMATIONS, "-n", 4000, "--format", "json").json
    places = [entrant["name"] for entrant in document["entrants"]]
    shares = [document["shares"][places.index(ranked[0])][places.index(name)] for name in ranked[1:]]
    assert rows[4][2:] == [f"{100 * share:.0f}" for share in shares]


def test_the_matrix_of_twenty_fits_eighty_columns(field, fracas_cli, tmp_path):
    field()
    written(tmp_path, SCENARIO, "a.toml")
    entry = '[[entrants]]\nname = "A rather long name, number {}"\nfile = "a.toml"\n'
    path = written(tmp_path, 'ruleset = "squads"\n' + "".join(entry.format(number) for number in range(20)), "r.toml")
    answer = fracas_cli("lab", "matchups", path, "-n", 20)
    matrix = answer.out.partition("points of the row")[2].splitlines()[1:22]
    assert all(len(line) <= 80 for line in matrix)
    assert all(len(line.split()) == 20 for line in matrix)


def test_the_document_says_what_it_is_of(field, fracas_cli):
    field()
    document = fracas_cli(
        "lab", "matchups", FORMATIONS, "-n", 400, "--seed", "x", "--profile", "tuned", "--format", "json"
    ).json
    assert document["command"] == "matchups"
    assert (document["ruleset"], document["scenario"], document["seed"], document["profile"]) == (
        "squads",
        "formations",
        "x",
        "tuned",
    )
    assert len(document["entrants"]) == 4
    assert len({entrant["content_fingerprint"] for entrant in document["entrants"]}) == 4
    assert len(document["cells"]) == 6
    for cell in document["cells"]:
        assert cell["battles"] == 400
        for order in ("as_1", "as_2"):
            assert cell[order]["wins"] + cell[order]["draws"] + cell[order]["losses"] == 200
        low, high = cell["interval95"]
        assert low < cell["share"] < high
    assert document["interrupted"] is False
    assert document["groups"][0] == ["Aggressive"]


@pytest.mark.parametrize("form", ["text", "json"])
def test_ctrl_c_shows_whole_cells(field, fracas_cli, form):
    field(stop_after=5)
    answer = fracas_cli("lab", "matchups", FORMATIONS, "-n", 40, "--format", form)
    assert answer.status == INTERRUPTED
    assert "interrupted after 2 of 6 match-ups" in answer.err
    if form == "json":
        assert answer.json["interrupted"] is True
        assert len(answer.json["cells"]) == 2
        assert answer.json["standings"] is None


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([FORMATIONS, "-n", 3], "-n: 3 is odd"),
        ([FORMATIONS, "-n", 0], "-n: 0 is out of range"),
        ([FORMATIONS, "-n", 2, "--precision", "1%"], "give one of them, not both"),
        ([FORMATIONS, "--precision", "sure"], '--precision: "sure" is not a number'),
        ([FORMATIONS, "--threads", 0], "--threads: 0 is out of range"),
        ([FORMATIONS.with_name("one-of-each.toml")], "there must be 2 to 200 entrants, not 1"),
        ([FORMATIONS, FORMATIONS], "is a roster, which cannot be combined with other files"),
        (["nowhere.toml", "nothing.toml"], "nothing.toml: there is no such file"),
        ([ROOT / "examples" / "relics" / "first-duel.toml", FORMATIONS.with_name("one-of-each.toml")], "different"),
        ([FORMATIONS, "--set", "sides.0.units.0.hpp=3"], "hpp"),
    ],
)
def test_what_cannot_be_meant(fracas_cli, arguments, told):
    answer = fracas_cli("lab", "matchups", *arguments, "--format", "json")
    assert answer.status == BAD_INPUT
    assert told in answer.err
    assert answer.errors


@pytest.mark.parametrize("path", [FORMATIONS, PLANS])
def test_the_shipped_rosters_are_valid(fracas_cli, path):
    answer = fracas_cli("validate", path)
    assert answer.status == DONE
    assert "valid squads roster of " in answer.out


def test_rosters_have_a_schema(fracas_cli):
    document = fracas_cli("content", "schema", "squads", "roster").json
    assert set(document["properties"]) == {"ruleset", "id", "note", "seed", "profile", "entrants"}


@pytest.mark.parametrize("options", [[], ["--format", "json"]])
def test_ctrl_c_before_the_first_match_up_prints_no_table(field, fracas_cli, options):
    field(stop_after=1)
    ended = fracas_cli("lab", "matchups", FORMATIONS, "-n", 40, *options)
    assert (ended.status, ended.err) == (INTERRUPTED, "interrupted\n")
    assert ended.out == ('{"interrupted": true}\n' if options else "")
