"""Round robins: cells, ranks, ties, circles, Ctrl-C."""

from __future__ import annotations

import json

import numpy as np
import pytest
from tests.helpers.fields import Field
from tests.helpers.scenarios import duel, problems_of

import fracas
from fracas.lab.simulation.scores import play_scores
from fracas.lab.statistics.intervals import mean_interval
from fracas.lab.studies import matchups as module
from fracas.lab.studies.matchup_cells import CellSums, OrderSums
from fracas.lab.studies.matchups import matchups
from fracas.lab.studies.roster import entrants_of_sources, roster_of_entrants
from fracas.lab.studies.standings import RowSums, analyse, find_cycles


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", "0")


def fighter(name, attack=30):
    """A duel whose side 1 goes by a name."""
    document = duel()
    document["sides"][0]["name"] = name
    document["sides"][0]["units"][0]["attack"] = attack
    return document


def roster(*names, seed=None):
    sources = [fighter(name, attack=30 + place) for place, name in enumerate(names)]
    return roster_of_entrants(entrants_of_sources("entrants", sources, fracas.load), seed)


def skill(strengths):
    """Side 1 wins by how much stronger it is; names may be those of guests, with a number behind them."""

    def chance(document):
        one, other = (strengths[side["name"].split("-")[0]] for side in document["sides"])
        return min(1.0, max(0.0, 0.5 + one - other))

    return chance


# Cells.


def test_a_cell_is_both_orders_with_the_same_streams():
    entrants = roster("Ada", "Bo", seed="x")
    found = matchups(entrants, 12)
    (cell,) = found.cells
    assert cell.as_1 is not None
    assert cell.as_2 is not None
    points = []
    for one, other in ((0, 1), (1, 0)):
        side_refs = [entrants.entrants[place].side_ref for place in (one, other)]
        document = entrants.rules.ruleset.analysis.matchup(*side_refs)
        points.append(play_scores(fracas.load(document, seed="x"), 6).scores)
    own = points[0].astype(int) + 2 - points[1]
    assert cell.battles == 12
    low, high = mean_interval(own.sum(), (own**2).sum(), 6, 0, 4)
    assert cell.interval95 == (low / 4, high / 4)
    assert cell.share == pytest.approx(own.mean() / 4)
    assert [order.battles for order in (cell.as_1, cell.as_2)] == [6, 6]
    assert cell.as_1.wins == (points[0] == 2).sum()
    assert cell.as_2.wins == (points[1] == 0).sum()


def test_every_pair_meets_once_and_shares_are_two_sides_of_one_thing():
    found = matchups(roster("Ada", "Bo", "Cy"), 4)
    assert [(cell.first, cell.second) for cell in found.cells] == [(0, 1), (0, 2), (1, 2)]
    shares = found.shares
    assert [shares[place][place] for place in range(3)] == [None] * 3
    for cell in found.cells:
        assert shares[cell.first][cell.second] == cell.share
        assert shares[cell.second][cell.first] == 1 - cell.share


def test_the_interval_of_a_cell_goes_by_streams():
    cell = CellSums(0, 1, 100, 260, 800, (OrderSums(100, deterministic=False), OrderSums(100, deterministic=False)))
    low, high = mean_interval(260, 800, 100, 0, 4)
    assert cell.interval95 == (low / 4, high / 4)
    assert cell.share == 0.65


def test_what_depends_on_no_luck_is_certain(monkeypatch):
    monkeypatch.setattr(module, "play_scores", Field(skill({"Ada": 1.0, "Bo": 0.0})))
    (cell,) = matchups(roster("Ada", "Bo"), 10).cells
    assert cell.deterministic
    assert cell.interval95 == (1.0, 1.0)


def test_memory_is_for_one_block_and_blocks_add_up(monkeypatch):
    field = Field(skill({"Ada": 0.1, "Bo": 0.05, "Cy": 0.0}))
    monkeypatch.setattr(module, "play_scores", field)
    whole = matchups(roster("Ada", "Bo", "Cy"), 400)
    monkeypatch.setattr(module, "BLOCK", 64)
    field.calls.clear()
    parts = matchups(roster("Ada", "Bo", "Cy"), 400)
    assert max(count for _, _, count in field.calls) == 64
    assert sorted({start for _, start, _ in field.calls}) == [0, 64, 128, 192]
    strip = dict.fromkeys(["timing"])
    assert {**whole.as_json(), **strip} == {**parts.as_json(), **strip}


