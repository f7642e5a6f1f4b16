"""Ctrl-C while a small simulation is played: whatever plays many of them ends there, with those that are whole."""

from __future__ import annotations

import json
import operator
import signal
import threading
from collections.abc import Callable, Sequence
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from tests.helpers.fields import Field, results_like
from tests.helpers.presses import interrupted_by, pressed
from tests.helpers.relics import battle, item
from tests.helpers.scenarios import duel

import fracas
from fracas.engine.scenario import Scenario
from fracas.lab.execution.interrupts import AllowInterrupt, DeferInterrupt
from fracas.lab.presentation import types
from fracas.lab.search.optimise import optimise
from fracas.lab.search.optimise_result import SearchSettings
from fracas.lab.simulation import contributions as contributing
from fracas.lab.simulation.first_battles import with_contributions
from fracas.lab.simulation.scores import ScoreSample
from fracas.lab.simulation.simulate import simulate
from fracas.lab.studies.compare import compare
from fracas.lab.studies.find import find
from fracas.lab.studies.ladder import run_ladder
from fracas.lab.studies.matchups import matchups
from fracas.lab.studies.odds import find_odds
from fracas.lab.studies.roster import entrants_of_sources, roster_of_entrants
from fracas.lab.studies.sensitivity import sensitivity
from fracas.lab.studies.swaps import run_swaps
from fracas.lab.studies.sweep import parse_axis, sweep
from fracas.reports.default_analyses import standard
from fracas.rulesets.contract.analysis import Dimension
from fracas.rulesets.contract.types import LadderRung, Swap
from fracas.rulesets.relics.ruleset import Relics
from fracas.rulesets.squads.analysis.lab_hooks import LabHooks

ATTACK = "sides.0.units.0.attack"
COIN = item("coin", triggers={"turn_start": [["deal", 2, {"chance": 50}]]})


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", "0")


def stronger(attack: int) -> dict[str, Any]:
    document = duel()
    document["sides"][0]["units"][0]["attack"] = attack
    return document


def tosses() -> Scenario:
    """A duel of items with luck in it."""
    return fracas.load(battle({"items": [COIN]}))


def swept() -> Any:
    scenario = fracas.load(duel())
    return sweep(scenario, [parse_axis(f"{ATTACK}=30,40,50", scenario.document)], 2, threads=1)


def ranked() -> Any:
    entrants = entrants_of_sources("entrants", [stronger(attack) for attack in (30, 31, 32)], fracas.load)
    return matchups(roster_of_entrants(entrants, None), 4, threads=1)


# A study, and what of it is whole or not there.
STUDIES: dict[str, tuple[Callable[[], Any], Callable[[Any], Sequence[Any]]]] = {
    "ladder": (lambda: run_ladder(tosses(), 2, threads=1), lambda found: found.as_json()["rungs"]),
    "sweep": (swept, lambda found: [types.plain(point) for point in found.points]),
    "matchups": (ranked, lambda found: found.cells),
}


@pytest.fixture
def few(monkeypatch):
    """A ladder of two opponents, and three exchanges."""
    document = tosses().document
    match = LadderRung("enemy", "hare", "Hare", None, (document, document))
    monkeypatch.setattr(Relics, "ladder", lambda *_: [match] * 2)
    monkeypatch.setattr(Relics, "swaps", lambda *_: [Swap("left", None, name, document) for name in "abc"])


@pytest.mark.parametrize("name", STUDIES)
def test_a_press_during_any_simulation_leaves_what_is_whole(few, name):
    study, parts = STUDIES[name]
    with pressed() as nobody:
        whole = parts(study())
    sizes = []
    for number in range(1, nobody.asked + 1):
        with pressed(number):
            found = interrupted_by(study)
        left = parts(found)
        assert left == whole[: len(left)], number
        assert found.interrupted == (len(left) < len(whole)), number
        sizes.append(len(left))
    # Whatever was begun is played to its end, and nothing after it.
    assert sizes == sorted(sizes)
    assert (sizes[0], sizes[-1]) == (0, len(whole))


def test_a_press_during_an_exchange_leaves_those_before(few):
    for number, left in ((1, 0), (2, 0), (3, 1), (6, 2)):
        with pressed(number):
            found = interrupted_by(run_swaps, tosses(), 2, threads=1)
        assert (len(found.tried), found.interrupted) == (left, True), number
        assert found.base.battles == 2


