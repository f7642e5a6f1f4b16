"""A day that its operator forged, hashes and all, is refused in a sentence, by the file itself or by what was noted."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from blake3 import blake3
from tests.helpers.arena import Playground, arena_of, league
from tests.helpers.commands import call

from fracas.content.canonical import canonical_bytes
from fracas.server.arena.chain import first_head, next_head
from fracas.server.arena.day_secrets import commitment_of, match_seed
from fracas.server.arena.entries import sealed_digest
from fracas.server.arena.league import installed_league
from fracas.server.arena.match_player import Combatant, MatchPlayer, Rules
from fracas.server.arena.proofs.day_file import (
    FileLeg,
    FileMatch,
    FileSide,
    LeagueDayFile,
    chained_of,
)
from fracas.server.arena.proofs.league_day import NOTHING_NOTED, Noted, verify_document
from fracas.server.arena.proofs.published import league_day_file
from fracas.server.arena.ratings import Rating, after_match, with_new_version
from fracas.server.arena.seasons.days import publish_days
from fracas.server.arena.service import change_entry
from fracas.server.clock import DAY, HOUR, SteppingClock, day_of
from fracas.server.database.engine import Database
from fracas.version import RELEASE

INVENTED = Rating(40.0, 2.0).as_hex()
FRIEND = "01J0000000000000000000FRIEND"[:26]


def fought_days(playground: Playground) -> tuple[LeagueDayFile, LeagueDayFile]:
    """Two days on which four players fought twice each; one had a new version in between."""
    players, days = playground.players(4), []
    for _ in range(2):
        playground.fight(players)
        with playground.write() as connection:
            change_entry(connection, playground.arena, *players[0], {"units": ["scout"]}, playground.now)
        playground.clock.step(HOUR)
        playground.fight(players)
        days.append(day_of(playground.now))
        playground.clock.step(DAY)
        with playground.write() as connection:
            publish_days(connection, playground.arena, "squads", playground.now)
    with playground.read() as connection:
        first, second = (league_day_file(connection, playground.arena, "squads", day) for day in days)
    return first, second


@pytest.fixture(scope="module")
def fought(
    tmp_path_factory: pytest.TempPathFactory, open_new: Callable[[Path], Database]
) -> tuple[LeagueDayFile, LeagueDayFile]:
    database = open_new(tmp_path_factory.mktemp("forged"))
    try:
        return fought_days(Playground(database, SteppingClock()))
    finally:
        database.close()


@pytest.fixture
def days(fought: tuple[LeagueDayFile, LeagueDayFile]) -> tuple[LeagueDayFile, LeagueDayFile]:
    return copy.deepcopy(fought)


def resealed(document: LeagueDayFile, *, secret: str | None = None) -> None:
    """Make everything fit again, as whoever runs the server can: play, rate, hash and number all matches anew."""
    player = MatchPlayer()
    document.secret = secret or document.secret
    commitment = commitment_of(bytes.fromhex(document.secret), document.league, document.day)
    head = first_head(2, commitment, document.league, document.day)
    known: dict[str, tuple[int, Rating, tuple[str, int]]] = {}
    for number, match in enumerate(document.matches, 1):
        match.number = number
        season = document.seasons[str(match.season)]
        match.seed = match_seed(bytes.fromhex(document.secret), chained_of(document, match, season).inputs)
        _play(document, match, player)
        _rate(match, known)
        head = next_head(2, head, chained_of(document, match, season))
        match.chain = head.hex()
    document.commitment, document.head = commitment.hex(), head.hex()
    document.last_number, document.heads = len(document.matches), []


def _play(document: LeagueDayFile, match: FileMatch, player: MatchPlayer) -> None:
    season = document.seasons[str(match.season)]
    rules = installed_league(season.league, season.rules_version, season.fingerprint)
    sides = [side for side in match.sides if side.document is not None]
    if rules is None or len(sides) < 2:
        return
    first, second = (
        Combatant(side.entry, document.documents[side.document or ""], bytes.fromhex(side.document or ""))
        for side in sides
    )
    played = player.play(Rules(rules, match.modifier), first, second, match.seed)
    match.legs = [FileLeg(leg.result, leg.reason, leg.rounds, leg.digest.hex()) for leg in played.legs]
    match.score, match.result_digest = played.scores, played.digest.hex()


def _rate(match: FileMatch, known: dict[str, tuple[int, Rating, tuple[str, int]]]) -> None:
    for side in match.sides:
        if side.account in known:
            number, rating, version = known[side.account]
            is_new = side.rated and version != (side.entry, side.version)
            side.before = (with_new_version(rating) if is_new else rating).as_hex()
            side.n = number + 1 if side.rated else None
        side.after = side.before
    one, other = match.sides
    after = after_match(_rating(one), _rating(other), match.score)
    for side, rating in zip(match.sides, after, strict=True):
        if side.rated:
            side.after = rating.as_hex()
            known[side.account] = side.n or 1, rating, (side.entry, side.version)


def _rating(side: FileSide) -> Rating:
    assert side.before is not None
    return Rating.of_hex(*side.before)


def test_resealing_alone_changes_nothing(days: tuple[LeagueDayFile, LeagueDayFile]):
    _, honest = days
    forged = copy.deepcopy(honest)
    resealed(forged)
    forged.heads = honest.heads
    assert forged == honest


# Forgeries: what is changed before everything is made to fit again.


def drop(day: LeagueDayFile) -> None:
    del day.matches[2]


def renumber(day: LeagueDayFile) -> None:
    """Another order: who fought later gets the earlier number, and with it its seed."""
    day.matches[2:] = day.matches[:1:-1]


def cut(day: LeagueDayFile) -> None:
    del day.matches[2:]


def empty(day: LeagueDayFile) -> None:
    day.matches.clear()
    day.documents.clear()
    day.seasons.clear()


def invent_rating(day: LeagueDayFile) -> None:
    day.matches[0].sides[0].before = INVENTED


def unrate(day: LeagueDayFile) -> None:
    for side in day.matches[-1].sides:
        side.rated, side.n = False, None


def unrate_one_side(day: LeagueDayFile) -> None:
    day.matches[-1].sides[1].rated = False
    day.matches[-1].sides[1].n = None


def rename(day: LeagueDayFile, names: dict[str, str]) -> None:
    for match in day.matches:
        for side in match.sides:
            side.account = names.get(side.account, side.account)


def other_account(day: LeagueDayFile) -> None:
    """What a player won becomes a friend's, who fought before as often."""
    rename(day, {day.matches[0].sides[0].account: FRIEND})


