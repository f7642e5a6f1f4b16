"""The server without a browser: who may talk to it, what it serves, what it writes, and that nothing ends it."""

from __future__ import annotations

import http.client
import json
import socket
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest

from fracas.content.packs import examples_folder
from fracas.errors import InputError
from fracas.studio.file import StudioFile
from fracas.studio.questions import Questions
from fracas.studio.server import LARGEST_QUESTION, StudioServer

TEXT = (examples_folder() / "squads" / "first-battle.toml").read_text(encoding="utf-8")


class Caller:
    """A program that talks to the studio, and sets each header as it likes."""

    def __init__(self, server: StudioServer) -> None:
        self.server = server
        self.cookie = ""

    def call(self, method, path, body=None, **headers):
        host = f"127.0.0.1:{self.server.server_port}"
        sent = {"Host": host}
        if method == "POST":
            sent |= {"Origin": f"http://{host}", "Content-Type": "application/json"}
        if self.cookie:
            sent["Cookie"] = self.cookie
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        connection = http.client.HTTPConnection("127.0.0.1", self.server.server_port, timeout=60)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            content = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
            if method == "POST":
                sent.setdefault("Content-Length", str(len(content)))
            for name, value in sent.items():
                if value is not None:
                    connection.putheader(name, value)
            connection.endheaders(content)
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()
        finally:
            connection.close()

    def ask(self, question, /, **body):
        status, _, content = self.call("POST", f"/api/{question}", body)
        return status, json.loads(content)

    def enter(self):
        status, headers, _ = self.call("POST", "/api/session", {"token": self.server.access.token})
        assert status == 200
        self.cookie = headers["Set-Cookie"].partition(";")[0]
        return headers["Set-Cookie"]


@contextmanager
def studio(file=None, odds_seconds=0.4):
    questions = Questions(None if file is None else StudioFile(file))
    # Enough to see odds move; a page that is looked at goes on for longer.
    questions.odds_seconds = odds_seconds
    with StudioServer(questions) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        try:
            yield Caller(server)
        finally:
            server.shutdown()


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("desk") / "mine.toml"
    path.write_text(TEXT, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def caller(file):
    """A caller with the cookie. Its tests leave the file as it is."""
    with studio(file) as found:
        found.enter()
        yield found


def test_the_token_is_good_once_and_never_sent_by_a_browser():
    with studio() as caller:
        assert caller.server.link == f"{caller.server.address}#token={caller.server.access.token}"
        assert caller.call("POST", "/api/session", {"token": "x"})[0] == 403
        assert caller.call("POST", "/api/session", {"token": 5})[0] == 403
        assert caller.call("POST", "/api/session", {"token": "ü"})[0] == 403
        cookie = caller.enter()
        assert "HttpOnly" in cookie
        assert "SameSite=Strict" in cookie
        assert str(caller.server.server_port) in cookie.partition("=")[0]
        again = Caller(caller.server)
        assert again.call("POST", "/api/session", {"token": caller.server.access.token})[0] == 403
        assert caller.ask("document")[0] == 200


@pytest.mark.parametrize(
    "cookie", ["", "fracas-studio=1", "x", "fracas-studio-{port}=guess", "\x01=;;,", "a=" + "b" * 4000]
)
def test_without_the_cookie_nothing_is_told(caller, cookie):
    stranger = Caller(caller.server)
    stranger.cookie = cookie.replace("{port}", str(caller.server.server_port))
    for name in (*caller.server.questions.answered, "odds"):
        assert stranger.call("POST", f"/api/{name}", {"text": TEXT})[0] == 403
    assert stranger.call("GET", f"/battles/{'0' * 32}/0")[0] == 403


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost", None, "127.0.0.1:{port}.evil"]
)
def test_other_names_for_this_machine_are_refused(caller, host):
    named = None if host is None else host.replace("{port}", str(caller.server.server_port))
    assert caller.call("GET", "/", Host=named)[0] == 421
    assert caller.call("POST", "/api/document", {}, Host=named, Origin=f"http://{named}")[0] == 421


def test_localhost_is_this_machine(caller):
    host = f"localhost:{caller.server.server_port}"
    assert caller.call("GET", "/", Host=host)[0] == 200
    assert caller.call("POST", "/api/document", {}, Host=host, Origin=f"http://{host}")[0] == 200


@pytest.mark.parametrize(
    "origin",
    [None, "null", "http://evil.example", "http://127.0.0.1", "https://127.0.0.1:{port}", "http://localhost:{port}"],
)
def test_only_the_own_page_may_ask(caller, origin):
    named = None if origin is None else origin.replace("{port}", str(caller.server.server_port))
    assert caller.call("POST", "/api/document", {}, Origin=named)[0] == 403


def test_forms_of_other_pages_cannot_ask(caller):
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", None):
        assert caller.call("POST", "/api/document", {}, Content_Type=kind)[0] == 415


