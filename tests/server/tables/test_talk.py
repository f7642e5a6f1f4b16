"""A table over the wire: what is acknowledged is kept, what is hidden is not sent early, and every proof verifies."""

from __future__ import annotations

import copy
import json

import pytest
from tests.helpers.accounts import signed_in
from tests.helpers.commands import CHECK_FAILED, DONE, call
from tests.helpers.serving import RunningServer
from tests.helpers.sockets import Socket
from tests.server.tables.conftest import NONCES, ROOT, Table

from fracas.errors import InputError
from fracas.replay.session_file import PlayerNotes
from fracas.replay.table_file import table_salt_seal, verify_proof
from fracas.rulesets.shared.commit_reveal import seal_of
from fracas.server.database.engine import open_database
from fracas.server.database.notices import taken
from fracas.server.tables import catalogue, store
from fracas.server_models.tables import LONGEST_MESSAGE


def kinds(found) -> list[str]:
    return [each["type"] for each in found]


def explained(proof, **noted) -> str:
    return verify_proof(proof, "proof", PlayerNotes(**noted)).explanation


def test_a_whole_table_in_every_order_of_speaking(new_table):
    table = new_table().begin()
    one, two = table.sockets
    assert one.heard[-1]["payload"]["view"]["choices"] == two.heard[-1]["payload"]["view"]["choices"]

    # Replaced, repeated, and the other order.
    table.choose(0, 1, "rock")
    assert one.settle() == [{"type": "locked", "payload": {"step": 1, "side": 1, "choice": "rock"}}]
    assert two.settle() == [{"type": "locked", "payload": {"step": 1, "side": 1}}]
    table.choose(0, 1, "scissors")
    assert one.settle() == [{"type": "locked", "payload": {"step": 1, "side": 1, "choice": "scissors"}}]
    table.choose(0, 1, "scissors")
    assert kinds(one.settle()) == ["locked"]
    assert two.settle() == []
    table.choose(1, 1, "paper")
    [told], [same] = one.settle(), two.settle()
    assert told["type"] == "round"
    assert told["payload"]["chosen"] == ["scissors", "paper"]
    assert told == same

    # Late: the same again is answered as the first time, another one is refused. Too early; no choice; no message.
    table.choose(0, 1, "scissors")
    assert one.hear("locked") == {"step": 1, "side": 1}
    for step, choice, word in ((1, "rock", "too late"), (9, "rock", "step is 2"), (2, "lizard", "not a choice")):
        table.choose(0, step, choice)
        assert word in one.hear("error")["message"]
    for text in (
        "{",
        '{"type": "steal", "payload": {}}',
        '{"type": "choose", "payload": {"step": "2", "choice": "x"}}',
    ):
        one.send(text)
        assert one.hear("error")["code"] == "invalid"
    assert two.settle() == []

    step = 2
    while "over" not in kinds(one.heard):
        for side in (1, 0) if step % 2 else (0, 1):
            table.choose(side, step, ("rock", "paper")[side])
        if one.hear("round")["view"]["deciding"] == []:
            one.hear("over")
        step += 1
    over = one.heard[-1]["payload"]
    assert over["ending"] == {"winner": 2, "reason": "down", "decided": True}
    table.choose(0, step, "rock")
    assert one.hear("error")["code"] == "refused"
    proof = table.proof()
    assert explained(proof, commitment=over["commitment"], salt="salt 0") == ""
    assert explained(proof, commitment=over["handshake"], salt="salt 1") == ""

    # Both want another one: seats are swapped, and the promise is a new one.
    two.settle()
    one.say("rematch")
    assert one.settle() == []
    two.say("rematch")
    following = two.hear("welcome")["rematch"]
    again = table.clients[0].get(f"{ROOT}/tables/{following}").json()
    assert [seat["account"]["handle"][:2] for seat in again["seats"]] == ["p2", "p1"]
    assert again["commitment"] not in (None, over["commitment"])
    assert again["state"] == "sealing"