def exchange_accounts(day: LeagueDayFile) -> None:
    one, other = (side.account for side in day.matches[0].sides)
    rename(day, {one: other, other: one})


def other_version(day: LeagueDayFile) -> None:
    for match in day.matches:
        for side in match.sides:
            side.version += 5


def hide_everything(day: LeagueDayFile) -> None:
    for match in day.matches:
        for side in match.sides:
            side.document = side.salt = None
    day.documents.clear()


def of_season(**values: Any) -> Callable[[LeagueDayFile], None]:
    def change(day: LeagueDayFile) -> None:
        for name, value in values.items():
            setattr(day.seasons["1"], name, value)

    return change


def other_season(day: LeagueDayFile) -> None:
    """The same matches in a season in which everybody is new."""
    day.seasons["2"] = day.seasons.pop("1")
    counted: dict[str, int] = {}
    for match in day.matches:
        match.season = 2
        for side in match.sides:
            if side.account not in counted:
                side.before, side.n = Rating().as_hex(), 1
            counted[side.account] = 1


def swap_entry(document: dict[str, Any]) -> Callable[[LeagueDayFile], None]:
    """Another entry for who won first, sealed as if it had been handed in."""

    def change(day: LeagueDayFile) -> None:
        digest = blake3(canonical_bytes(document)).digest()
        day.documents[digest.hex()] = document
        side = day.matches[0].sides[0]
        assert side.salt is not None
        side.document, side.sealed_digest = digest.hex(), sealed_digest(bytes.fromhex(side.salt), digest).hex()

    return change


def of_match(name: str, value: Any) -> Callable[[LeagueDayFile], None]:
    return lambda day: setattr(day.matches[1], name, value)


def strange_rival(day: LeagueDayFile) -> None:
    """An opponent that is nobody, and very strong."""
    side = day.matches[0].sides[1]
    side.account, side.rated, side.n, side.before = FRIEND, False, None, INVENTED


Forgery = Callable[[LeagueDayFile], None]