@pytest.mark.parametrize("threads", [1, 2])
def test_threads_change_nothing(threads):
    found = matchups(roster("Ada", "Bo"), 8, threads=threads).as_json()
    again = matchups(roster("Ada", "Bo"), 8).as_json()
    assert {**found, "timing": 0} == {**again, "timing": 0}


def test_precision_is_that_of_the_widest_cell(monkeypatch):
    monkeypatch.setattr(module, "play_scores", Field(skill({"Ada": 0.3, "Bo": 0.05, "Cy": 0.0})))
    found = matchups(roster("Ada", "Bo", "Cy"), precision=1.0)
    widths = [(cell.interval95[1] - cell.interval95[0]) / 2 for cell in found.cells]
    assert max(widths) <= 0.01
    assert max(widths) > 0.007
    assert len({cell.battles for cell in found.cells}) == 1
    assert found.half_width == max(widths)


# What follows from cells.


def analysed(points, streams, deterministic=False):
    """The analysis of some points; entrants go by their number."""
    names = [str(number) for number in range(len(points))]
    return analyse(cells_of(points, streams, deterministic), rows_of(points), names)


def rows_of(points):
    rows = RowSums(len(points))
    rows.add(np.array(points))
    return rows


def cells_of(points, streams, deterministic=False):
    """Cells with the same share for everybody against the next ones, if only rows matter."""
    count = len(points)
    orders = (OrderSums(streams, deterministic=deterministic), OrderSums(streams, deterministic=deterministic))
    return [CellSums(i, j, streams, 2 * streams, 5 * streams, orders) for j in range(count) for i in range(j)]


def test_sums_of_rows_do_not_depend_on_the_cut():
    points = np.arange(24).reshape(3, 8)
    parts = RowSums(3)
    parts.add(points[:, :3])
    parts.add(points[:, 3:])
    whole = rows_of(points)
    assert parts.totals.tolist() == whole.totals.tolist() == points.sum(axis=1).tolist()
    assert parts.products.tolist() == whole.products.tolist() == (points @ points.T).tolist()


def test_a_group_ends_where_the_difference_to_its_best_is_sure():
    numbers = np.random.default_rng(7)
    noise = numbers.integers(0, 3, 400)
    points = [noise + 5, noise + 5 + numbers.integers(-1, 2, 400), noise + 1, noise + 1, noise]
    found = analysed(points, 400)
    assert sorted(map(sorted, found.groups)) == [["0", "1"], ["2", "3"], ["4"]]
    assert [standing.rank for standing in found.standings] == [1, 2, 3, 4, 5]
    assert [standing.group for standing in found.standings] == [1, 1, 2, 2, 3]


def test_pairing_tells_apart_what_intervals_alone_do_not():
    """The same luck for both: the rows' own intervals overlap widely."""
    luck = np.random.default_rng(1).integers(0, 12, 60)
    points = [luck + 1, luck, luck]
    found = analysed(points, 60)
    first, second = found.standings[0], found.standings[1]
    assert first.interval95[0] < second.interval95[1]
    assert (first.group, second.group) == (1, 2)


def test_members_of_a_group_are_compared_with_its_best_not_with_their_neighbours():
    """A chain in which each next one is level with the one before, and the last is not level with the first."""
    numbers = np.random.default_rng(3)
    points = [100 - place + numbers.integers(-20, 21, 200) for place in range(12)]
    found = analysed(points, 200)
    assert len(found.groups) > 1
    best = None
    for standing in found.standings:
        if best is None or standing.group != best.group:
            best = standing
        assert standing.behind_p > 0.05
        assert standing.behind == pytest.approx(best.share - standing.share)


def round_robin(numbers, strengths, streams):
    """The points of a made-up round robin: of each stream a cell brings 0 to 4 quarters, by how much better one is."""
    count = len(strengths)
    points = np.zeros((count, streams), np.int64)
    for one in range(count):
        for other in range(one):
            own = numbers.binomial(4, 0.5 + strengths[one] - strengths[other], streams)
            points[one] += own
            points[other] += 4 - own
    return points


@pytest.mark.parametrize(("equals", "tries"), [(2, 300), (6, 200), (20, 40)])
def test_equals_stay_together(equals, tries):
    """In 95% of round robins, so that of these about 15, 10 and 2 split them; of 20 equals it was 77%."""
    numbers = np.random.default_rng(equals)
    split = 0
    for _ in range(tries):
        points = round_robin(numbers, [0.0] * equals, 120)
        split += len(analysed(points, 120).groups) > 1
    assert split <= 0.05 * tries + 3 * (0.05 * 0.95 * tries) ** 0.5