def test_a_choice_meets_one_that_this_process_has_not_heard_of(new_table, sqlite_server: RunningServer):
    """The row has another version: nothing is stored before it is read again, and then both choices count."""
    table = new_table().begin()
    one, two = table.sockets

    def elsewhere(connection) -> None:
        read = store.load(connection, table.id, 0)
        assert store.choose(connection, read, {1: 2}, (0, 1), 0) is not None
        assert store.choose(connection, read, {1: 0}, (0, 1), 0) is None
        taken(connection)

    sqlite_server.write(elsewhere)
    table.choose(0, 1, "rock")
    assert kinds(one.settle()) == kinds(two.settle()) == ["locked", "round"]
    assert one.heard[-1]["payload"]["chosen"] == ["rock", "scissors"]
    with sqlite_server.database.reading.connect() as connection:
        assert [each.action for each in store.load(connection, table.id, 0).choices] == [0, 2]


def test_nothing_that_is_hidden_is_sent_early(new_table):
    """What the other side and a watcher hear is the same, byte for byte, whatever was chosen; so of hidden hands."""
    heard = []
    for choice in ("rock", "scissors"):
        table = new_table().begin()
        watcher = table.watch()
        watcher.settle()
        told = [len(table.sockets[1].texts), len(watcher.texts)]
        table.choose(0, 1, choice)
        table.sockets[0].settle()
        table.sockets[1].settle()
        assert watcher.settle() == []
        heard.append(table.sockets[1].texts[told[0] :])
        table.choose(1, 1, "rock")
        [told_round] = watcher.settle()
        assert told_round["payload"]["chosen"] == [choice, "rock"]
        assert "choices" in told_round["payload"]["view"]
        assert told_round["payload"]["view"]["choices"] == []
        welcome = json.dumps(table.sockets[1].heard[0]["payload"])
        assert "salt 0" not in welcome
    assert heard[0] == heard[1]

    cards = new_table("cards").begin()
    watcher = cards.watch()
    names = ("hand", "pile")
    views = [socket.heard[-1]["payload"]["view"] for socket in cards.sockets] + [watcher.hear("welcome")["view"]]
    for seer, view in enumerate(views):
        shown = [{value["name"] for value in side["values"]} for side in view["sides"]]
        assert [names[0] in each for each in shown] == [seer == 0, seer == 1]
    deciding = views[0]["deciding"][0] - 1
    # What can be paid depends on the hand, and that on the salts.
    choice = views[deciding]["choices"][0]["choice"]
    cards.choose(deciding, 1, choice)
    own, other = cards.sockets[deciding].hear("round"), cards.sockets[1 - deciding].hear("round")
    assert own["chosen"][deciding] == choice
    assert other["chosen"] == [None, None]
    assert watcher.hear("round")["chosen"] == [None, None]


def test_who_comes_back_misses_nothing_and_two_pages_see_the_same(new_table):
    table = new_table("titans", scenario="ada-and-bo").begin()
    one, two = table.sockets
    for step in (1, 2, 3):
        table.choose(0, step, "attack")
        table.choose(1, step, "defend")
        one.settle()
        two.settle()
        if step == 1:
            two.leave()
            assert one.hear("presence") == {"side": 2, "present": False}
            table.sockets[1] = two = table.connect(1, last=1)
            assert two.hear("welcome")["rounds"] == []
            one.settle()
    table.choose(1, 4, "rest")
    two.settle()
    again = table.connect(1, last=1)
    welcome = again.hear("welcome")
    first = {each["payload"]["step"]: each["payload"] for each in one.heard if each["type"] == "round"}
    assert [each["step"] for each in welcome["rounds"]] == [2, 3]
    assert all({**each, "view": None} == {**first[each["step"]], "view": None} for each in welcome["rounds"])
    assert welcome["view"]["chosen"] == "rest"
    assert welcome["view"]["locked"] == [2]
    table.choose(0, 4, "attack")
    assert again.hear("round") == two.hear("round")