BY_ITSELF: dict[str, tuple[Forgery, str]] = {
    "rules_version = 1": (
        of_season(rules_version=1),
        f"which {RELEASE} does not have, the release that the file names",
    ),
    "a fingerprint of zeros": (of_season(fingerprint="00" * 32), f"which {RELEASE} does not have"),
    "both entries hidden": (hide_everything, "an entry is hidden, and the league reveals entries after a match"),
    "more units than the league allows": (
        swap_entry({"units": ["scout"] * 6}),
        "match 1: place 1: its league refuses the entry: entry: has 6 units; squads wants 1 to 5; ",
    ),
    "another kind": (of_match("kind", "casual"), "match 2: its kind differs"),
    "another modifier": (of_match("modifier", "thin_air"), "match 2: its modifier differs"),
}
"""Refused by the file alone, whatever was noted."""

NOT_VERIFIED: dict[str, tuple[Forgery, str]] = {
    "other rules of another release": (
        of_season(rules_version=1, tool="fracas==0.0.9"),
        "not verified here: made by rules 1; fracas==0.0.9 verifies it",
    ),
    "other rules of nobody": (
        of_season(rules_version=1, tool=None),
        "made by rules 1; the file does not say which release verifies it",
    ),
    "another rating model": (of_season(rating_model="mine"), "not verified: ratings could not be computed again: mine"),
    "an emptied day": (empty, "not verified: the file has no match, and no noted head says that there was none"),
    "a rival that is no bot": (strange_rival, "match 1: place 2 is unrated and has the rating of no bot of squads"),
    "one side's rated flipped": (unrate_one_side, "match 4: place 2 is unrated and has the rating of no bot"),
}
"""Nothing differs, and nothing is verified."""

BY_A_NOTE: dict[str, tuple[Forgery, set[str], str]] = {
    "a dropped match": (drop, {"head"}, "the file ends with match 3"),
    "renumbered matches": (renumber, {"head"}, "the head after match 4 differs: you noted"),
    "a day cut": (cut, {"head"}, "you noted a head after match 4, and the file ends with match 2"),
    "rated flipped": (unrate, {"head"}, "the head after match 4 differs"),
    "an invented rating": (invent_rating, {"previous", "head"}, "the rating of"),
    "another account": (other_account, {"previous", "head"}, "a rating from before the previous days"),
    "two accounts exchanged": (exchange_accounts, {"previous", "head"}, "the rating of"),
    "other versions": (other_version, {"previous", "head"}, "the rating of"),
    "another season": (other_season, {"previous", "head"}, "the rating of"),
}
"""Consistent in itself. Any of the notes refuses it, and no other; the sentence is that of the first one named."""


def notes_of(days: tuple[LeagueDayFile, LeagueDayFile]) -> dict[str, Noted]:
    """What could have been noted of the second day."""
    first, second = days
    return {
        "commitment": Noted(commitment=second.commitment),
        "head": Noted(heads={second.last_number: second.head}),
        "previous": Noted(previous=[first]),
    }


def forged_by(days: tuple[LeagueDayFile, LeagueDayFile], forgery: Forgery) -> LeagueDayFile:
    forged = copy.deepcopy(days[1])
    forgery(forged)
    resealed(forged)
    return forged


def test_an_honest_day_is_verified_against_all_that_was_noted(days: tuple[LeagueDayFile, LeagueDayFile]):
    first, second = days
    everything = Noted(second.commitment.upper(), {4: second.head, 2: second.matches[1].chain}, [first])
    found = verify_document(second, "day", everything)
    assert (found.is_verified, found.replayed, found.ratings_checked) == (True, 4, 8)
    assert found.verdict == (f"verified against the noted commitment and 2 noted heads and the ratings of {first.day}")
    assert len(found.notes) == 1
    alone = verify_document(second, "day")
    assert alone.is_verified
    assert alone.verdict == "verified against itself only"
    assert [note.partition(":")[0] for note in alone.notes] == [
        "no commitment was noted",
        "no head was noted",
        "no previous day was given",
        "not bound by the chain",
    ]
    # On the first day of the first season everybody is new, and nothing is left to believe.
    assert "no previous day" not in "".join(verify_document(first, "day").notes)


@pytest.mark.parametrize("name", BY_ITSELF)
def test_what_the_file_itself_gives_away(days: tuple[LeagueDayFile, LeagueDayFile], name: str):
    forgery, sentence = BY_ITSELF[name]
    found = verify_document(forged_by(days, forgery), "day")
    assert sentence in found.difference
    assert not found.is_verified


