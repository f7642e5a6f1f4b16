"""Ratings: against the published formula of Weng and Lin, and the league's own rules."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import Connection, select, update
from tests.helpers.arena import TEAMS, Playground
from tests.helpers.wars import do_due

from fracas.server.arena.bot_files import SIGMA as BOT_SIGMA
from fracas.server.arena.league import read_league
from fracas.server.arena.proofs.check import check_arena
from fracas.server.arena.ratings import MU, SIGMA, Rating, after_match, folded, with_new_version
from fracas.server.arena.seasons.days import open_days
from fracas.server.arena.seasons.season import Season, latest_season, migrate_season, rating_row
from fracas.server.arena.service import change_entry, submit_entry, withdraw_entry
from fracas.server.arena.store import leaderboards
from fracas.server.clock import DAY, MINUTE
from fracas.server.database.tables import entry, entry_version, leg, match, match_side, rating, season, ticket

BETA, KAPPA = MU / 6, 0.0001
TAU = MU / 300


def weng_lin(first: Rating, second: Rating, points: float) -> tuple[Rating, Rating]:
    """Bradley-Terry with full pairing for two players (Weng and Lin 2011, algorithm 1); openskill adds tau first."""
    s1, s2 = first.sigma**2 + TAU**2, second.sigma**2 + TAU**2
    c = math.sqrt(s1 + s2 + 2 * BETA**2)
    p = 1 / (1 + math.exp((second.mu - first.mu) / c))
    found = []
    for mu, var, share, score in ((first.mu, s1, p, points), (second.mu, s2, 1 - p, 1 - points)):
        omega = var / c * (score - share)
        delta = math.sqrt(var) / c * var / c**2 * share * (1 - share)
        found.append(Rating(mu + omega, math.sqrt(var * max(1 - delta, KAPPA))))
    return found[0], found[1]


@pytest.mark.parametrize("scores", [(4, 0), (2, 2), (1, 3)])
@pytest.mark.parametrize("ratings", [(Rating(), Rating()), (Rating(31, 1.2), Rating(22, 6.5))])
def test_the_model_is_that_of_the_paper(scores: tuple[int, int], ratings: tuple[Rating, Rating]):
    points = 1.0 if scores[0] > scores[1] else 0.5 if scores[0] == scores[1] else 0.0
    for ours, theirs in zip(after_match(*ratings, scores), weng_lin(*ratings, points), strict=True):
        assert ours.mu == pytest.approx(theirs.mu, abs=1e-9)
        assert ours.sigma == pytest.approx(theirs.sigma, abs=1e-9)


def test_shown_numbers_versions_and_folds():
    assert (Rating().shown, Rating().doubt, Rating().is_provisional) == (1500, 667, True)
    assert (Rating(28, 2).shown, Rating(28, 2).doubt, Rating(28, 4.0).is_provisional) == (1620, 160, False)
    assert with_new_version(Rating(30, 1.5)) == Rating(30, 2.5)
    assert with_new_version(Rating(30, 8.3)).sigma == SIGMA
    assert folded(Rating(33, 4)) == Rating(31, 5)
    assert Rating.of_hex(*Rating(1 / 3, 2 / 3).as_hex()) == Rating(1 / 3, 2 / 3)


def season_of(connection: Connection) -> Season:
    found = latest_season(connection, "squads")
    assert found is not None
    return found


def rating_of(playground: Playground, whom: str, number: int = 1) -> Rating:
    with playground.read() as connection:
        found = leaderboards.rating_of(connection, "squads", number, whom)
        assert found is not None
        return Rating(found.mu, found.sigma)


def report_of(playground: Playground):
    with playground.read() as connection:
        return check_arena(connection, playground.arena)


def test_a_new_version_makes_a_rating_less_sure_and_the_check_knows(playground: Playground):
    players = playground.players(2)
    playground.fight(players)
    sure = rating_of(playground, players[0][0])
    with playground.write() as connection:
        change_entry(connection, playground.arena, *players[0], {"units": ["scout"]}, playground.now)
    playground.fight(players)
    with playground.read() as connection:
        query = select(match_side.c.sigma0).where(match_side.c.account == players[0][0], match_side.c.n == 2)
        assert float.fromhex(connection.execute(query).scalar_one()) == with_new_version(sure).sigma
    report = report_of(playground)
    assert report.is_sound, report.faults
    assert (report.matches, report.ratings) == (2, 2)


def test_withdrawing_and_entering_again_returns_to_the_same_rating(small: Playground):
    players = small.players(2)
    small.fight(players)
    owner, old = players[0]
    before = rating_of(small, owner)
    with small.write() as connection:
        withdraw_entry(connection, owner, old)
        again = submit_entry(
            connection, small.arena, owner, "squads", "Again", {"units": TEAMS[3]}, small.now, ranked=True
        )
    assert rating_of(small, owner) == before
    small.fight([(owner, again.entry), players[1]])
    with small.read() as connection:
        query = select(match_side.c.mu0, match_side.c.n).where(match_side.c.entry == again.entry)
        assert connection.execute(query).one() == (before.mu.hex(), 2)


def test_two_accounts_have_at_most_two_rated_matches_a_day(playground: Playground):
    players = playground.players(2)
    for _ in range(2):
        assert len(playground.fight(players)) == 1
    assert len(playground.fight(players)) == 0
    playground.clock.step(DAY - MINUTE)
    with playground.write() as connection:
        open_days(connection, playground.arena, "squads", playground.now)
    assert len(playground.match_up()) == 1


def with_bot(playground: Playground) -> str:
    """A bot of the league."""
    bot = playground.account("other", "bot")
    playground.entry(bot, ranked=False)
    with playground.write() as connection:
        values = rating_row("squads", season_of(connection).no, bot, Rating(30.0, BOT_SIGMA))
        connection.execute(rating.insert().values(values))
    return bot


def test_operators_are_unrated(small: Playground):
    (owner, own), *_ = small.players(1)
    other = small.account("other", "operator")
    small.queue(other, small.entry(other))
    small.queue(owner, own)
    assert len(small.match_up()) == 1
    assert rating_of(small, owner) == Rating()


def test_bots_count_while_provisional(small: Playground):
    (owner, own), *_ = small.players(1)
    bot = with_bot(small)
    assert len(small.fight([(owner, own)])) == 1
    first = rating_of(small, owner)
    assert first != Rating()
    assert rating_of(small, bot) == Rating(30.0, BOT_SIGMA)
    with small.write() as connection:
        sure = Rating(first.mu, 3.9)
        values = {"mu": sure.mu.hex(), "sigma": sure.sigma.hex(), "score": sure.score}
        connection.execute(update(rating).where(rating.c.account == owner).values(**values))
    assert len(small.fight([(owner, own)])) == 1
    assert rating_of(small, owner) == sure


def test_a_bot_counts_twice_in_a_day_and_plays_on(playground: Playground):
    """Who meets only bots can still play, and cannot draw rating from one of them all day."""
    ((owner, own),) = playground.players(1)
    with_bot(playground)
    rated = []
    for _ in range(4):
        (found,) = playground.fight([(owner, own)])
        rated.append(found.changes[0].is_rated)
    assert rated == [True, True, False, False]
    playground.clock.step(DAY)
    with playground.write() as connection:
        open_days(connection, playground.arena, "squads", playground.now)
    (found,) = playground.fight([(owner, own)])
    assert found.changes[0].is_rated


def test_a_season_ends_once_and_folds(playground: Playground):
    players = playground.players(2)
    playground.fight(players)
    before = rating_of(playground, players[0][0])
    playground.clock.step(29 * DAY)
    kinds = [each.kind for _ in range(2) for each in do_due(playground)]
    assert kinds.count("season-end") == 1
    with playground.read() as connection:
        assert season_of(connection).no == 2
    assert rating_of(playground, players[0][0], 2) == folded(before)
    playground.fight(players)
    report = report_of(playground)
    assert report.is_sound, report.faults


def test_other_rules_end_the_season_and_return_tickets(small: Playground, monkeypatch: pytest.MonkeyPatch):
    players = small.players(2)
    small.fight(players)
    small.queue(*players[0])
    league = small.arena.leagues["squads"]
    with small.write() as connection:
        connection.execute(update(season).values(rules_version=league.rules_version - 1))
        connection.execute(update(entry).where(entry.c.id == players[1][1]).values(last_no=1))
    assert not small.match_up()
    banned = {**league.document, "banned": [TEAMS[1][0]]}
    stricter = read_league(banned, "test")
    small.arena.leagues["squads"] = stricter  # type: ignore[index]
    with small.write() as connection:
        withdrawn = migrate_season(connection, small.arena, stricter, small.now)
    # Both teams have a bronze knight, which is banned now.
    assert sorted(withdrawn) == sorted(each for _, each in players)
    with small.read() as connection:
        assert connection.execute(select(ticket.c.id)).all() == []
        assert season_of(connection).fits(stricter)


BROKEN = [
    ("is not the sum of its matches", lambda: update(rating).values(mu=(26.0).hex())),
    ("counts 8 matches, and there are 1", lambda: update(rating).values(n=8)),
    ("counts 9 wins", lambda: update(rating).values(wins=9)),
    ("does not begin where the season before ended", lambda: update(rating).values(start_mu=(26.0).hex())),
    ("the chain differs", lambda: update(match_side).values(n=match_side.c.n + 7)),
    ("the rating of place 1 afterwards differs", lambda: update(match_side).values(mu1=(26.0).hex())),
    ("has other legs", lambda: update(leg).values(rounds=99)),
    ("the chain differs", lambda: update(match).values(chain=b"x" * 32)),
    ("the seed differs", lambda: update(match).values(seed="00" * 32)),
    ("has another sealed digest", lambda: update(entry_version).values(salt=b"x")),
]


@pytest.mark.parametrize(("fault", "change"), BROKEN)
def test_the_check_finds_what_was_changed(small: Playground, fault: str, change: Callable[[], Any]):
    small.fight(small.players(2))
    assert report_of(small).is_sound
    with small.write() as connection:
        connection.execute(change())
    assert any(fault in each for each in report_of(small).faults), report_of(small).faults


def test_the_check_follows_ratings_from_day_to_day(small: Playground):
    """A day alone would believe the rating that an account brings."""
    players = small.players(2)
    small.fight(players)
    small.clock.step(DAY)
    with small.write() as connection:
        open_days(connection, small.arena, "squads", small.now)
    small.fight(players)
    second = match_side.c.n == 2
    with small.write() as connection:
        connection.execute(update(match_side).where(second).values(mu0=(26.0).hex()))
    (fault,) = report_of(small).faults
    assert "before it differs: the file says" in fault
