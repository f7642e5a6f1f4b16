"""Guild wars: locked, started, fought and told once, whoever leaves, dissolves or is killed in between."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from sqlalchemy import delete, func, select, update
from tests.helpers.arena import Playground
from tests.helpers.wars import do_due, fight_all, fight_on, founded, plan, wars_of

from fracas.errors import InputError
from fracas.server.accounts.deletion import delete_account
from fracas.server.admin.arena import _migrated
from fracas.server.arena import service
from fracas.server.arena.guilds import service as guilds
from fracas.server.arena.proofs.check import Report, check_arena
from fracas.server.arena.wars import fighting
from fracas.server.arena.wars import war as wars
from fracas.server.arena.wars.views import war_by_id
from fracas.server.arena.wars.war import LOCKED_FOR
from fracas.server.clock import DAY, HOUR, WEEK, monday_of
from fracas.server.database import streams
from fracas.server.database.tables import (
    entry_version,
    guild,
    guild_member,
    match,
    match_side,
    rating,
    season,
    war,
    war_entry,
    war_match,
)


def go_to_lock(playground: Playground) -> None:
    """Set the clock to the next Sunday, 20:00."""
    at = monday_of(playground.now) + WEEK - LOCKED_FOR
    playground.clock.step((at if at > playground.now else at + WEEK) - playground.now)


def report_of(playground: Playground) -> Report:
    with playground.read() as connection:
        return check_arena(connection, playground.arena)


def told(playground: Playground, whom: str, kind: str) -> list[Any]:
    with playground.read() as connection:
        return [each.body for each in streams.after(connection, whom, 0) or () if each.type == kind]


def test_a_war_is_locked_started_and_fought(playground: Playground):
    plan(playground)
    one, ann = founded(playground, "One", 3)
    two, bob = founded(playground, "Two", 2)
    playground.fight([])
    go_to_lock(playground)
    playground.clock.step(-1)
    do_due(playground)
    assert wars_of(playground) == []
    playground.clock.step(1)
    do_due(playground)
    (locked,) = wars_of(playground)
    assert (locked.state, {locked.guild_a, locked.guild_b}, locked.seed) == ("locked", {one, two}, None)
    assert fight_all(playground) == 0
    (paired,) = told(playground, ann[2], "war.paired")
    assert (paired["guild"], paired["rival"]["name"]) == (one, "Two")
    with playground.read() as connection:
        view = war_by_id(connection, locked.id)
        # What they named is nobody's business yet.
        assert (view.sides[0].entries, view.matches, view.story) == ([], [], [])
        ratings = connection.execute(select(rating)).all()
    playground.clock.step(LOCKED_FOR)
    do_due(playground)
    (running,) = wars_of(playground)
    assert (running.state, running.modifier, running.day) == ("running", "none", running.week)
    assert fight_on(playground, 4) == 4
    assert wars_of(playground)[0].state == "running"
    assert fight_all(playground) == 2
    (over,) = wars_of(playground)
    assert (over.state, over.points_a + over.points_b) == ("over", 12)
    with playground.read() as connection:
        view = war_by_id(connection, over.id)
        assert connection.execute(select(rating)).all() == ratings
        sides = connection.execute(select(match_side)).all()
        revealed = connection.execute(select(entry_version.c.revealed_at)).scalars().all()
    assert {(each.rated, each.n) for each in sides} == {(0, None)}
    assert None not in revealed
    assert len({frozenset(each.positions) | {each.links["match"]} for each in view.matches}) == 6
    assert view.matches[-1].after == [view.sides[0].points, view.sides[1].points]
    assert sum(each.points for each in view.sides[0].entries) == view.sides[0].points
    assert len(view.story) >= 3
    outcomes = {told(playground, who, "war.over")[0]["outcome"] for who in (ann[0], bob[0])}
    assert outcomes in ({"win", "loss"}, {"draw"})
    report = report_of(playground)
    assert (report.matches, report.wars, report.faults) == (6, 1, [])


def test_an_odd_guild_has_a_bye_and_no_pair_meets_two_weeks_in_a_row(small: Playground):
    plan(small)
    for name in ("One", "Two", "Three"):
        founded(small, name)
    for _ in range(4):
        go_to_lock(small)
        small.clock.step(LOCKED_FOR)
        do_due(small)
        fight_all(small)
    by_week: dict[str, list[Any]] = {}
    for each in wars_of(small):
        by_week.setdefault(each.week, []).append(each)
    assert [len(each) for each in by_week.values()] == [2] * 4
    pairs = [{each.guild_a, each.guild_b} for each in wars_of(small) if each.guild_b]
    assert all(one != other for one, other in pairwise(pairs))
    byes = [each.guild_a for each in wars_of(small) if each.state == "bye"]
    assert all(one != other for one, other in pairwise(byes))
    # A bye helps nobody: no points, no entries, no result.
    assert {(each.points_a, each.started_at) for each in wars_of(small) if each.state == "bye"} == {(None, None)}
    assert report_of(small).faults == []


def test_two_guilds_alone_fight_every_other_week(small: Playground):
    plan(small)
    founded(small, "One")
    founded(small, "Two")
    for _ in range(3):
        go_to_lock(small)
        do_due(small)
    assert [each.state for each in wars_of(small)].count("bye") == 2


def test_what_is_locked_fights_on_without_its_people(small: Playground):
    """Members leave, withdraw, delete their accounts and dissolve their guilds between the lock and the end."""
    plan(small)
    one, ann = founded(small, "One", 3)
    two, bob = founded(small, "Two", 2)
    go_to_lock(small)
    do_due(small)
    now, arena = small.now, small.arena
    with small.read() as connection:
        own = connection.execute(select(war_entry.c.entry).where(war_entry.c.account == ann[1])).scalar_one()
    with small.write() as connection:
        # The newer version is for another week.
        service.change_entry(connection, arena, ann[1], own, {"units": ["scout"]}, now)
        assert not service.withdraw_entry(connection, ann[1], own)
        delete_account(connection, ann[0], now)
        guilds.remove_member(connection, ann[2], one, "one-2", now)
        guilds.dissolve(connection, bob[0], two, now)
    small.clock.step(LOCKED_FOR)
    do_due(small)
    assert fight_on(small, 2) == 2
    with small.write() as connection:
        guilds.remove_member(connection, ann[1], one, "one-1", now)
    assert fight_all(small) == 4
    (over,) = wars_of(small)
    assert over.state == "over"
    with small.read() as connection:
        assert set(connection.execute(select(guild.c.dissolved_at.is_not(None))).scalars()) == {True}
        assert set(connection.execute(select(match_side.c.version)).scalars()) == {1}
        people = {each.account.handle[:5] for side in war_by_id(connection, over.id).sides for each in side.entries}
    assert "gone-" in people
    assert told(small, ann[2], "war.over")
    assert report_of(small).faults == []
    # Nobody is left to fight next week.
    go_to_lock(small)
    do_due(small)
    assert len(wars_of(small)) == 1


def test_a_clock_over_several_dues_does_each_once_and_in_order(playground: Playground):
    plan(playground)
    for name in ("One", "Two", "Three", "Four"):
        founded(playground, name)
    playground.clock.step(30 * DAY)
    done = do_due(playground)
    assert [each.at for each in done] == sorted(each.at for each in done)
    assert [each.kind for each in done if each.kind.startswith("war")] == ["war-lock", "war-start"] * 4
    assert [each.kind for each in done].count("season-end") == 1
    assert do_due(playground) == []
    assert fight_all(playground) == 8
    # Set back, nothing is done again; set right, it goes on where it was.
    playground.clock.step(-20 * DAY)
    plan(playground)
    again = do_due(playground)
    assert [each for each in again if each.kind in ("war-lock", "war-start", "season-end", "rotation")] == []
    playground.clock.step(20 * DAY + WEEK)
    assert [each.kind for each in do_due(playground) if each.kind.startswith("war")] == ["war-lock", "war-start"]
    assert fight_all(playground) == 2
    weeks = [each.week for each in wars_of(playground)]
    assert [weeks.count(each) for each in sorted(set(weeks))] == [2] * 5
    assert report_of(playground).faults == []


def test_two_processes_store_a_match_once(playground: Playground):
    plan(playground)
    founded(playground, "One", 2)
    founded(playground, "Two", 2)
    go_to_lock(playground)
    playground.clock.step(LOCKED_FOR)
    do_due(playground)
    with playground.read() as connection:
        front = fighting.next_front(connection, 3)
    assert front is not None
    fought = fighting.fight(front, playground.player)
    assert fighting.fight(front, playground.player) == fought
    counts = []
    for _ in range(2):
        with playground.write() as connection:
            counts.append(wars.store(connection, front.war, fought, reveals=True, now=playground.now))
    assert counts == [3, 0]
    assert fight_all(playground) == 1
    with playground.read() as connection:
        assert connection.execute(select(func.count()).select_from(match)).scalar_one() == 4
    assert report_of(playground).faults == []


def test_a_match_that_cannot_be_fought_gives_nobody_points(small: Playground, monkeypatch: pytest.MonkeyPatch):
    plan(small)
    founded(small, "One", 2)
    founded(small, "Two", 1)
    go_to_lock(small)
    small.clock.step(LOCKED_FOR)
    do_due(small)
    play, count = small.player.play, iter(range(9))

    def once(*arguments: Any) -> Any:
        if next(count) == 0:
            raise ValueError("a fault of the engine")
        return play(*arguments)

    monkeypatch.setattr(small.player, "play", once)
    assert fight_all(small) == 2
    (over,) = wars_of(small)
    assert (over.state, over.points_a + over.points_b) == ("over", 2)
    with small.read() as connection:
        assert any("could not be fought" in each.text for each in war_by_id(connection, over.id).story)
    assert report_of(small).faults == []


def test_without_a_season_of_its_rules_a_war_is_abandoned(small: Playground):
    plan(small)
    _, ann = founded(small, "One")
    founded(small, "Two")
    go_to_lock(small)
    do_due(small)
    with small.write() as connection:
        connection.execute(update(season).values(rules_version=0))
    small.clock.step(LOCKED_FOR)
    do_due(small)
    assert wars_of(small)[0].state == "abandoned"
    assert told(small, ann[0], "war.abandoned")[0]["reason"] == "squads has no running season"


def test_a_program_of_other_rules_asks_before_it_ends_a_war(small: Playground):
    plan(small)
    founded(small, "One", 2)
    _, bob = founded(small, "Two", 2)
    go_to_lock(small)
    small.clock.step(LOCKED_FOR)
    do_due(small)
    fight_on(small, 1)
    with small.write() as connection:
        connection.execute(update(season).values(rules_version=0))
        connection.execute(update(war).values(rules_version=0))
    # This program has none of its rules.
    assert fight_all(small) == 0
    with pytest.raises(InputError, match=r"guild wars \(1\) run in squads"), small.write() as connection:
        _migrated(connection, small.arena, "squads", small.now, abandon=False)
    with small.write() as connection:
        _migrated(connection, small.arena, "squads", small.now, abandon=True)
    assert told(small, bob[1], "war.abandoned")[0]["reason"] == "the rules changed"
    with small.read() as connection:
        view = war_by_id(connection, wars_of(small)[0].id)
    assert (view.state, view.fought, view.sides[0].outcome) == ("abandoned", 1, None)


BROKEN = [
    ("the seed differs", lambda: update(war).values(locked_at=war.c.locked_at + 1, seed="00" * 32)),
    ("not the sum of its matches", lambda: update(war).values(points_a=9)),
    ("matches, of which", lambda: delete(war_match).where(war_match.c.a_pos == 1)),
    ("under other rules than the war", lambda: update(match).values(modifier="heavy_armor")),
    ("belong to none", lambda: delete(war_match)),
    ("another war in the week", lambda: update(war).values(guild_b=war.c.guild_a)),
    ("has no owner", lambda: None),
]


@pytest.mark.parametrize(("fault", "change"), BROKEN, ids=[fault for fault, _ in BROKEN])
def test_the_check_finds_what_was_changed(fought: Playground, fault: str, change: Any):
    statement = change()
    if statement is None:
        statement = update(guild_member).values(role="member")
    with fought.write() as connection:
        connection.execute(statement)
    found = report_of(fought).faults
    assert any(fault in each for each in found), found


@pytest.fixture
def fought(small: Playground) -> Playground:
    plan(small)
    founded(small, "One", 2)
    founded(small, "Two", 1)
    go_to_lock(small)
    small.clock.step(LOCKED_FOR + HOUR)
    do_due(small)
    fight_all(small)
    return small