def test_the_page_has_a_strict_policy_and_a_new_nonce_each_time(caller):
    pages = [caller.call("GET", "/") for _ in range(2)]
    policies = [headers["Content-Security-Policy"] for _, headers, _ in pages]
    assert policies[0] != policies[1]
    for policy, (_, headers, content) in zip(policies, pages, strict=True):
        assert "unsafe-inline" not in policy
        assert "unsafe-eval'" not in policy.replace("wasm-unsafe-eval", "")
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        nonce = policy.partition("'nonce-")[2].partition("'")[0]
        assert content.decode().count(nonce) == 1
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["Cache-Control"] == "no-store"
        assert "style=" not in content.decode()
        assert caller.server.access.token not in content.decode()


ELSEWHERE = [
    "/assets/../../studio/server.py",
    "/assets/studio/../../../../../../etc/passwd",
    "/assets/studio/%2e%2e/%2e%2e/web/page.html",
    "/assets/studio/..%2f..%2fsquads%2funits.toml",
    "//etc/passwd",
    "/assets/studio/studio.html",
    "/assets/web/page.html",
    "/assets/studio",
    "/mine.toml",
    "/api/document",
    "/battles/x/0",
    f"/battles/{'0' * 32}/{'9' * 19}",
    f"/battles/{'0' * 32}/-1",
]


@pytest.mark.parametrize("path", ELSEWHERE)
def test_nothing_else_is_served(caller, path):
    assert caller.call("GET", path)[0] == 404


def test_what_the_page_asks_for_is_there(caller):
    for address in (
        "/assets/studio/main.js",
        "/assets/studio/vendored/codemirror.js",
        "/assets/web/fracas.js",
        "/assets/web/battle.css",
    ):
        status, headers, content = caller.call("GET", f"{address}?v=1")
        assert (status, len(content) > 500) == (200, True)
        assert headers["Content-Type"].startswith(("text/javascript", "text/css"))
    status, headers, content = caller.call("HEAD", "/")
    assert (status, content) == (200, b"")


BODIES = [
    (b"", 422),
    (b"[]", 422),
    (b"{", 422),
    (b'{"text": 5}', 422),
    (b'{"text": "\xff"}', 422),
    (b'{"text": "a", "text": "b"}', 422),
    (b"[" * 5000, 422),
    (json.dumps({"text": "\ud800"}).encode(), 422),
    (json.dumps({"text": "a = " + "[" * 5000}).encode(), 200),
    (json.dumps({"text": "#" * 300_000}).encode(), 200),
    (json.dumps({"text": "a=1\n" * 9000}).encode(), 200),
]


@pytest.mark.parametrize(("body", "status"), BODIES, ids=range(len(BODIES)))
def test_hostile_questions_get_an_answer(caller, body, status):
    assert caller.call("POST", "/api/check", body)[0] == status
    assert caller.ask("check", text=TEXT)[0] == 200


def test_questions_are_bounded(caller):
    assert caller.call("POST", "/api/check", b"", Content_Length=str(LARGEST_QUESTION + 1))[0] == 413
    for length in ("x", "-1", "1" * 40, "", "²"):
        assert (
            caller.call("POST", "/api/check", b"", Content_Length=length.encode() if length == "²" else length)[0]
            == 411
        )
    assert caller.call("POST", "/api/nothing", {})[0] == 404


def test_every_question_refuses_nonsense(caller):
    for name in (*caller.server.questions.answered, "odds"):
        if name in ("document", "examples"):
            continue
        assert caller.call("POST", f"/api/{name}", {"text": 5, "path": 5, "side": 7})[0] == 422, name


def test_broken_connections_do_not_end_it(caller):
    for sent in (
        b"",
        b"GET / HTTP/1.1\r\n",
        b"\x00\xff\r\n\r\n",
        b"GET " + b"a" * 70_000 + b"\r\n\r\n",
        b"POST /api/check HTTP/1.1\r\nContent-Length: 9\r\n\r\n{",
    ):
        with socket.create_connection(("127.0.0.1", caller.server.server_port), timeout=5) as connection:
            connection.sendall(sent)
    assert caller.call("GET", "/")[0] == 200


def test_it_listens_to_this_machine_only(caller):
    assert caller.server.server_address[0] == "127.0.0.1"
    with pytest.raises(InputError, match="cannot be used"):
        StudioServer(Questions(None), caller.server.server_port)


def test_a_draft_is_checked_and_its_battles_are_one_click_away(caller):
    status, checked = caller.ask("check", text=TEXT)
    assert (status, checked["problems"], checked["names"]) == (200, [], ["Your Company", "Bridge Robbers"])
    status, headers, page = caller.call("GET", f"/battles/{checked['key']}/3")
    assert status == 200
    assert b'http-equiv="Content-Security-Policy"' in page
    assert headers["Content-Security-Policy"] == "frame-ancestors 'none'"
    assert caller.call("GET", f"/battles/{'0' * 32}/3")[0] == 404


def test_odds_come_line_by_line(caller):
    text = (examples_folder() / "relics" / "first-duel.toml").read_text(encoding="utf-8")
    status, headers, content = caller.call("POST", "/api/odds", {"text": text})
    assert (status, headers["Content-Type"]) == (200, "application/x-ndjson")
    assert json.loads(content.splitlines()[-1])["done"]
    status, _, content = caller.call("POST", "/api/odds", {"text": "ruleset = 5"})
    assert (status, "problems" in json.loads(content)) == (422, True)