def test_a_press_leaves_the_stats_before():
    with pressed(3):
        found = interrupted_by(sensitivity, fracas.load(duel()), 2, threads=1)
    assert (len(found.stats), found.interrupted) == (1, True)


def test_a_press_ends_a_search(monkeypatch):
    path = ("sides", "0", "units", "0", "attack")
    knob = Dimension("attack", "strategy", path, [30, 40, 50], ["30", "40", "50"], 0)
    monkeypatch.setattr(LabHooks, "search_space", lambda lab, side_ref, folders=(): [knob])
    settings = SearchSettings(stages=(50.0,), keep=(), pairs=4)
    for number in (1, 4):
        with pressed(number) as presser:
            found = interrupted_by(optimise, fracas.load(duel()), settings=settings, threads=1)
        assert found.interrupted
        assert found.final is None
        # What is begun is played in pieces of 16.
        assert presser.asked <= number + 2 + 1024 // 16


def test_a_press_ends_a_look_for_a_battle(monkeypatch):
    monkeypatch.setattr("fracas.lab.studies.find.FIRST_BLOCK", 2)
    with pressed(3) as presser:
        found = interrupted_by(find, fracas.load(duel()), "rounds > 10000", 1000, threads=1)
    assert (found.searched, found.interrupted, presser.asked) == (6, True, 4)


def test_a_press_ends_a_comparison(monkeypatch):
    monkeypatch.setattr("fracas.lab.studies.compare.FIRST_BLOCK", 4)
    for number, pairs in ((1, 0), (2, 0), (3, 4), (4, 4)):
        with pressed(number):
            found = interrupted_by(compare, fracas.load(duel()), fracas.load(stronger(31)), 1000, stop=False, threads=1)
        assert (found.pairs, found.interrupted) == (pairs, True), number
        assert found.test.pairs == found.pairs


def test_a_comparison_that_is_decided_is_not_interrupted(monkeypatch):
    """A plays all of its battles; B is cut, but after so many that the test knows enough."""
    attack = operator.itemgetter("attack")
    field = Field(lambda document: float(attack(document["sides"][0]["units"][0]) > 30), stop_after=1)
    monkeypatch.setattr(
        "fracas.lab.studies.compare.play_scores", lambda *given, **asked: halved(field(*given, **asked))
    )
    found = compare(fracas.load(stronger(30)), fracas.load(stronger(31)), 1000)
    assert (found.verdict, found.interrupted) == ("B", False)
    assert found.pairs == found.test.pairs < 500


def halved(taken: ScoreSample) -> ScoreSample:
    """A sample with half of its scores if it was interrupted; never without luck."""
    results = results_like(len(taken.scores), interrupted=taken.results.interrupted, deterministic=False)
    return ScoreSample(results, taken.scores[: 500 if results.interrupted else None])


def test_a_press_during_the_exact_odds_is_one_for_the_battles_beside_them(monkeypatch):
    told: list[Any] = []

    def press_once(ways: Any) -> None:
        told.append(ways)
        if len(told) == 1:
            press()

    with pressed() as nobody:
        found = interrupted_by(find_odds, fracas.load(duel()), watch=press_once)
    assert len(told) == 1
    assert found.interrupted
    assert found.exact is not None
    assert found.interrupted
    assert nobody.asked == 0


def test_a_press_ends_a_report():
    with pressed(2):
        found = interrupted_by(fracas.report, [duel()], n=3)
    assert found.interrupted
    assert [each["command"] for each in found.as_json()["sections"]] == ["simulate"]
    assert found.as_json()["sections"][0]["interrupted"] is True


def test_a_press_in_a_section_that_becomes_whole_ends_a_report(monkeypatch):
    def pressing(step: Any) -> Any:
        made = step.document()
        press()
        return made

    def planned(*given: Any) -> list[Any]:
        first, *others = standard(*given)
        document = partial(pressing, first)
        return [SimpleNamespace(command=first.command, about=first.about, document=document), *others]

    monkeypatch.setattr("fracas.reports.build.standard", planned)
    with pressed():
        found = interrupted_by(fracas.report, [duel()], n=3)
    (section,) = found.as_json()["sections"]
    assert (found.interrupted, section["interrupted"], section["command"]) == (True, False, "simulate")
    assert len(found.as_json()["missing"]) >= 2


