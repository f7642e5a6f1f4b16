"""A duel between people: what is taken, what is refused, what is shown, and that it goes on as if never kept."""

from __future__ import annotations

import json
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.helpers import titans_fights as support

import fracas
from fracas.engine.player import make_player
from fracas.engine.scenario import compile_document
from fracas.errors import InputError
from fracas.rulesets.shared import commit_reveal as promises
from fracas.rulesets.titans.session.session_document import session_terms

SEED = "5e" * 32
OTHER_SEED = "a7" * 32
NONCES = ("01" * 32, "02" * 32)
BOLT = support.ability("bolt", {"type": "damage", "amount": 6}, cost=30)
SLOW = support.ability(
    "slow", {"type": "change", "stat": "speed", "percent": -25, "rounds": 2}, {"type": "heal", "amount": 3}, cost=40
)
WARD = support.ability("ward", {"type": "shield", "amount": 5})


def scenario(first=None, second=None, *, policies=(), **options):
    ada = support.titan(BOLT, WARD, hp=24, attack=7, defense=6)
    bo = support.titan(SLOW, hp=22, attack=6, defense=5, speed=8)
    return support.document(first or ada, second or bo, policies, **options)


def begun(seed=SEED, *, salts=("heads", "tails"), deadline=None, **options):
    session = fracas.DuelSession(scenario(**options), seed, deadline=deadline)
    give_salts(session, salts)
    return session


def give_salts(session, salts=("heads", "tails")):
    """All seal theirs, then all open theirs."""
    given = list(zip(session.people, salts, NONCES, strict=False))
    for name, salt, nonce in given:
        session.seal_salt(name, fracas.DuelSession.salt_seal(name, salt, nonce))
    for name, salt, nonce in given:
        session.give_salt(name, salt, nonce)


def play_round(session, first, second):
    ada, bo = session.players
    session.submit(ada, first)
    session.submit(bo, second)
    return session.resolve()


def text_of(session):
    return json.dumps(session.as_json())


def shown(session, player):
    return json.dumps(session.view(player), sort_keys=True).encode()


def refused(call, *words):
    with pytest.raises(InputError) as caught:
        call()
    for word in words:
        assert word in str(caught.value)


def test_a_session_is_taken_up_from_bytes_too():
    session = begun()
    play_round(session, "attack", "defend")
    raw = text_of(session).encode()
    for document in (raw, bytearray(raw), b"\xef\xbb\xbf" + raw):
        assert fracas.DuelSession.resume(document).digest == session.digest


@pytest.mark.parametrize("document", [None, 3, ["session"], object()])
def test_what_is_neither_a_mapping_nor_json_is_no_session(document):
    refused(lambda: fracas.DuelSession.resume(document), "is not a session", "a mapping, or its JSON as text or bytes")


def test_bytes_that_are_no_text_are_no_session():
    refused(lambda: fracas.DuelSession.resume(b"\xff\xfe{}"), "is not UTF-8 text")


# Taking and refusing choices


def test_a_choice_may_be_replaced_until_the_round_resolves():
    session = begun()
    ada, bo = session.players
    session.submit(ada, "attack")
    session.submit(ada, "rest")
    assert session.locked_players == (ada,)
    session.submit(bo, "defend")
    told = [event.as_json() for event in session.resolve()]
    assert [event["action"] for event in told if event["kind"] == "choice"] == ["rest", "defend"]
    assert session.locked_players == ()
    assert session.round_number == 2


def test_the_first_choice_is_final_under_the_locked_option():
    session = begun(locked=True)
    ada, bo = session.players
    session.submit(ada, "attack")
    before = session.as_json()
    refused(lambda: session.submit(ada, "rest"), "final")
    session.submit(ada, "attack")
    assert session.as_json() == before
    session.submit(bo, "defend")
    session.resolve()
    session.submit(ada, "rest")


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        ("attakc", ["no action or ability", "did you mean"]),
        ("slow", ["does not have the ability", '"bolt" and "ward"']),
        ("bolt", ["costs 30 charge", "has 0"]),
        ("missed", ["no action or ability"]),
        ("ability", ["no action or ability"]),
        ("", ["no action or ability"]),
        (None, ["no action or ability"]),
        (0, ["no action or ability"]),
        (["attack"], ["no action or ability"]),
    ],
)
def test_what_cannot_be_chosen_is_refused_and_the_player_stays_unlocked(choice, words):
    session = begun()
    refused(lambda: session.submit(session.players[0], choice), *words)
    assert session.locked_players == ()


