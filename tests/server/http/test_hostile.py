"""Hostile requests: bodies, headers, names, origins. Each gets a problem, none a fault."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from tests.helpers.accounts import PASSWORD, signed_in
from tests.helpers.serving import RunningServer

from fracas.server.clock import DAY
from fracas.server.http.bodies import LARGEST
from fracas.server.http.origins import address_of, network_of
from fracas.server.settings import Settings

API = "/api/v1"


@pytest.fixture
def client(sqlite_server):
    return sqlite_server.client()


def send(client, body: bytes, path: str = f"{API}/validate", **headers: str):
    return client.request("POST", path, content=body, headers={"Content-Type": "application/json", **headers})


DEEP = b'{"scenario": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 422),
        (b"{", 422),
        (b"[]", 422),
        (b"null", 422),
        (b'{"scenario": 1}', 422),
        (b'{"scenario": {}, "scenario": {}}', 422),
        (b'{"scenario": {"x": NaN}}', 422),
        (b'{"scenario": {"x": 1e999}}', 200),
        (b'{"scenario": {"x": "\\ud800"}}', 422),
        (b'{"scenario": {"x": ' + b"9" * 5_000 + b"}}", 422),
        (b"\xff\xfe", 400),
        (b'\xef\xbb\xbf{"scenario": {}}', 422),
        (DEEP, 422),
        (b" " * (LARGEST + 1), 413),
        (b'{"scenario": {"ruleset": "relics", "left": "' + b"x" * 270_000 + b'"}}', 200),
        (b'{"scenario": {"ruleset": "relics", "' + b"x" * 10_000 + b'": 1}}', 200),
        (json.dumps({"scenario": {"ruleset": "relics", "left": {"items": ["x"] * 60_000}}}).encode(), 200),
    ],
    ids=range(17),
)
def test_bodies(client, body, status):
    answer = send(client, body)
    assert answer.status_code == status, answer.text[:300]
    if status == 200:
        assert answer.json()["valid"] is False
    else:
        assert answer.headers["content-type"] == "application/problem+json"
        assert len(answer.content) < 5_000


def test_a_body_that_lies_about_its_length_is_cut_off(client):
    async def endless():
        for _ in range(1_000):
            yield b" " * 1_000

    answer = client.request("POST", f"{API}/validate", content=endless(), headers={"Content-Type": "application/json"})
    assert answer.status_code == 413


@pytest.mark.parametrize("length", ["-1", "1e9", "9" * 5_000, "+5", "0x10"])
def test_strange_lengths_are_refused_before_anything_is_read(client, length):
    answer = send(client, b"{}", **{"Content-Length": length})
    assert answer.status_code == 413


@pytest.mark.parametrize(
    "kind", ["text/plain", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded", ""]
)
def test_only_json_can_be_posted(client, kind):
    answer = client.request("POST", f"{API}/validate", content=b'{"scenario": {}}', headers={"Content-Type": kind})
    assert answer.status_code == 415


NAMES = [
    "x" * 1_000_000,
    "' OR 1=1 --",
    '"; DROP TABLE account; --',
    "<script>alert(1)</script>",
    "../../etc/passwd",
    "%2e%2e%2f",
    "ann\r\nSet-Cookie: a=b",
    "ann\x00",
    "\u202ennA",
    "{{7*7}}",
    "${jndi:x}",
]


@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_hostile_names_are_refused_everywhere(sqlite_server, name):
    client = sqlite_server.client()
    for path, body in (
        ("accounts", {"handle": name, "password": PASSWORD}),
        ("sessions", {"handle": name, "password": name}),
        ("recovery", {"handle": name, "code": name, "new_password": PASSWORD}),
        ("run", {"scenario": {"ruleset": name}}),
        ("run", {"scenario": {"ruleset": "relics", "left": {"items": [name]}}, "seed": name}),
    ):
        answer = client.post(f"{API}/{path}", body)
        assert answer.status_code in (401, 403, 413, 422), (path, answer.status_code)
        assert "set-cookie" not in answer.headers
        # JSON, never HTML: a browser cannot run what is quoted in it.
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert len(answer.content) < 5_000
    member = signed_in(sqlite_server, "member")
    for method, path in (("DELETE", "keys"), ("DELETE", "sessions"), ("GET", "rulesets")):
        answer = member.request(method, f"{API}/{path}/" + "".join(f"%{byte:02x}" for byte in name[:300].encode()))
        assert answer.status_code in (404, 405)


@pytest.mark.parametrize("cursor", ["x", "W10", "WyJhIl0=", "WzFd", "A" * 501, "[1]", "WzEuNV0"])
def test_hostile_cursors(client, cursor):
    answer = client.get(f"{API}/rulesets/squads/content/units", params={"cursor": cursor})
    assert answer.status_code == (200 if cursor == "WyJhIl0=" else 422)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 401),
        ({"Origin": "http://fracas.test"}, 401),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "null", "Sec-Fetch-Site": "same-origin"}, 401),
        ({"Origin": "null", "Sec-Fetch-Site": "cross-site"}, 403),
        ({"Cookie": "fracas=x"}, 403),
        ({"Cookie": "fracas=x", "Origin": "http://fracas.test"}, 401),
        ({"Cookie": "fracas=x", "Sec-Fetch-Site": "same-origin"}, 401),
        ({"Host": "evil.example"}, 421),
        ({"Host": "fracas.test:80"}, 421),
        ({"Host": "127.0.0.1:8800"}, 401),
        ({"Host": "localhost:8800", "Origin": "http://localhost:8800"}, 401),
    ],
)
def test_only_own_pages_may_write_and_only_to_own_names(sqlite_server, headers, status):
    client = sqlite_server.client()
    del client.http.headers["Origin"]
    answer = client.post(f"{API}/keys", {"name": "x", "scopes": ["read"]}, headers=headers)
    assert answer.status_code == status


@pytest.mark.parametrize("token", ["", "x", "frc_" + "x" * 43, "frc_" + "x" * 44, "frc_" + "\u0660" * 43, "é" * 47])
def test_wrong_tokens(sqlite_server, token):
    answer = sqlite_server.client().get(f"{API}/account", headers={"Authorization": f"Bearer {token}".encode()})
    assert answer.status_code == 401
    assert sqlite_server.client().get(f"{API}/rulesets", headers={"Cookie": "fracas=frc_x"}).status_code == 200


def test_unknown_routes_and_methods_are_problems(client):
    assert client.get("/nothing").json()["type"] == "/problems/not-found"
    answer = client.request("PUT", f"{API}/rulesets", json={})
    assert (answer.status_code, answer.json()["type"]) == (405, "/problems/method-not-allowed")
    assert client.request("HEAD", f"{API}/rulesets").content == b""
    for method in ("TRACE", "OPTIONS", "PROPFIND"):
        assert client.request(method, f"{API}/rulesets").status_code == 405


def test_security_headers_are_on_every_answer(sqlite_server):
    client = sqlite_server.client(address="127.0.0.1")
    for path in ("/docs", f"{API}/rulesets", "/nothing"):
        headers = client.get(path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-request-id"]


@pytest.mark.parametrize(
    ("url", "isolated"),
    [("https://fracas.example", True), ("http://127.0.0.1:8800", True), ("http://192.168.1.10:8800", False)],
)
def test_pages_are_isolated_where_browsers_trust_the_connection(settings, sqlite, clock, url: str, isolated: bool):
    """In a local network without TLS they would say on each page that they ignore the header."""
    with RunningServer(replace(settings, public_url=url), sqlite, clock) as server:
        headers = server.client().get(f"{API}/rulesets").headers
    assert ("cross-origin-opener-policy" in headers) == isolated
    assert ("strict-transport-security" in headers) == url.startswith("https")


def test_metrics_and_docs_are_for_this_machine_unless_exposed(settings, sqlite, clock):
    for path in ("/metrics", "/docs"):
        with RunningServer(settings, sqlite, clock) as server:
            assert server.client().get(path).status_code == 404
            assert server.client(address="127.0.0.1").get(path).status_code == 200
            forwarded = server.client(address="127.0.0.1", **{"X-Forwarded-For": "127.0.0.1"})
            assert forwarded.get(path).status_code == 404
        with RunningServer(replace(settings, expose_metrics=True), sqlite, clock) as server:
            assert server.client().get(path).status_code == 200


def test_metrics_have_no_ids(sqlite_server):
    member = signed_in(sqlite_server, "member")
    member.delete(f"{API}/keys/0123456789")
    text = sqlite_server.client(address="127.0.0.1").get("/metrics").text
    assert 'route="/api/v1/keys/{key}",status="404"' in text
    assert "0123456789" not in text
    assert member.account not in text


def test_a_fault_is_a_problem_with_the_request_id_of_the_log(sqlite_server, caplog):
    async def fail(*_: object) -> None:
        raise ZeroDivisionError("secret detail")

    sqlite_server.context.parts["accounts"].accounts.account_of = fail
    member = signed_in(sqlite_server, "member")
    answer = member.get(f"{API}/account")
    body = answer.json()
    assert (answer.status_code, body["type"]) == (500, "/problems/fault")
    assert "secret" not in answer.text
    record = next(record for record in caplog.records if record.message == "fault")
    assert record.request_id == body["request_id"] == answer.headers["x-request-id"]


@pytest.mark.parametrize(
    ("peer", "forwarded", "expected"),
    [
        ("192.0.2.1", None, "192.0.2.1"),
        ("192.0.2.1", "203.0.113.9", "192.0.2.1"),
        ("10.0.0.5", "203.0.113.9", "203.0.113.9"),
        ("10.0.0.5", "1.1.1.1, 203.0.113.9, 10.0.0.7", "203.0.113.9"),
        ("10.0.0.5", "203.0.113.9, rubbish", "10.0.0.5"),
        ("10.0.0.5", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", None, "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.1", None, "192.0.2.1"),
    ],
)
def test_addresses_come_from_trusted_proxies_only(peer, forwarded, expected):
    headers = [] if forwarded is None else [(b"x-forwarded-for", forwarded.encode())]
    scope = {"client": (peer, 1), "headers": headers}
    assert address_of(scope, Settings(trusted_proxy=("10.0.0.0/8",))) == expected
    assert network_of("rubbish") == "rubbish"


def test_every_caller_has_a_rate(settings, sqlite, clock):
    with RunningServer(replace(settings, rate_limit=0.1), sqlite, clock) as server:
        client = server.client()
        answers = [client.get(f"{API}/rulesets") for _ in range(11)]
        assert [answer.status_code for answer in answers] == [200] * 10 + [429]
        assert answers[-1].headers["retry-after"] == "1"
        assert server.client(address="192.0.2.2").get(f"{API}/rulesets").status_code == 200
        clock.step(-1_000_000)
        assert client.get(f"{API}/rulesets").status_code == 429
        clock.step(1_000)
        assert client.get(f"{API}/rulesets").status_code == 200
        # A caller that was away saves nothing up.
        clock.step(DAY)
        answers = [client.get(f"{API}/rulesets") for _ in range(11)]
        assert [answer.status_code for answer in answers] == [200] * 10 + [429]


def test_tries_of_a_password_are_counted_by_name_and_address(settings, sqlite, clock):
    with RunningServer(replace(settings, rate_limit=0.3), sqlite, clock) as server:
        server.client().post(f"{API}/accounts", {"handle": "ann", "password": PASSWORD})
        tries = [
            server.client().post(f"{API}/sessions", {"handle": "ann", "password": "wrong wrong"}).status_code
            for _ in range(4)
        ]
        assert tries == [401, 401, 401, 429]
        # Nobody locks anybody else out.
        elsewhere = server.client(address="192.0.2.2")
        assert elsewhere.post(f"{API}/sessions", {"handle": "ann", "password": PASSWORD}).status_code == 201
