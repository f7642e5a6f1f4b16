"""A published league-day can be recomputed by anybody, and whatever was changed in it is named."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import update
from tests.helpers.arena import Playground

from fracas.errors import InputError
from fracas.server.arena.proofs.day_file import LeagueDayFile, read_league_day
from fracas.server.arena.proofs.league_day import render, verify_document, verify_league_day
from fracas.server.arena.proofs.published import league_day_file
from fracas.server.arena.refusals import Missing
from fracas.server.arena.seasons.days import note_head, publish_days
from fracas.server.arena.service import change_entry
from fracas.server.clock import DAY, HOUR, day_of
from fracas.server.database.tables import match


def fought_day(playground: Playground) -> LeagueDayFile:
    """A day on which four players fought twice each, one with a new version in between."""
    players = playground.players(4)
    playground.fight(players)
    with playground.write() as connection:
        note_head(connection, "squads", playground.now)
        change_entry(connection, playground.arena, *players[0], {"units": ["scout"]}, playground.now)
    playground.clock.step(HOUR)
    playground.fight(players)
    day = day_of(playground.now)
    with playground.read() as connection, pytest.raises(Missing):
        league_day_file(connection, playground.arena, "squads", day)
    playground.clock.step(DAY)
    with playground.write() as connection:
        assert publish_days(connection, playground.arena, "squads", playground.now) == [day]
    with playground.read() as connection:
        return league_day_file(connection, playground.arena, "squads", day)


def test_a_published_day_verifies(playground: Playground, tmp_path: Path):
    document = fought_day(playground)
    file = tmp_path / "day.json"
    file.write_bytes(msgspec.json.encode(document))
    found = verify_league_day(file)
    assert found.matches, found.difference
    assert (found.matches_checked, found.replayed, found.ratings_checked) == (4, 4, 8)
    assert "verified against itself only" in "\n".join(render(found))


def tampered(document: LeagueDayFile, change: Any) -> str:
    copied = copy.deepcopy(document)
    change(copied)
    return verify_document(copied, "day").difference


def test_everything_that_was_changed_is_named(small: Playground):
    document = fought_day(small)
    second = document.matches[1]

    def set_(target: str, value: Any):
        *path, last = target.split(".")

        def change(copied: Any) -> None:
            for part in path:
                copied = copied[int(part)] if part.isdigit() else getattr(copied, part)
            setattr(copied, last, value)

        return change

    changes = {
        "the commitment": set_("secret", "00" * 32),
        "the number of the 2. match": lambda copied: copied.matches.pop(1),
        "the number of matches": lambda copied: copied.matches.pop(),
        "match 2: the seed": set_("matches.1.seed", document.matches[0].seed),
        "match 2: the score": set_("matches.1.score", (second.score[1] + 1, second.score[0])),
        "match 2: the digest of its result": set_("matches.1.legs.0.digest", "11" * 32),
        "match 2: the chain": set_("matches.1.chain", "22" * 32),
        "match 2: the sealed digest of place 1": set_("matches.1.sides.0.salt", "33" * 16),
        "match 2: the sealed digest of place 2": set_("matches.1.sides.1.salt", None),
        "match 3: the sealed digest of place 1": set_("matches.2.sides.0.document", None),
        "match 2: the rating of place 1 afterwards": set_("matches.1.sides.0.after", ((26.0).hex(), (2.0).hex())),
        "the head published after match 2": set_("heads.0.head", "44" * 32),
        "the head of the chain": set_("head", "55" * 32),
        "the revision of season 1": lambda copied: copied.seasons["1"].league.update(points=1),
    }
    for what, change in changes.items():
        assert tampered(document, change).startswith(what), what


def test_a_leg_that_was_not_fought_so_is_named(small: Playground):
    """A result whose digests and chain were all made to fit is found by playing it again."""
    document = fought_day(small)
    first = document.matches[0]
    reason = "cap_draw" if first.legs[0].reason != "cap_draw" else "wiped_out"
    assert tampered(document, lambda copied: setattr(copied.matches[0].legs[0], "reason", reason)).startswith(
        "match 1: leg 0"
    )


def test_a_match_dropped_from_the_database_is_noticed(small: Playground):
    fought_day(small)
    with small.write() as connection:
        connection.execute(update(match).where(match.c.no == 2).values(day="2000-01-01"))
    day = day_of(small.now - DAY)
    with small.read() as connection:
        document = league_day_file(connection, small.arena, "squads", day)
    assert verify_document(document, "day").difference.startswith("the number of the 2. match")


def test_what_is_no_league_day_is_refused(tmp_path: Path):
    file = tmp_path / "day.json"
    file.write_text('{"format": "other"}')
    with pytest.raises(InputError, match="is not a league-day file"):
        read_league_day(file)
    file.write_text("[" * 100_000)
    with pytest.raises(InputError, match="is not a league-day file"):
        read_league_day(file)


def test_a_refusal_that_curl_stored_as_the_file_is_told(tmp_path: Path):
    file = tmp_path / "day.json"
    file.write_text('{"type": "/problems/not-found", "status": 404, "detail": "There is no league-day here."}')
    with pytest.raises(InputError, match="There is no league-day here"):
        read_league_day(file)