def test_nobody_chooses_for_somebody_else():
    session = begun()
    ada, bo = session.players
    refused(lambda: session.submit(ada, "attack", on_behalf_of=bo), "on behalf of")
    session.submit(ada, "attack", on_behalf_of=ada)
    assert session.locked_players == (ada,)


@pytest.mark.parametrize("stranger", ["Cy", "", None, 0, 1, ["Ada"]])
def test_there_is_no_third_player(stranger):
    session = begun()
    refused(lambda: session.submit(stranger, "attack"), "no player")
    refused(lambda: session.view(stranger), "no player")
    refused(lambda: session.give_salt(stranger, "x"), "no player")


def test_a_duel_of_three_does_not_begin():
    three = scenario()
    three["players"].append({**three["players"][0], "name": "Cy"})
    refused(lambda: fracas.DuelSession(three, SEED), "players")


def test_nothing_happens_after_the_end():
    session = begun(round_cap=1)
    play_round(session, "attack", "rest")
    assert session.is_over
    for name in session.players:
        refused(lambda name=name: session.submit(name, "attack"), "the duel is over")
        assert session.legal_choices(name) == []
    refused(session.resolve, "the duel is over")
    assert session.round_number == 1


def test_nobody_submits_for_a_policy():
    session = begun(policies=["greedy"])
    machine, person = session.players
    assert session.people == (person,)
    refused(lambda: session.submit(machine, "attack"), "played by a policy")
    refused(lambda: session.give_salt(machine, "x"), "played by a policy")
    session.submit(person, "attack")
    assert [event.NAME for event in session.resolve()].count("choice") == 2


def test_a_round_waits_for_both_choices_and_both_salts():
    session = fracas.DuelSession(scenario(), SEED)
    ada, bo = session.players
    refused(session.resolve, "no choice from", ada, bo)
    session.submit(ada, "attack")
    session.submit(bo, "attack")
    refused(session.resolve, "no salt from")
    give_salts(session, ("", "x"))
    session.resolve()


@pytest.mark.parametrize("salt", ["x" * 201, None, 3, "\ud800"])
def test_a_salt_is_a_short_text(salt):
    refused(lambda: fracas.DuelSession(scenario(), SEED).give_salt("Ada", salt), "salts.Ada")
    refused(lambda: fracas.DuelSession.salt_seal("Ada", salt, NONCES[0]), "salt")


def test_a_salt_once_given_stays():
    session = begun()
    before = session.as_json()
    ada = session.players[0]
    refused(lambda: session.give_salt(ada, "another", NONCES[0]), "cannot change")
    refused(lambda: session.give_salt(ada, "heads", NONCES[1]), "cannot change")
    refused(lambda: session.seal_salt(ada, NONCES[1]), "cannot change")
    # Sent again, it is taken as the first time.
    session.give_salt(ada, "heads", NONCES[0])
    session.seal_salt(ada, fracas.DuelSession.salt_seal(ada, "heads", NONCES[0]))
    assert session.as_json() == before


def test_nobody_opens_a_salt_before_both_have_sealed_theirs():
    session = fracas.DuelSession(scenario(), SEED)
    ada, bo = session.players
    refused(lambda: session.give_salt(ada, "heads"), "too early", "Ada and Bo")
    session.seal_salt(ada, fracas.DuelSession.salt_seal(ada, "heads", NONCES[0]))
    assert session.handshake is None
    refused(lambda: session.give_salt(ada, "heads", NONCES[0]), "too early", "no sealed salt from Bo yet")
    assert session.view(bo)["saltSeals"] == {ada: session.as_json()["salt_seals"][0], bo: None}
    # Bo may copy Ada's seal, but never open it.
    session.seal_salt(bo, session.as_json()["salt_seals"][0])
    assert session.handshake == promises.handshake_of(session.commitment, session.as_json()["salt_seals"])
    session.give_salt(ada, "heads", NONCES[0])
    refused(lambda: session.give_salt(bo, "heads", NONCES[0]), "does not match its seal")
    refused(session.resolve, "no choice from")


