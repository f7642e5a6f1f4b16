"""Odds that tighten, studies that can be stopped, and the same figures as the commands give."""

from __future__ import annotations

import threading

import pytest
from tests.studio.test_form import STANDARD, drafted

import fracas
from fracas.content.packs import examples_folder
from fracas.errors import InputError
from fracas.rulesets import registry
from fracas.studio import answers
from fracas.studio.document_json import document_json
from fracas.studio.drafts import Draft
from fracas.studio.jobs import Job, Jobs, JobStoppedError


def test_odds_tighten_and_are_those_of_simulate():
    draft = drafted("squads", "standard-5v5")
    job = Job(60)
    parts = []
    for part in answers.odds(draft, job):
        parts.append(part)
        if len(parts) == 4:
            break
    widths = [part["intervals"][0][1] - part["intervals"][0][0] for part in parts]
    assert widths == sorted(widths, reverse=True)
    last = parts[-1]
    assert not last["done"]
    results = fracas.simulate(draft.scenario, last["battles"])
    assert last["wins"] == list(results.wins)
    assert last["draws"] == results.draws
    assert last["intervals"] == [list(each) for each in results.interval95]
    assert last["names"] == ["Red", "Blue"]


def test_odds_end_with_their_time_and_say_so():
    parts = list(answers.odds(drafted("squads", "standard-5v5"), Job(0.4)))
    assert parts[-1]["done"]
    assert not any(part["done"] for part in parts[:-1])


def test_however_short_the_time_there_is_an_answer():
    (part,) = answers.odds(drafted("squads", "standard-5v5"), Job(0.0))
    assert part["done"]
    assert part["battles"] == answers.FIRST_PART


def test_odds_of_a_battle_without_luck_are_certain():
    (part,) = answers.odds(drafted("relics"), Job(60))
    assert part["done"]
    assert part["deterministic"]
    assert part["intervals"] == [[share, share] for share in part["shares"]]


def test_nobody_hears_of_odds_that_were_stopped():
    job = Job(60)
    heard = []
    for part in answers.odds(drafted("squads", "standard-5v5"), job):
        heard.append(part)
        job.stop()
    assert len(heard) == 1
    job = Job(60)
    job.stop()
    assert list(answers.odds(drafted("squads"), job)) == []


def test_a_comparison_names_the_better_version():
    before = drafted("squads", "coin-toss")
    after = before.with_text(before.text.replace("[[sides]]", "[[sides]]", 1))
    with pytest.raises(InputError, match="the same"):
        answers.compared(before, after, 1, Job(60))
    from fracas.studio.form import with_number

    after = before.with_text(with_number(before, ["sides", "0", "units", "0", "attack"], 60))
    found = answers.compared(before, after, 1, Job(60))
    assert found.verdict == "B"
    assert found.difference > 0
    assert answers.compared(before, after, 2, Job(60)).verdict == "A"


def test_a_page_shows_what_the_document_says():
    draft = drafted("squads", "coin-toss")
    found = answers.worth_of_numbers(draft, 1, Job(60))
    shown = document_json(found)
    assert shown["findings"] == list(found.findings())
    (stats,) = [table for table in shown["tables"] if table["caption"].startswith("What one step of each stat")]
    for row, stat in zip(stats["rows"], found.stats, strict=False):
        assert row["edit"] == {"path": stat.path.split("."), "value": stat.value + stat.step}
        assert row["sign"] == (stat.gain95[0] > 0) - (stat.gain95[1] < 0)
        assert (row["bar"] is None) == (row["sign"] == 0)
        assert len(row["cells"]) == len(stats["heads"])
    explained = document_json(answers.explained(draft, 0, Job(60)))
    courses = [table["course"] for table in explained["tables"] if table["course"]]
    assert len(courses) == 1
    assert all(0 <= share <= 1 for share in courses[0])


@pytest.mark.parametrize(
    "ask",
    [lambda draft, job: answers.explained(draft, 0, job), lambda draft, job: answers.worth_of_numbers(draft, 1, job)],
)
def test_studies_are_stopped(ask):
    job = Job(60)
    job.stop()
    with pytest.raises(JobStoppedError):
        ask(drafted("squads"), job)
    with pytest.raises(JobStoppedError):
        ask(drafted("squads"), Job(0.0))


def test_the_battles_are_those_of_run():
    draft = drafted("squads")
    found = answers.battles_of(draft)
    assert [each["stream"] for each in found] == list(range(answers.LISTED_BATTLES))
    battle = fracas.run(draft.scenario, stream=3)
    assert (found[3]["winner"], found[3]["rounds"]) == (battle.winner, battle.rounds)
    assert answers.battle_of(draft, 3).digest == battle.digest
    assert answers.packed(draft)["digest"] == fracas.run(draft.scenario).digest


@pytest.mark.parametrize("ruleset", registry.NAMES)
def test_a_condition_is_asked_at_a_moment(ruleset):
    draft = drafted(ruleset)
    unit = answers.units_of(draft)[0]
    found = answers.at_a_moment(draft, unit, "always", "", 0)
    assert found["nodes"]
    assert found["value"] or found["verdict"]
    with pytest.raises(InputError):
        answers.at_a_moment(draft, "nobody at all", "always", "", 0)
    with pytest.raises(InputError):
        answers.at_a_moment(draft, unit, "always", "never", 0)


@pytest.mark.parametrize("ruleset", registry.NAMES)
def test_all_who_decide_can_be_asked(ruleset):
    draft = drafted(ruleset)
    # Some do not decide in the first round; nobody is unknown.
    assert {_complaint(draft, unit) for unit in answers.units_of(draft)} <= {"", "--round"}
    assert _complaint(draft, "nobody") not in {"", "--round"}


def _complaint(draft, unit):
    try:
        answers.at_a_moment(draft, unit, "always", "", 0)
    except InputError as error:
        return error.problems[0].where
    return ""


def test_the_situation_can_be_changed():
    draft = drafted("squads")
    asked = ("1.scout", "self.hp_pct < 50", "1", 0)
    assert not answers.at_a_moment(draft, *asked)["value"]
    assert answers.at_a_moment(draft, *asked, ["units.1.scout.hp=20"])["value"]
    with pytest.raises(InputError, match="more than"):
        answers.at_a_moment(draft, *asked, ["a=1"] * 99)
    with pytest.raises(InputError, match="is missing"):
        answers.at_a_moment(draft, "1.scout", " ", "1", 0)


def test_a_second_job_of_a_kind_stops_the_first():
    jobs = Jobs()
    with jobs.job("odds", 60) as first, jobs.job("why", 60) as other:
        with jobs.job("odds", 60) as second:
            assert first.is_stopped
            assert not other.is_stopped
            assert not second.is_stopped
        jobs.close()
        assert other.is_stopped
        with jobs.job("late", 60) as late:
            assert late.is_stopped


def test_a_job_is_stopped_from_another_thread_while_it_computes():
    job = Job(60)
    timer = threading.Timer(0.2, job.stop)
    timer.start()
    heard = list(answers.odds(drafted("delve", "standard-run"), job))
    assert not heard or not heard[-1]["done"]


def test_every_ruleset_has_an_example_to_start_from():
    assert set(STANDARD) == set(registry.NAMES)
    for name in registry.NAMES:
        assert Draft(registry.get(name).template(), "new.toml").scenario.ruleset.name == name
    assert examples_folder().is_dir()
