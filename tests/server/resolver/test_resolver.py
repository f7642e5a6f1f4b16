from __future__ import annotations
import tomllib, json
from pathlib import Path
import pytest

S = {"ruleset": "relics", "left": {"items": ["horned_helm"]}, "right": {"items": []}}


def test_it(sqlite_server):
    c = sqlite_server.client()
    for path in (
        "/rulesets",
        "/rulesets/squads",
        "/rulesets/squads/content",
        "/rulesets/squads/content/units?limit=1",
        "/rulesets/squads/content/units/scout",
        "/modifiers?weeks=1",
        "/rulesets/nope",
        "/rulesets/squads/content/nope",
        "/budget",
    ):
        r = c.get("/api/v1" + path)
        print(path, r.status_code, r.text[:300])
    r = c.post("/api/v1/run", {"scenario": S, "include": ["story", "replay", "chronicle"]})
    print(r.status_code, r.text[:600])
    rep = r.json()["replay"]
    r = c.post("/api/v1/verify", rep)
    print(r.status_code, r.text[:600])
    rep["events"][0][2] += 1
    r = c.post("/api/v1/verify", rep)
    print(r.status_code, r.text[:600])
    r = c.post("/api/v1/verify", {"format": "fracas-replay"})
    print(r.status_code, r.text[:600])
    r = c.post("/api/v1/compile", {"scenario": S})
    print(r.status_code, r.text[:600])
    r = c.post("/api/v1/validate", {"scenario": S})
    print(r.status_code, r.text[:600])
    r = c.post("/api/v1/validate", {"scenario": {**S, "left": {"items": "x.toml"}}})
    print(r.status_code, r.text[:600])
    r = c.post("/api/v1/lint", {"scenario": S})
    print(r.status_code, r.text[:600])
    r = c.post("/api/v1/explain", {"scenario": S, "hit": ["left", "right"]})
    print(r.status_code, r.text[:600])
    r = c.post("/api/v1/run", {"scenario": {**S, "lefty": 3}})
    print(r.status_code, r.text[:600])
    r = c.post("/api/v1/run", {"scenario": S, "foo": 3, "seed": 3})
    print(r.status_code, r.text[:600])
    print(c.get("/api/v1/budget").text)
    assert 0
