"""The OpenAPI document is complete: every operation, every error, an example for each answer; and its page shows it."""

from __future__ import annotations

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from fracas.server.app import SERVICES, create_app
from fracas.server.documentation import document_of, page
from fracas.server.http.authorisation import SOCKET, Needs
from fracas.server.http.problems import KINDS
from fracas.server.settings import Settings

ROOT = Path(__file__).parents[3]
# Of scripts/openapi_types.py.
NO_COMPILER = 3


@pytest.fixture(scope="module")
def app():
    # Pages are for people; the document leaves them out.
    return create_app(Settings(services=tuple(name for name in SERVICES if name != "pages")))


@pytest.fixture(scope="module")
def document(app):
    return document_of(app)


@pytest.fixture(scope="module")
def operations(document):
    return [
        (f"{method.upper()} {path}", operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]


def test_every_route_is_in_it(app, document):
    assert document["openapi"] == "3.1.0"
    there = {(method.upper(), path) for path, methods in document["paths"].items() for method in methods}
    # OpenAPI knows no sockets; their messages have a schema of their own.
    assert there == {row for row in app.state.access.rows if row[0] != SOCKET}


def test_every_answer_has_an_example(operations):
    without = [
        (name, status)
        for name, operation in operations
        for status, answer in operation["responses"].items()
        for described in answer.get("content", {}).values()
        if "example" not in described and "examples" not in described
    ]
    assert without == []
    bare = [
        (name, status)
        for name, operation in operations
        for status, answer in operation["responses"].items()
        if "content" not in answer and status != "204"
    ]
    assert bare == []


def test_examples_fit_their_schemas(document, operations):
    for name, operation in operations:
        for described in operation["responses"].values():
            content = described.get("content", {}).get("application/json", {})
            if "schema" in content and "example" in content:
                schema = {**content["schema"], "components": document["components"]}
                problems = [error.message for error in Draft202012Validator(schema).iter_errors(content["example"])]
                assert problems == [], name


def test_every_answer_says_what_is_in_it(operations):
    """Only what is described elsewhere is any object: schemas, files, bundles, tables, proofs, content, one's data."""
    untyped = []
    for name, operation in operations:
        for described in operation["responses"].values():
            schema = described.get("content", {}).get("application/json", {}).get("schema")
            if schema is not None and "$ref" not in schema:
                untyped.append(name.removeprefix("GET ").replace("/api/v1", ""))
    documents = ["/openapi.json", "/account/export", "/leagues/{league}/schema", "/leagues/{league}/days/{day}"]
    documents += ["/matches/{match}/legs/{leg}/replay", "/jobs/{job}/result", "POST /explain", "POST /compile"]
    documents += ["/rulesets/{ruleset}/content/{kind}/{entry}"]
    documents += ["/table-messages", "/tables/{table}/proof", "/tables/{table}/bundle"]
    assert sorted(untyped) == sorted(documents)


def test_typescript_knows_the_arena(tmp_path):
    program, planted = Path(__file__).with_name("arena.ts"), tmp_path / "planted.ts"
    planted.write_text(program.read_text().replace("entry.title", "entry.tilte"))
    command = [sys.executable, str(ROOT / "scripts" / "openapi_types.py"), str(program), str(planted)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == NO_COMPILER:
        pytest.skip("NO TYPESCRIPT: the npm registry does not answer, so no TypeScript client is compiled")
    assert done.returncode == 1, done.stdout + done.stderr
    # The planted fault is found, and nothing else.
    wrong = [line for line in done.stdout.splitlines() if "error TS" in line]
    assert len(wrong) == 1, done.stdout
    assert "planted.ts" in wrong[0]
    assert "tilte" in wrong[0]


def test_bodies_have_examples(document, operations):
    for name, operation in operations:
        for content in operation.get("requestBody", {}).get("content", {}).values():
            if "$ref" not in content["schema"]:
                assert "example" in content, name
                continue
            schema = document["components"]["schemas"][content["schema"]["$ref"].rpartition("/")[2]]
            required = {key: value for key, value in schema["properties"].items() if key in schema.get("required", ())}
            assert all("examples" in value for value in required.values()), name
            assert schema["additionalProperties"] is False


def test_errors_follow_from_the_table(app, operations):
    for name, operation in operations:
        row = app.state.access.rows[tuple(name.split(" "))]
        statuses = set(operation["responses"])
        assert {"400", "401", "421", "429", "500", "503"} <= statuses, name
        assert ("security" in operation) == (row.needs is not Needs.NOTHING)
        if row.needs in (Needs.OWNER, Needs.OPERATOR):
            assert "404" in statuses
        if row.method != "GET":
            assert {"403", "408", "413", "415", "422"} <= statuses
    known = {str(kind.status) for kind in KINDS.values()} | {"200", "201", "202", "204"}
    assert {status for _, operation in operations for status in operation["responses"]} <= known


def test_operations_have_names_and_sentences(operations):
    names = [operation["operationId"] for _, operation in operations]
    assert len(names) == len(set(names))
    assert all(operation["description"].split("\n")[0].endswith(".") for _, operation in operations)


class Collector(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: list[str] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        found = dict(attributes)
        self.links += [found[name] for name in ("href", "src") if name in found]
        self.ids += [found["id"]] if "id" in found else []


def test_the_page_needs_nothing_from_elsewhere_and_its_links_lead_somewhere(document):
    text = page(document)
    seen = Collector()
    seen.feed(text)
    assert "script" not in seen.tags
    assert not re.search(r"\bon\w+=|style=", re.sub(r"<pre>.*?</pre>", "", text, flags=re.DOTALL))
    outside = [link for link in seen.links if not link.startswith(("/", "#"))]
    assert outside == []
    assert len(seen.ids) == len(set(seen.ids))
    missing = [link for link in seen.links if link.startswith("#") and link[1:] not in seen.ids]
    assert missing == []


def test_texts_in_the_document_are_escaped_on_the_page(document):
    hostile = {**document, "info": {**document["info"], "title": "<script>x</script>"}}
    assert "<script>" not in page(hostile)