@pytest.mark.parametrize("nonce", [None, "", "01" * 31, "0A" * 32, 7])
def test_a_seal_is_opened_by_its_nonce_alone(nonce):
    session = fracas.DuelSession(scenario(), SEED)
    for name in session.players:
        session.seal_salt(name, fracas.DuelSession.salt_seal(name, "heads", NONCES[0]))
    refused(lambda: session.give_salt("Ada", "heads", nonce), "nonces.Ada")
    refused(lambda: session.give_salt("Ada", "heads", NONCES[1]), "salts.Ada", "does not match its seal")
    refused(lambda: session.give_salt("Ada", "tails", NONCES[0]), "salts.Ada", "does not match its seal")
    refused(lambda: session.seal_salt("Bo", nonce), "salt_seals.Bo")
    assert session.as_json()["salts"] == [None, None]


def test_one_person_against_a_policy_may_seal_a_salt_and_need_not():
    plain = fracas.DuelSession(scenario(policies=["random"]), SEED)
    refused(lambda: plain.give_salt("Bo", "x", NONCES[0]), "not sealed")
    plain.give_salt("Bo", "x")
    assert plain.handshake is None
    refused(lambda: plain.seal_salt("Bo", NONCES[0]), "cannot change")
    sealed = fracas.DuelSession(scenario(policies=["random"]), SEED)
    give_salts(sealed, ("x",))
    assert sealed.handshake is not None
    for session in (plain, sealed):
        session.submit("Bo", "attack")
        session.resolve()
    assert plain.digest == sealed.digest


@pytest.mark.parametrize("seed", ["", "5e" * 31, "5E" * 32, "zz" * 32, None, 7])
def test_a_server_seed_is_64_digits(seed):
    refused(lambda: fracas.DuelSession(scenario(), seed), "server_seed")


@pytest.mark.parametrize("deadline", [0, -1, 1.5, True, "60"])
def test_a_deadline_is_a_number_of_seconds(deadline):
    refused(lambda: fracas.DuelSession(scenario(), SEED, deadline=deadline), "deadline")


# Deadlines


def test_whoever_is_too_late_defends():
    session = begun(deadline=30)
    ada, bo = session.players
    session.submit(ada, "attack")
    told = {event.actor: event for event in session.resolve(deadline_is_over=True) if event.NAME == "choice"}
    assert (told[bo].action, told[bo].why) == ("defend", "too late")
    assert session.as_json()["rounds"] == [["attack", "missed"]]


def test_three_missed_deadlines_in_a_row_are_a_forfeit():
    session = begun(deadline=30)
    ada, bo = session.players
    for number in range(4):
        if number == 1:
            session.submit(bo, "rest")
        session.submit(ada, "rest")
        session.resolve(deadline_is_over=True)
        assert not session.is_over
    session.submit(ada, "rest")
    session.resolve(deadline_is_over=True)
    assert (session.winner, session.reason) == (ada, "forfeit")


def test_both_can_forfeit():
    session = begun(deadline=30)
    for _ in range(3):
        session.resolve(deadline_is_over=True)
    assert (session.winner, session.reason) == (None, "both_forfeit")


def test_no_deadline_runs_before_the_salts_are_given():
    """Whoever could leave a sealed salt shut would have a choice between two duels."""
    session = fracas.DuelSession(scenario(), SEED, deadline=30)
    refused(lambda: session.resolve(deadline_is_over=True), "no salt from Ada and Bo yet")
    for name, nonce in zip(session.players, NONCES, strict=True):
        session.seal_salt(name, fracas.DuelSession.salt_seal(name, "heads", nonce))
    session.give_salt("Ada", "heads", NONCES[0])
    refused(lambda: session.resolve(deadline_is_over=True), "no salt from Bo yet")
    assert session.round_number == 1


def test_without_a_deadline_nobody_is_too_late():
    refused(lambda: begun().resolve(deadline_is_over=True), "no deadline")


# What is shown

CHOICES = ("attack", "defend", "rest", "bolt", "ward", "slow")
rounds = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=6)