def test_nobody_speaks_for_another_and_every_bound_holds(new_table, sqlite_server: RunningServer):
    table = new_table().begin()
    other = signed_in(sqlite_server, "stranger")
    watching = Socket(sqlite_server, f"{table.path}/live", other.token)
    watching.say("hello")
    assert watching.hear("welcome")["side"] is None
    for kind, payload in (("choose", {"step": 1, "choice": "rock"}), ("resign", {}), ("rematch", {})):
        watching.say(kind, **payload)
        assert "watch" in watching.hear("error")["message"]
    # Identity is the connection's: a message has no room for a name.
    table.sockets[0].say("choose", step=1, choice="rock", side=2)
    assert table.sockets[0].hear("error")["code"] == "invalid"
    assert other.post(f"{table.path}/seat").status_code == 409
    assert other.delete(f"{table.path}/seat").status_code == 404

    readers = table.clients[0].post(f"{ROOT}/keys", {"name": "reads", "scopes": ["read"]}).json()["token"]
    reading = Socket(sqlite_server, f"{table.path}/live")
    reading.say("hello", token=readers)
    assert reading.hear("welcome")["side"] == 1
    reading.say("choose", step=1, choice="rock")
    assert "scope" in reading.hear("error")["message"]

    for words, code in (
        ({"token": "frc_wrong"}, 4401),
        ({"last": -1}, 1008),
    ):
        refused = Socket(sqlite_server, f"{table.path}/live")
        refused.say("hello", **words)
        with pytest.raises(EOFError):
            refused.hear("welcome")
        assert refused.code == code
    lost = Socket(sqlite_server, f"{ROOT}/tables/nothing/live")
    lost.say("hello")
    with pytest.raises(EOFError):
        lost.hear("welcome")
    assert lost.code == 4404
    long = table.connect(0)
    long.send(" " * (LONGEST_MESSAGE + 1))
    with pytest.raises(EOFError):
        long.hear("pong")
    assert long.code == 1009
    fast = table.watch()
    for _ in range(40):
        fast.say("ping")
    with pytest.raises(EOFError):
        fast.hear("never")
    assert fast.code == 1008
    assert not Socket(sqlite_server, f"{table.path}/live", "frc_wrong").is_open
    assert not Socket(sqlite_server, f"{table.path}/live", origin="http://evil.test", cookie="fracas=x").is_open


def test_clocks_defaults_forfeits_and_what_an_outage_gives_back(new_table, sqlite_server: RunningServer):
    beat = lambda: sqlite_server.wait(sqlite_server.context.parts["tables"].beat())  # noqa: E731
    clock = sqlite_server.clock
    table = new_table("titans", scenario="ada-and-bo", seconds=30).begin()
    one = table.sockets[0]
    table.choose(0, 1, "attack")
    one.settle()
    clock.step(30_400)
    beat()
    assert "round" not in kinds(one.settle())
    clock.step(200)
    beat()
    told = one.hear("round")
    assert told["chosen"] == ["attack", "defend"]
    assert told["missed"] == [2]
    # A choice sets the count back; three in a row lose.
    table.choose(1, 2, "rest")
    clock.step(31_000)
    beat()
    for step in (3, 4, 5):
        one.settle()
        table.choose(0, step, "attack")
        one.settle()
        clock.step(31_000)
        beat()
    over = one.hear("over")["ending"]
    assert over == {"winner": 1, "reason": "forfeit", "decided": False}
    proof = table.proof()
    assert proof["missed"] == [[1, 2], [2, 1], [3, 2], [4, 2], [5, 2]]
    assert explained(proof) == ""

    absent = new_table(seconds=30).begin()
    for _ in range(3):
        clock.step(31_000)
        beat()
        absent.sockets[0].settle()
    assert absent.stored()["ending"] == {"winner": 0, "reason": "abandoned", "decided": False}

    # Who does not open a salt that is sealed loses.
    sealed = new_table().sit()
    sealed.sockets = [sealed.connect(0), sealed.connect(1)]
    sealed.seal(0)
    sealed.sockets[0].say("salt", salt="salt 0", nonce=NONCES[0])
    assert sealed.sockets[0].hear("error")["code"] == "refused"
    sealed.seal(1)
    sealed.sockets[1].say("salt", salt="another", nonce=NONCES[1])
    assert "fit" in sealed.sockets[1].hear("error")["message"]
    sealed.open(1)
    clock.step(61_000)
    beat()
    sealed.sockets[1].hear("over")
    assert sealed.stored()["ending"] == {"winner": 2, "reason": "salt_not_opened", "decided": False}
    assert explained(sealed.proof()) == ""