@pytest.mark.parametrize("name", NOT_VERIFIED)
def test_what_is_not_refuted_is_not_verified_either(days: tuple[LeagueDayFile, LeagueDayFile], name: str):
    forgery, sentence = NOT_VERIFIED[name]
    found = verify_document(forged_by(days, forgery), "day")
    assert found.difference == ""
    assert sentence in found.verdict
    assert not found.is_verified


@pytest.mark.parametrize("name", BY_A_NOTE)
def test_what_only_a_note_gives_away(days: tuple[LeagueDayFile, LeagueDayFile], name: str):
    forgery, needed, sentence = BY_A_NOTE[name]
    forged, verdicts = forged_by(days, forgery), {}
    assert verify_document(forged, "day", NOTHING_NOTED).verdict == "verified against itself only"
    for note, noted in notes_of(days).items():
        found = verify_document(forged, "day", noted)
        assert found.is_verified == (note not in needed), (note, found.verdict)
        verdicts[note] = found.verdict
    assert any(sentence in verdict for verdict in verdicts.values()), verdicts


def test_a_redrawn_secret_needs_the_noted_commitment_or_a_head(days: tuple[LeagueDayFile, LeagueDayFile]):
    """The best of 25 secrets for a friend."""
    forged = copy.deepcopy(days[1])
    resealed(forged, secret="5a" * 32)
    notes = notes_of(days)
    assert verify_document(forged, "day").verdict == "verified against itself only"
    assert verify_document(forged, "day", notes["previous"]).is_verified
    assert "the commitment differs: you noted" in verify_document(forged, "day", notes["commitment"]).difference
    assert "the head after match 4 differs" in verify_document(forged, "day", notes["head"]).difference


def test_an_invented_first_rating_needs_no_note_in_the_first_season(days: tuple[LeagueDayFile, LeagueDayFile]):
    forged = copy.deepcopy(days[0])
    invent_rating(forged)
    resealed(forged)
    found = verify_document(forged, "day")
    assert found.difference.startswith("match 1: the rating of")
    assert Rating().as_hex()[0] in found.difference


def test_an_emptied_day_is_refused_by_a_head_and_vouched_for_by_one(days: tuple[LeagueDayFile, LeagueDayFile]):
    forged = forged_by(days, empty)
    assert "you noted a head after match 4" in verify_document(forged, "day", notes_of(days)["head"]).difference
    assert verify_document(forged, "day", Noted(heads={0: forged.head})).is_verified


def test_every_change_of_one_value_breaks_the_chain(days: tuple[LeagueDayFile, LeagueDayFile]):
    """Format 2 binds them: whoever changes one must make the chain anew, and then a noted head differs."""
    honest = days[1]

    def after(change: Callable[[FileMatch, FileSide], Any]) -> bytes:
        match = copy.deepcopy(honest.matches[0])
        change(match, match.sides[1])
        return next_head(2, b"", chained_of(honest, match, honest.seasons["1"]))

    changes: list[Callable[[FileMatch, FileSide], Any]] = [
        lambda match, side: None,
        *(
            lambda match, side, name=name, value=value: setattr(match, name, value)
            for name, value in (("kind", "casual"), ("modifier", "thin_air"), ("season", 2), ("result_digest", "00"))
        ),
        *(
            lambda match, side, name=name, value=value: setattr(side, name, value)
            for name, value in (
                ("account", FRIEND),
                ("entry", "e1"),
                ("version", 9),
                ("rated", False),
                ("n", 77),
                ("n", None),
                ("before", INVENTED),
                ("after", INVENTED),
                ("after", None),
                ("ticket_salt", "00"),
                ("sealed_digest", "00"),
            )
        ),
    ]
    heads = {after(change) for change in changes}
    for name, value in (("rules_version", 9), ("fingerprint", "00"), ("revision", "00"), ("rating_model", "x")):
        season = copy.deepcopy(honest.seasons["1"])
        setattr(season, name, value)
        heads.add(next_head(2, b"", chained_of(honest, honest.matches[0], season)))
    heads.add(next_head(1, b"", chained_of(honest, honest.matches[0], honest.seasons["1"])))
    assert len(heads) == len(changes) + 5