def play_numbers(session, pairs):
    """Play rounds by the places of what is legal then."""
    for pair in pairs:
        if session.is_over:
            return
        for name, number in zip(session.players, pair, strict=True):
            legal = session.legal_choices(name)
            session.submit(name, legal[number % len(legal)])
        session.resolve()


def swap_seed(session, seed):
    """The same duel so far, whose rounds to come are decided by another seed."""
    session._server_seed = seed
    session._commitment = promises.commitment_of(seed, "terms")
    session._key_dice()


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(pairs=rounds, own=st.integers(0, 5), stats_public=st.booleans())
def test_a_view_tells_neither_the_others_choice_nor_the_seed(pairs, own, stats_public):
    session = begun(stats_public=stats_public)
    play_numbers(session, pairs)
    if session.is_over:
        return
    for viewer, other in (session.players, session.players[::-1]):
        mine = session.legal_choices(viewer)
        session.submit(viewer, mine[own % len(mine)])
        seen = set()
        for choice in session.legal_choices(other):
            for seed in (SEED, OTHER_SEED):
                swap_seed(session, seed)
                session.submit(other, choice)
                seen.add(shown(session, viewer))
        swap_seed(session, SEED)
        assert len(seen) == 1
        # It can tell a difference: what the viewer does itself.
        session.submit(viewer, next(choice for choice in mine if choice != session.view(viewer)["ownChoice"]))
        assert shown(session, viewer) not in seen


@settings(max_examples=20, deadline=None)
@given(seed=st.binary(min_size=32, max_size=32))
def test_before_the_first_round_the_view_is_the_same_for_every_seed(seed):
    ada, bo = "Ada", "Bo"
    views = []
    for server_seed in (SEED, seed.hex()):
        session = begun(server_seed)
        ada, bo = session.players
        session.submit(bo, "attack")
        views.append(shown(session, ada))
    assert views[0] == views[1]


@settings(max_examples=25, deadline=None)
@given(pairs=rounds)
def test_a_view_holds_no_seed_even_after_the_end(pairs):
    session = begun(round_cap=4)
    play_numbers(session, pairs)
    for name in session.players:
        assert SEED not in shown(session, name).decode()
        assert session.commitment not in shown(session, name).decode()


def test_a_view_holds_no_salt_before_both_are_given():
    session = fracas.DuelSession(scenario(), SEED)
    ada, bo = session.players
    for name, salt, nonce in ((ada, "a-rare-word", NONCES[0]), (bo, "another", NONCES[1])):
        session.seal_salt(name, fracas.DuelSession.salt_seal(name, salt, nonce))
    session.give_salt(ada, "a-rare-word", NONCES[0])
    assert b"a-rare-word" not in shown(session, bo)
    assert NONCES[0].encode() not in shown(session, bo)
    session.give_salt(bo, "another", NONCES[1])
    assert session.view(bo)["salts"] == {ada: "a-rare-word", bo: "another"}


def test_the_policy_of_the_opponent_is_not_shown():
    rules = [{"when": "round >= 1", "do": "attack", "chance": 50}, {"do": "rest"}]
    views = []
    for policy in ({"rules": rules}, {"rules": [{"do": "attack"}]}):
        session = begun(policies=[policy])
        person = session.people[0]
        views.append(shown(session, person))
        session.submit(person, "attack")
        session.resolve()
        log = session.view(person)["roundLog"]
        assert [event["kind"] for event in log].count("chance") == 0
        choices = {event["actor"]: event for event in log if event["kind"] == "choice"}
        assert "why" not in choices[session.players[0]]
        assert choices[person]["why"] == "submitted"
    assert views[0] == views[1]


def test_stats_are_hidden_if_the_option_says_so():
    open_view, closed_view = (begun(stats_public=public).view("Ada") for public in (True, False))
    assert open_view["opponentTitan"]["stats"]["speed"] == 8
    assert "stats" not in closed_view["opponentTitan"]
    assert "statsNow" not in closed_view["opponentTitan"]
    assert closed_view["ownTitan"]["stats"]["speed"] == 10