def test_what_is_clearly_weaker_is_still_told_apart():
    numbers = np.random.default_rng(1)
    points = round_robin(numbers, [0.1] * 10 + [0.0] * 10, 400)
    found = analysed(points, 400)
    assert [sorted(map(int, group)) for group in found.groups] == [[*range(10)], [*range(10, 20)]]


def test_entrants_that_are_alike_are_one_group_in_the_order_they_were_named():
    points = [[6, 2, 7, 1]] * 3
    found = analysed(points, 4)
    assert found.groups == [["0", "1", "2"]]


def test_without_luck_the_smallest_difference_counts():
    points = [[7], [6], [6]]
    found = analysed(points, 1, deterministic=True)
    assert found.groups == [["0"], ["1", "2"]]
    assert all(low == high for low, high in (standing.interval95 for standing in found.standings))


def ring(matrix, streams=1000):
    """Cells by shares."""
    count = len(matrix)
    orders = (OrderSums(streams, deterministic=False), OrderSums(streams, deterministic=False))
    return [
        CellSums(i, j, streams, round(4 * streams * matrix[i][j]), round(16 * streams * matrix[i][j]), orders)
        for j in range(count)
        for i in range(j)
    ]


def test_a_circle_is_named_in_the_order_in_which_its_members_win():
    matrix = [[0, 0.4, 0.7], [0.6, 0, 0.35], [0.3, 0.65, 0]]
    (cycle,) = find_cycles(ring(matrix), "abc")
    assert cycle.entrants == (0, 2, 1)
    assert cycle.shares == pytest.approx([0.7, 0.65, 0.6])
    assert all(low > 0.5 for low, _ in cycle.interval95)


def test_a_circle_needs_every_link_to_be_sure():
    matrix = [[0, 0.49, 0.7], [0.51, 0, 0.35], [0.3, 0.65, 0]]
    assert find_cycles(ring(matrix), "abc") == []
    assert len(find_cycles(ring(matrix, 100_000), "abc")) == 1


def test_a_ranking_has_no_circles():
    matrix = [[0, 0.6, 0.7], [0.4, 0, 0.65], [0.3, 0.35, 0]]
    assert find_cycles(ring(matrix), "abc") == []


def test_circles_with_the_strongest_weakest_link_come_first():
    matrix = np.full((4, 4), 0.5)
    for one, other, share in [(0, 1, 0.9), (1, 2, 0.6), (2, 0, 0.9), (1, 3, 0.8), (3, 0, 0.8)]:
        matrix[one, other], matrix[other, one] = share, 1 - share
    found = find_cycles(ring(matrix.tolist()), "abcd")
    assert [cycle.entrants for cycle in found] == [(0, 1, 3), (0, 1, 2)]


def test_the_mix_of_a_made_up_circle(monkeypatch):
    beats = {("Ada", "Bo"), ("Bo", "Cy"), ("Cy", "Ada")}

    def chance(document):
        one, other = (side["name"].split("-")[0] for side in document["sides"])
        return 0.8 if (one, other) in beats else 0.2

    monkeypatch.setattr(module, "play_scores", Field(chance))
    found = matchups(roster("Ada", "Bo", "Cy"), 4000)
    assert found.analysis.mix.shares == pytest.approx(dict.fromkeys(found.names, 1 / 3), abs=0.05)
    assert found.analysis.cycles[0].names == ["Ada", "Bo", "Cy"]


# Ctrl-C.


def test_ctrl_c_leaves_whole_cells_and_no_ranks(monkeypatch):
    monkeypatch.setattr(module, "play_scores", Field(skill({"Ada": 0.1, "Bo": 0.0, "Cy": 0.0}), stop_after=5))
    found = matchups(roster("Ada", "Bo", "Cy"), 100)
    assert found.interrupted
    assert [(cell.first, cell.second) for cell in found.cells] == [(0, 1), (0, 2)]
    assert all(cell.battles == 100 for cell in found.cells)
    document = json.loads(json.dumps(found.as_json()))
    assert document["standings"] is document["mix"] is document["cycles"] is None
    assert document["shares"][1][2] is None


def test_ctrl_c_in_a_later_block_leaves_the_blocks_before(monkeypatch):
    monkeypatch.setattr(module, "BLOCK", 100)
    monkeypatch.setattr(module, "play_scores", Field(skill({"Ada": 0.1, "Bo": 0.0, "Cy": 0.0}), stop_after=15))
    found = matchups(roster("Ada", "Bo", "Cy"), 1000)
    assert found.interrupted
    assert [cell.battles for cell in found.cells] == [400] * 3