def test_a_stranger_document_sees_no_file(caller, file):
    (file.parent / "secret.toml").write_text('formation = "balanced"\nword = "xyzzy"\n', encoding="utf-8")
    for path in ("secret.toml", str(file.parent / "secret.toml"), "../secret.toml", "/etc/passwd"):
        side = '[[sides]]\nname = "A"\nunits = ["scout"]\n'
        text = f'ruleset = "squads"\n{side}strategy = {json.dumps(path)}\n{side}'
        told = json.dumps(caller.ask("check", text=text, foreign=True, name="../../mine.toml"))
        assert "xyzzy" not in told
        # A message may repeat what the text says, and tells nothing beyond it.
        assert str(file.parent) in path or str(file.parent) not in told
    _, checked = caller.ask("check", text=TEXT, foreign=True, name="../x\x07/evil.toml")
    assert checked["key"] is not None


def test_names_of_strangers_stay_text_in_answers(caller):
    text = TEXT.replace("Your Company", "<img src=x onerror=alert(1)>")
    _, checked = caller.ask("check", text=text, foreign=True)
    assert checked["names"][0] == "<img src=x onerror=alert(1)>"
    _, _, page = caller.call("GET", f"/battles/{checked['key']}/0")
    assert b"<img" not in page


def test_it_saves_what_it_opened_and_nothing_else(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_bytes(TEXT.replace("\n", "\r\n").encode())
    with studio(path) as caller:
        caller.enter()
        _, found = caller.ask("document")
        assert found["text"] == TEXT
        assert found["can_save"]
        status, saved = caller.ask(
            "save", text=TEXT + "# more\n", seen=found["seen"], name="other.toml", path="other.toml"
        )
        assert status == 200
        # The line ends of the file stay what they are.
        assert path.read_bytes() == (TEXT + "# more\n").replace("\n", "\r\n").encode()
        # Somebody else writes it.
        path.write_text("theirs", encoding="utf-8")
        status, told = caller.ask("save", text="mine", seen=saved["seen"])
        assert (status, told) == (409, {"changed": True})
        assert path.read_text(encoding="utf-8") == "theirs"
        seen = caller.ask("document")[1]["seen"]
        assert caller.ask("save", text="mine", seen=seen)[0] == 200
        assert path.read_text(encoding="utf-8") == "mine"
        assert caller.ask("save", text="x" * 300_000, seen=seen)[0] == 422
        path.unlink()
        assert caller.ask("save", text="again", seen=seen)[0] == 409
        assert caller.ask("save", text="again", seen=None)[0] == 200
    assert [each.name for each in tmp_path.iterdir()] == ["mine.toml"]


def test_a_file_that_is_not_there_begins_with_a_commented_scenario(tmp_path):
    with studio(tmp_path / "new.toml") as caller:
        caller.enter()
        _, found = caller.ask("document")
        assert (found["seen"], found["can_save"]) == (None, True)
        assert caller.ask("check", text=found["text"])[1]["key"] is not None
    assert list(tmp_path.iterdir()) == []


def test_without_a_file_nothing_is_written():
    with studio() as caller:
        caller.enter()
        assert not caller.ask("document")[1]["can_save"]
        status, told = caller.ask("save", text="x", seen=None)
        assert status == 422
        assert "without a file" in told["problems"][0]["message"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.txt", b"", "neither a .toml nor"),
        ("a.toml", b"\xff", "not UTF-8"),
        ("a.toml", b"#" * 300_000, "larger than"),
    ],
)
def test_files_that_cannot_be_edited_are_refused(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=message):
        StudioFile(tmp_path / name)


def test_a_folder_that_is_not_there_is_told_at_once(tmp_path):
    with pytest.raises(InputError, match="no such folder"):
        StudioFile(tmp_path / "nowhere" / "a.toml")
    with pytest.raises(InputError, match="folder"):
        StudioFile(Path(tmp_path / "x.toml" / "y.toml"))


def test_examples_can_be_opened(caller):
    _, found = caller.ask("examples")
    assert [each["name"] for each in found["rulesets"]] == ["squads", "delve", "stacks", "relics", "titans"]
    assert "first-battle" in found["rulesets"][0]["examples"]
    for example in (None, "first-battle"):
        _, shown = caller.ask("example", ruleset="squads", example=example)
        assert caller.ask("check", text=shown["text"])[1]["key"] is not None
    for name in ("../first-battle", "/etc/passwd", 5, "nope"):
        assert caller.ask("example", ruleset="squads", example=name)[0] == 422
    assert caller.ask("example", ruleset="chess")[0] == 422


def test_a_fault_of_ours_does_not_end_it(caller, monkeypatch):
    def broken(asked):
        raise RuntimeError("on purpose")

    monkeypatch.setattr(caller.server.questions, "answered", {"document": broken})
    status, told = caller.ask("document")
    assert status == 500
    assert "fault: RuntimeError: on purpose" in told["problems"][0]["message"]
    assert caller.call("GET", "/")[0] == 200