def test_a_server_that_is_killed_anywhere_goes_on(new_table, sqlite_server: RunningServer, settings):
    """The same database under a new server after each step: what was acknowledged is there, and clocks stood still."""
    table = new_table("titans", scenario="ada-and-bo", seconds=30)
    clock, database = sqlite_server.clock, sqlite_server.database

    def restarted() -> None:
        clock.step(600_000)
        # Killed: nothing is said to anybody, and nothing more is written.
        table.server.context.writer.stop()
        server = RunningServer(settings, database, clock)
        server.__enter__()
        servers.append(server)
        table.server = server
        for client in table.clients:
            client._server = server
            old = client.http
            client.http = server.client(client.token).http
            client.http.headers = old.headers
        table.sockets = [table.connect(0, last=len(chosen)), table.connect(1, last=len(chosen))]
        for socket in table.sockets:
            socket.settle()

    servers: list[RunningServer] = []
    chosen: list[tuple[str, str]] = []
    try:
        table.sit()
        restarted()
        table.seal(0)
        restarted()
        table.seal(1)
        commitment, handshake = table.stored()["commitment"], table.stored()["handshake"]
        restarted()
        table.open(0)
        restarted()
        table.open(1)
        for step in (1, 2, 3):
            restarted()
            view = table.sockets[0].heard[0]["payload"]["view"]
            assert view["step"] == step
            assert 29_000 < view["milliseconds"] <= 30_000
            table.choose(0, step, "attack")
            assert table.sockets[0].hear("locked")["choice"] == "attack"
            restarted()
            assert table.sockets[0].heard[0]["payload"]["view"]["chosen"] == "attack"
            assert table.sockets[1].heard[0]["payload"]["view"]["chosen"] is None
            table.choose(1, step, "defend")
            assert table.sockets[1].hear("round")["chosen"] == ["attack", "defend"]
            chosen.append(("attack", "defend"))
        restarted()
        table.sockets[1].say("resign")
        assert table.sockets[0].hear("over")["ending"]["reason"] == "resigned"
        proof = table.proof()
        assert (len(proof["decisions"]), explained(proof, commitment=commitment)) == (6, "")
        assert explained(proof, commitment=handshake) == ""
    finally:
        for server in servers:
            server.context.writer.stop()
            server._runner.close()