def test_ctrl_c_in_the_first_cell_while_a_precision_is_aimed_at(monkeypatch):
    monkeypatch.setattr(module, "play_scores", Field(skill({"Ada": 0.1, "Bo": 0.0}), stop_after=0))
    found = matchups(roster("Ada", "Bo"), precision=5.0)
    assert (found.cells, found.interrupted, found.half_width) == ([], True, 0.0)


def test_ctrl_c_between_cells(monkeypatch):
    def pressed(done, total, said):
        if done == 1:
            raise KeyboardInterrupt

    monkeypatch.setattr(module, "play_scores", Field(skill({"Ada": 0.1, "Bo": 0.0, "Cy": 0.0})))
    found = matchups(roster("Ada", "Bo", "Cy"), 100, steps=pressed)
    assert (len(found.cells), found.interrupted) == (1, True)


def test_a_precision_that_is_not_reached_is_said(monkeypatch):
    monkeypatch.setattr(module, "MOST_KEPT", 2048)
    monkeypatch.setattr(module, "play_scores", Field(skill({"Ada": 0.1, "Bo": 0.0})))
    said: list[str] = []
    found = matchups(roster("Ada", "Bo"), precision=0.5, notice=said.append)
    assert found.cells[0].battles == 4096
    (text,) = said
    assert text.startswith(f"a half-width of 0.5000% was not reached: it is {found.half_width:.4%} after 4,096 battles")


# What is refused.


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"n": 7}, "7 is odd"),
        ({"n": 0}, "0 is out of range"),
        ({"n": 2, "precision": 1.0}, "give one of them, not both"),
        ({"precision": 0}, "0 is out of range"),
        ({"threads": 0}, "0 is out of range"),
    ],
)
def test_amounts_that_cannot_be_meant(options, told):
    (problem,) = problems_of(matchups, roster("Ada", "Bo"), **options)
    assert told in problem.message


def test_all_who_cannot_meet_are_named(monkeypatch):
    entrants = roster("Ada", "Bo", "Cy")

    def refuse(lab, first, second):
        raise fracas.InputError.of("basic_attack", "differs")

    monkeypatch.setattr(type(entrants.rules.ruleset.analysis), "matchup", refuse)
    problems = problems_of(matchups, entrants, 4)
    assert [problem.where for problem in problems] == ["Bo: basic_attack", "Cy: basic_attack"]


def test_all_play_by_the_rules_of_the_first():
    heard: list[str] = []
    first, second = fighter("Ada"), fighter("Bo")
    second["options"] = {"round_cap": 1}
    sources = [first, second]
    entrants = roster_of_entrants(entrants_of_sources("entrants", sources, fracas.load), None)
    documents = module.all_pairings(entrants, heard.append)
    assert len(documents) == 2
    assert {document["options"]["round_cap"] for document in documents.values()} == {50}
    assert heard == [f"Bo: its file has other options; all entrants use those of {entrants.rules.id}"]


# Some against some others.


def test_rows_play_against_columns_alone():
    sources = [fighter(name, attack=30 + place) for place, name in enumerate(("Ada", "Bo", "Cy", "Di"))]
    found = fracas.matchups(sources[:2], 8, against=sources[2:], seed="x")
    assert [(cell.first, cell.second) for cell in found.cells] == [(0, 2), (0, 3), (1, 2), (1, 3)]
    with pytest.raises(fracas.UsageError, match="needs results of every pair"):
        found.analysis  # noqa: B018
    for row in found.rows:
        cells = [cell for cell in found.cells if cell.first == row.entrant]
        assert row.share == pytest.approx(sum(cell.share for cell in cells) / 2)
        assert row.interval95[0] <= row.share <= row.interval95[1]
    assert [row.share for row in found.rows] == sorted((row.share for row in found.rows), reverse=True)
    whole = fracas.matchups(sources, 8, seed="x")
    pair = next(cell for cell in whole.cells if (cell.first, cell.second) == (0, 2))
    assert pair.share == found.cells[0].share
    assert "does best against all of them together" in found.findings()[0]
    assert [row[0] for row in found.shown_tables()[0].rows] == [found.names[row.entrant] for row in found.rows]


def test_nobody_to_play_against_is_refused():
    assert problems_of(fracas.matchups, [], 8, against=[fighter("Ada")])[0].where == "entrants"