def test_a_view_says_what_the_rule_book_promises():
    session = begun(deadline=45)
    ada, bo = session.players
    session.submit(bo, "rest")
    session.submit(ada, "rest")
    session.resolve()
    session.submit(bo, "slow")
    view = session.view(ada)
    assert view["titanHPs"] == {ada: 24, bo: 22}
    assert view["titanCharges"] == {ada: 60, bo: 60}
    assert [entry["id"] for entry in view["titanAbilities"][bo]] == ["slow"]
    assert view["titanAbilities"][bo][0]["cost"] == 40
    assert view["lockedPlayers"] == [bo]
    assert view["roundNumber"] == 2
    assert view["roundDeadline"] == 45
    assert view["legalChoices"] == ["attack", "defend", "rest", "bolt", "ward"]
    assert view["ownChoice"] is None
    assert view["outcome"] is None
    session.submit(ada, "attack")
    session.resolve()
    changes = session.view(ada)["ownTitan"]["changes"]
    assert changes == [{"stat": "speed", "percent": -25, "untilRound": 4}]
    assert session.view(bo)["opponentTitan"]["changes"] == changes


def test_changing_a_view_changes_nothing():
    session = begun()
    ada = session.players[0]
    before = shown(session, ada)
    view = session.view(ada)
    for key in list(view):
        if isinstance(view[key], dict):
            view[key].clear()
    view["titanAbilities"] = None
    again = session.view(ada)
    again["opponentTitan"]["abilities"].clear()
    again["titanAbilities"][ada][0]["cost"] = 0
    again["options"]["locked"] = True
    assert shown(session, ada) == before


# Keeping and taking up


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(pairs=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), min_size=1, max_size=8), pending=st.booleans())
def test_taken_up_at_every_round_a_duel_goes_on_as_it_would_have(pairs, pending):
    whole = begun(round_cap=6, experience=True)
    kept = begun(round_cap=6, experience=True)
    for pair in pairs:
        if whole.is_over:
            break
        kept = fracas.DuelSession.resume(text_of(kept))
        for name, number in zip(whole.players, pair, strict=True):
            legal = whole.legal_choices(name)
            assert kept.legal_choices(name) == legal
            for session in (whole, kept):
                session.submit(name, legal[number % len(legal)])
            if pending:
                kept = fracas.DuelSession.resume(text_of(kept))
        assert [event.as_json() for event in kept.resolve()] == [event.as_json() for event in whole.resolve()]
        assert kept.as_json() == whole.as_json()
        for name in whole.players:
            assert shown(kept, name) == shown(whole, name)
    assert kept.digest == whole.digest


def test_a_session_is_taken_up_before_salts_are_given():
    session = fracas.DuelSession(scenario(), SEED)
    for name, salt, nonce in (("Ada", "x", NONCES[0]), ("Bo", "y", NONCES[1])):
        session.seal_salt(name, fracas.DuelSession.salt_seal(name, salt, nonce))
        again = fracas.DuelSession.resume(session.as_json())
        assert again.as_json() == session.as_json()
    session.give_salt("Ada", "x", NONCES[0])
    again = fracas.DuelSession.resume(session.as_json())
    assert again.as_json() == session.as_json()
    again.give_salt("Bo", "y", NONCES[1])
    session.give_salt("Bo", "y", NONCES[1])
    assert [e.as_json() for e in play_round(again, "attack", "attack")] == [
        e.as_json() for e in play_round(session, "attack", "attack")
    ]


def test_a_duel_against_a_policy_is_taken_up():
    session = begun(policies=["random"])
    person = session.people[0]
    for _ in range(3):
        session.submit(person, "defend")
        session.resolve()
    assert fracas.DuelSession.resume(text_of(session)).as_json() == session.as_json()


def leaves(value, path=()):
    if isinstance(value, dict):
        for key in value:
            yield from leaves(value[key], (*path, key))
    elif isinstance(value, list):
        for place, each in enumerate(value):
            yield from leaves(each, (*path, place))
    else:
        yield path, value


def with_value(document, path, value):
    changed = json.loads(json.dumps(document))
    here = changed
    for part in path[:-1]:
        here = here[part]
    here[path[-1]] = value
    return changed


def another(value):
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, float):
        return value + 0.25
    if isinstance(value, str) and value:
        return value[:-1] + ("0" if value[-1] != "0" else "1")
    return "x"