def test_bots_play_and_a_forged_proof_is_refused(new_table, monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(catalogue, "ROLLOUTS", 2)
    table = None
    for game, bot in (("titans", "tree search"), ("roshambo", "trained"), ("cards", "rules"), ("skirmish", "random")):
        table = new_table(game, bot=bot, scenario="ada-and-bo" if game == "titans" else None)
        assert table.stored()["state"] == "sealing"
        table.sockets = [table.connect(0)]
        [one] = table.sockets
        table.seal(0)
        one.say("salt", salt="salt 0", nonce=NONCES[0])
        table.play_on(0, 1_000 if game == "roshambo" else 3)
        assert explained(table.proof()) == "", game
    assert table is not None
    proof = table.proof()
    commitment, handshake = proof["commitment"], table.stored()["handshake"]
    assert proof["seats"][1]["account"] == ""

    def forged(**changed):
        found = {**copy.deepcopy(proof), **changed}
        del found["seal"]
        return {**found, "seal": seal_of(found)}

    assert "seed" in explained(forged(server_seed="0" * 64))
    assert "accounts" in explained(forged(seats=[{"account": "somebody", "bot": None}, proof["seats"][1]]))
    assert "sealed" in explained(forged(salts=["mine", ""])) or "seal" in explained(forged(salts=["mine", ""]))
    assert "could be made" in explained(forged(decisions=[*proof["decisions"], proof["decisions"][0]]))
    assert "did not decide" in explained(forged(result={**proof["result"], "decided": True}))
    with pytest.raises(InputError, match="edited"):
        verify_proof({**proof, "digest": "0" * 64}, "proof")
    # The operator makes everything anew, with a salt of its own: only notes tell.
    seal = table_salt_seal(1, "grinded", NONCES[0])
    other = forged(salts=["grinded", ""], salt_seals=[seal, None])
    assert "handshake" in explained(other, commitment=handshake)
    assert "salts" in explained(other, commitment=commitment, salt="salt 0")

    file = tmp_path / "proof.json"
    file.write_text(json.dumps(proof))
    told = call(capsys, "verify", file, "--commitment", handshake, "--salt", "salt 0")
    assert told.status == DONE
    assert "verified" in told.out
    assert "binds the table, both accounts" in told.out
    file.write_text(json.dumps(other))
    assert call(capsys, "verify", file, "--commitment", handshake).status == CHECK_FAILED


def test_the_lobby_and_quick_match(new_table):
    table = new_table(listed=False)
    assert table.clients[0].get(f"{ROOT}/tables").json()["items"] == []
    assert [each["id"] for each in table.clients[0].get(f"{ROOT}/tables?mine=true").json()["items"]] == [table.id]
    games = table.clients[0].get(f"{ROOT}/table-games").json()["items"]
    assert {each["game"]: each["bots"] for each in games}["cards"] == ["rules", "random"]
    assert "tree search" in {each["game"]: each["bots"] for each in games}["titans"]
    wrong = table.clients[0].post(f"{ROOT}/tables", {"game": "roshambo", "scenario": "nothing-like-it", "bot": "deep"})
    assert [each["where"] for each in wrong.json()["problems"]] == ["scenario", "bot"]
    assert table.clients[0].post(f"{ROOT}/tables", {"game": "squads"}).status_code == 404

    asked = {"game": "roshambo"}
    found = [client.post(f"{ROOT}/tables/quick", asked).json() for client in (*table.clients, table.clients[0])]
    assert found[0]["id"] == found[1]["id"]
    assert found[0]["state"] == "waiting"
    assert found[1]["state"] == "sealing"
    assert found[2]["id"] != found[0]["id"]
    assert {each["id"] for each in table.clients[0].get(f"{ROOT}/tables").json()["items"]} == {
        found[0]["id"],
        found[2]["id"],
    }
    assert table.clients[0].delete(f"{table.path}/seat").status_code == 204
    assert table.stored()["ending"]["reason"] == "closed"
    many = [table.clients[0].post(f"{ROOT}/tables", asked).status_code for _ in range(4)]
    assert many == [201, 201, 201, 429]
    schemas = table.clients[0].get(f"{ROOT}/table-messages").json()
    assert set(schemas) == {"client", "server"}


def test_two_processes_serve_one_table_and_its_home_moves(settings, postgresql, clock):
    """On PostgreSQL each player is at another process; then the first is killed, and the other keeps the clock."""
    databases = [open_database(postgresql.empty_schema())]
    databases.append(open_database(str(databases[0].url.render_as_string(hide_password=False))))
    with RunningServer(settings, databases[0], clock) as one, RunningServer(settings, databases[1], clock) as two:
        table = Table(one, "roshambo", seconds=30).sit()
        table.sockets = [table.connect(0)]
        table.server = two
        table.sockets.append(table.connect(1))

        def heard(kind: str) -> list[dict[str, object]]:
            # A process hears of the other's commit by NOTIFY.
            for _ in range(100):
                for socket in table.sockets:
                    socket.settle()
                if all(kind in kinds(socket.heard) for socket in table.sockets):
                    break
            found = []
            for socket in table.sockets:
                found.append(next(each["payload"] for each in socket.heard if each["type"] == kind))
                socket.heard.clear()
            return found

        heard("presence")
        for act in (table.seal, table.open):
            act(0)
            act(1)
            heard("welcome")
        table.choose(0, 1, "rock")
        assert [each["side"] for each in heard("locked")] == [1, 1]
        table.choose(1, 1, "rock")
        first, second = heard("round")
        assert first["chosen"] == second["chosen"] == ["rock", "rock"]

        one.context.writer.stop()
        table.sockets = [table.sockets[1]]
        for _ in range(3):
            clock.step(12_000)
            two.wait(two.context.parts["tables"].beat())
            table.sockets[0].settle()
        told = heard("round")[0]
        assert (told["step"], told["missed"]) == (2, [1, 2])
    for database in databases:
        database.close()