# Those who play on and on themselves.


def test_a_press_is_told_although_everything_was_played():
    scenario = fracas.load(duel())
    with pressed(2):
        results = interrupted_by(simulate, scenario, 3, threads=1)
    assert (results.battles, results.interrupted, results.stop_asked) == (3, False, True)
    assert not simulate(scenario, 3).stop_asked


def test_the_margin_of_what_is_cut_is_that_of_what_was_played(few):
    with pressed(3):
        found = interrupted_by(run_swaps, tosses(), 40, threads=1)
    assert 0 < found.base.battles < 40
    assert found.margin == run_swaps(tosses(), found.base.battles, threads=1).margin != 0


# What units did.


def test_a_press_while_units_are_looked_at_keeps_the_results():
    results = simulate(fracas.load(duel()), 6, threads=1)
    with pressed(3):
        found = interrupted_by(with_contributions, results, 5)
    assert (found.battles, found.wins, found.interrupted) == (6, results.wins, True)
    assert found.contributions is not None
    assert found.contributions == contributing.contributions(results.loaded, 3)


def test_a_press_before_the_first_battle_with_a_log_keeps_the_results(monkeypatch):
    def press(*_, **__):
        raise KeyboardInterrupt

    results = simulate(fracas.load(duel()), 6, threads=1)
    monkeypatch.setattr(contributing, "make_player", press)
    found = with_contributions(results, 5)
    assert (found.battles, found.interrupted, found.contributions) == (6, True, None)


def test_a_press_in_the_last_battles_leaves_no_time_for_units():
    with pressed(2):
        found = interrupted_by(fracas.simulate, duel(), n=3, threads=1, contributions=3)
    assert (found.battles, found.interrupted, found.contributions) == (3, True, None)


def test_a_press_while_units_are_looked_at_keeps_the_ranges(tmp_path):
    out = tmp_path / "x.json"
    whole = fracas.simulate(duel(), n=6, threads=1, contributions=5, out=out)
    expected = out.read_bytes()
    out.unlink()
    with pressed(3, logged=True):
        found = interrupted_by(fracas.simulate, duel(), n=6, threads=1, contributions=5, out=out)
    assert found.interrupted
    assert json.loads(out.read_text())["contributions"]["battles"] == 3
    assert fracas.simulate(duel(), n=6, contributions=5, out=out, resume=True).resumed == 6
    assert out.read_bytes() == expected
    assert json.loads(expected)["contributions"] == whole.as_json()["contributions"]


# Listening.


def press() -> None:
    signal.raise_signal(signal.SIGINT)


def test_those_inside_share_what_the_outermost_hears(ctrl_c):
    with DeferInterrupt() as outer:
        with DeferInterrupt() as inner:
            press()
        assert inner is outer
        assert outer.stop_requested
        with pytest.raises(KeyboardInterrupt):
            press()
    with DeferInterrupt() as later:
        assert not later.stop_requested


def test_what_is_impatient_is_broken_off_and_others_know(ctrl_c):
    with DeferInterrupt() as patience:
        with pytest.raises(KeyboardInterrupt), AllowInterrupt():
            press()
        assert patience.stop_requested
    with DeferInterrupt():
        press()
        with pytest.raises(KeyboardInterrupt), AllowInterrupt():
            pytest.fail("it was begun after a press")


def test_after_what_was_impatient_there_is_patience_again(ctrl_c):
    with DeferInterrupt() as patience:
        with AllowInterrupt(), AllowInterrupt():
            pass
        press()
        assert patience.stop_requested


def test_impatience_alone_changes_nothing(ctrl_c):
    with pytest.raises(KeyboardInterrupt), AllowInterrupt():
        press()


def test_another_thread_does_not_hear_what_is_not_for_it(ctrl_c):
    heard: list[DeferInterrupt] = []

    def listen() -> None:
        with DeferInterrupt() as patience:
            heard.append(patience)

    with DeferInterrupt() as patience:
        press()
        thread = threading.Thread(target=listen)
        thread.start()
        thread.join()
    assert patience.stop_requested
    assert not heard[0].stop_requested
