"""The OpenAPI document is complete: every operation, every error, an example for each answer; and its page shows it."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from jsonschema import Draft202012Validator

from fracas.server.app import SERVICES, create_app
from fracas.server.documentation import document_of, page
from fracas.server.http.authorisation import Needs
from fracas.server.http.problems import KINDS
from fracas.server.settings import Settings


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
    assert there == set(app.state.access.rows)


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