def test_hidden_entries_are_not_verified(small: Playground):
    arena = arena_of(league(id="hidden", reveal="season_end"))
    hidden = Playground(small.database, small.clock, arena)
    owners = [hidden.account(f"h{n}") for n in range(2)]
    hidden.fight([(owner, hidden.entry(owner, "hidden")) for owner in owners], "hidden")
    day = day_of(hidden.now)
    hidden.clock.step(DAY)
    with hidden.write() as connection:
        publish_days(connection, arena, "hidden", hidden.now)
    with hidden.read() as connection:
        document = league_day_file(connection, arena, "hidden", day)
    assert not document.documents
    found = verify_document(document, "day", Noted(heads={1: document.head}))
    assert found.matches
    assert (found.hidden, found.replayed) == (1, 0)
    assert found.verdict.startswith("not verified: 1 of 1 matches could not be played")


def test_a_gap_between_the_days_leaves_ratings_unknown(days: tuple[LeagueDayFile, LeagueDayFile]):
    """Accounts may have fought in between; what follows directly is checked all the same."""
    first, second = days
    apart = copy.deepcopy(second)
    apart.day = "2030-01-01"
    resealed(apart)
    assert verify_document(apart, "day", Noted(previous=[first])).is_verified
    for document in (apart, second):
        counted: set[str] = set()
        for match in document.matches:
            for side in match.sides:
                side.n = (side.n or 0) + (0 if side.account in counted else 3)
                counted.add(side.account)
        resealed(document)
    found = verify_document(apart, "day", Noted(previous=[first]))
    assert "4 accounts have a rating from before the previous days" in found.verdict
    assert "the number of a rated match" in verify_document(second, "day", Noted(previous=[first])).difference


def test_a_forged_previous_day_is_named(days: tuple[LeagueDayFile, LeagueDayFile]):
    first, second = copy.deepcopy(days[0]), days[1]
    first.matches[0].sides[0].after = INVENTED
    found = verify_document(second, "day", Noted(previous=[first]))
    assert found.difference.startswith(f"the previous day {first.day}: match 1: the rating of place 1 afterwards")


def test_the_command(days: tuple[LeagueDayFile, LeagueDayFile], tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    first, second = days
    files = {}
    for name, document in {"first": first, "second": second, "forged": forged_by(days, drop)}.items():
        files[name] = tmp_path / f"{name}.json"
        files[name].write_bytes(msgspec.json.encode(document))

    def verified(name: str, *options: str | Path) -> tuple[int, str]:
        ended = call(capsys, "verify", "--league-day", files[name], *options)
        return ended.status, ended.out + ended.err

    status, out = verified("second")
    assert (status, "verified against itself only" in out) == (0, True)
    assert "no head was noted" in out
    head = f"4:{second.head}"
    status, out = verified("second", "--commitment", second.commitment, "--head", head, "--previous", files["first"])
    assert (status, "verified against the noted commitment and a noted head and the ratings of" in out) == (0, True)
    status, out = verified("forged", "--head", head, "--format", "json")
    assert (status, '"verified": false' in out) == (1, True)
    status, out = verified("forged", "--head", head)
    assert (status, "DIFFERS: you noted a head after match 4, and the file ends with match 3" in out) == (1, True)
    refused: dict[tuple[str | Path, ...], str] = {
        ("--head", "4"): "is no noted head",
        ("--head", f"x:{second.head}"): "is no noted head",
        ("--head", "4:12"): "is not 64 hexadecimal digits",
        ("--commitment", "4be9..."): "is not 64 hexadecimal digits",
        ("--previous", files["second"]): "no earlier day of squads",
        ("--league-day", files["first"], "--head", head): "takes one file",
    }
    for options, said in refused.items():
        status, out = verified("second", *options)
        assert (status, said in out) == (2, True), out
    assert call(capsys, "verify", files["second"], "--head", head).status == 2


def test_a_day_of_format_1_is_not_verified(
    days: tuple[LeagueDayFile, LeagueDayFile], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    document = copy.deepcopy(days[1])
    file = tmp_path / "day.json"
    for version, said in ((1, "format 1 does not bind accounts and ratings"), (3, f"install {RELEASE}")):
        document.version = version
        file.write_bytes(msgspec.json.encode(document))
        ended = call(capsys, "verify", "--league-day", file)
        assert (ended.status, said in ended.err, "verified" in ended.out) == (2, True, False)