@cache
def kept_text():
    session = begun(deadline=30)
    play_round(session, "rest", "defend")
    play_round(session, "bolt", "attack")
    session.submit("Ada", "attack")
    return text_of(session)


def kept_session():
    return json.loads(kept_text())


@pytest.mark.parametrize(("path", "value"), list(leaves(kept_session())), ids=lambda x: None)
def test_a_session_edited_anywhere_is_refused(path, value):
    refused(lambda: fracas.DuelSession.resume(with_value(kept_session(), path, another(value))))


def resealed(**changes):
    document = {**kept_session(), **changes}
    return {**document, "seal": promises.seal_of(document)}


@pytest.mark.parametrize(
    "changes",
    [
        {"server_seed": OTHER_SEED},
        {"server_seed": OTHER_SEED, "commitment": "0" * 64},
        {"commitment": "0" * 64},
        {"salts": ["heads", "other"]},
        {"salts": [None, "tails"]},
        {"nonces": [None, NONCES[1]]},
        {"nonces": NONCES[::-1]},
        {"salt_seals": [None, None], "nonces": [None, None]},
        {"rounds": [["rest", "defend"], ["attack", "attack"]]},
        {"rounds": [["rest", "defend"], ["slow", "attack"]]},
        {"rounds": [["bolt", "defend"], ["bolt", "attack"]]},
        {"rounds": [["rest", "defend"]]},
        {"pending": ["slow", None]},
        {"pending": ["missed", None]},
        {"deadline": None, "rounds": [["missed", "defend"], ["bolt", "attack"]]},
        {"rules_version": 99},
        {"version": 1},
        {"version": 3},
    ],
)
def test_an_edit_with_a_seal_of_its_own_is_refused_where_it_could_not_have_been(changes):
    refused(lambda: fracas.DuelSession.resume(resealed(**changes)))


def test_the_seal_itself_is_no_obstacle_to_what_is_whole():
    assert fracas.DuelSession.resume(resealed()).as_json() == kept_session()


def test_a_choice_of_a_policy_that_it_would_not_make_is_refused():
    session = begun(policies=[{"rules": [{"do": "rest"}]}])
    session.submit(session.people[0], "attack")
    session.resolve()
    document = session.as_json()
    document["rounds"] = [["defend", "attack"]]
    document["seal"] = promises.seal_of(document)
    refused(lambda: fracas.DuelSession.resume(document), "the policies choose rest and attack")


@pytest.mark.parametrize("text", ["", "{}", "[]", "{", '{"format": "fracas-replay"}', "nul"])
def test_what_is_no_session_is_refused(text):
    refused(lambda: fracas.DuelSession.resume(text))


# Promise and proof


def finished():
    session = begun(round_cap=3)
    while not session.is_over:
        play_round(session, "attack", "attack")
    return session


def test_the_seed_is_shown_after_the_end_and_not_before():
    session = begun()
    refused(session.proof, "the duel is not over")
    proof = finished().proof()
    assert proof["server_seed"] == SEED
    terms = session_terms(proof["scenario"], proof["deadline"])
    assert promises.commitment_of(proof["server_seed"], terms) == proof["commitment"]
    assert promises.commitment_of(OTHER_SEED, terms) != proof["commitment"]


def test_a_finished_session_is_a_scenario_with_its_seed_text_and_choices():
    session = finished()
    document = json.loads(json.dumps(session.as_json()["scenario"]))
    document["seed"] = promises.seed_text(SEED, ("heads", "tails"))
    for place, player in enumerate(document["players"]):
        player["policy"] = {"choices": [pair[place] for pair in session.as_json()["rounds"]]}
    player = make_player(compile_document(document, {}), logged=True, battles=1)
    player.play(0, 1)
    assert (player.rows() == session._duel.rows).all()


def test_both_salts_and_the_seed_decide_the_dice():
    digests = {
        begun_and_played(seed, salts).digest
        for seed, salts in (
            (SEED, ("heads", "tails")),
            (OTHER_SEED, ("heads", "tails")),
            (SEED, ("heads", "other")),
            (SEED, ("other", "tails")),
        )
    }
    assert len(digests) == 4


def begun_and_played(seed, salts):
    session = begun(seed, salts=salts)
    play_round(session, "attack", "attack")
    return session
