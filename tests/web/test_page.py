"""The page as a file: what a browser without scripts shows, what its policy allows, and that texts stay texts."""

from __future__ import annotations

import base64
import json
import re
import zlib
from hashlib import sha256
from html import unescape
from html.parser import HTMLParser

import pytest
from tests.helpers.javascript import output_of
from tests.helpers.replays import chain_with, plugin_file
from tests.helpers.scenarios import STANDARD, duel, loaded

import fracas
from fracas.content.packs import examples_folder
from fracas.rulesets import registry
from fracas.web.battle import battle_script
from fracas.web.decisions import decisions_of
from fracas.web.modules import FOLDER, joined, page_script
from fracas.web.page import page_of

MOST_BYTES = 1_500_000


def played(ruleset: str):
    return fracas.run(fracas.load(examples_folder() / ruleset / f"{STANDARD[ruleset]}.toml"))


class Tags(HTMLParser):
    """The tags of a page, and what stands in its elements."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.inside: dict[str, list[str]] = {}
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        if not self.tags:
            return
        tag, attributes = self.tags[-1]
        self.inside.setdefault(attributes.get("id") or attributes.get("class") or tag, []).append(data)


@pytest.fixture(scope="module", params=registry.NAMES)
def page(request):
    battle = played(request.param)
    return battle, page_of(battle)


def test_the_outcome_needs_no_script(page):
    battle, text = page
    body = re.sub(r"<script.*?</script>|<style>.*?</style>", "", text, flags=re.DOTALL)
    shown = unescape(re.sub(r"<[^>]*>", "", body))
    sides = battle.scenario.ruleset.side_names(battle.scenario.document)
    fell = {"left_fell": f"{sides[0]} fell", "right_fell": f"{sides[1]} fell"}
    why = fell.get(battle.reason, battle.reason.replace("_", " "))
    assert f"Victory for {sides[battle.winner - 1]} after {battle.rounds} rounds: {why}" in shown


def test_nothing_is_loaded_and_nothing_but_the_pages_own_script_may_run(page):
    battle, text = page
    tags = Tags(text).tags
    assert not [tag for tag, attributes in tags if {"src", "srcset", "style", "action"} & set(attributes)]
    assert [attributes["href"] for _, attributes in tags if "href" in attributes] == ["#story"]
    policy = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)[0]
    assert "unsafe-inline" not in policy
    assert "unsafe-eval'" not in policy.replace("wasm-unsafe-eval", "")
    assert policy.startswith("default-src 'none'; ")
    script = text.partition('<script type="module">')[2].partition("</script>")[0]
    style = text.partition("<style>")[2].partition("</style>")[0]
    for part in (script, style):
        assert base64.b64encode(sha256(part.encode()).digest()).decode() in policy
    assert len(text.encode()) < MOST_BYTES
    assert text.count("AGFzbQ") == 1 + script.count("AGFzbQ")
    others = set(registry.NAMES) - {battle.scenario.ruleset.name}
    assert not [name for name in others if f'"ruleset":"{name}"' in text]


@pytest.mark.parametrize("ruleset", registry.NAMES)
def test_the_modules_are_one_sound_script(ruleset, tmp_path):
    script = tmp_path / "page.mjs"
    text = battle_script([ruleset])
    script.write_text(text, encoding="utf-8")
    assert "\nimport " not in text
    output_of(["--check", str(script)])


def test_the_script_of_the_components_is_sound(tmp_path):
    script = tmp_path / "components.mjs"
    script.write_text(page_script("components.js", (), "showComponents();"), encoding="utf-8")
    output_of(["--check", str(script)])


def test_every_module_belongs_to_a_page():
    parts = [joined("page.js", f"rulesets/{name}.js") for name in (*registry.NAMES, "game")]
    parts += [joined("components.js", "tables.js", "contents.js"), joined("table.js"), joined("table-proof-page.js")]
    for path in FOLDER.rglob("*.js"):
        # Comments and imports do not go along: a module is known by its longest line.
        lines = path.read_text(encoding="utf-8").splitlines()
        own = max((each for each in lines if not each.lstrip().startswith(("/", "*", "import", "export"))), key=len)
        assert any(own in part for part in parts), path.name


def test_what_strangers_wrote_is_text():
    document = fracas.load(examples_folder() / "squads" / "first-battle.toml").document
    document["id"] = "</script><img src=x onerror=alert(1)>"
    document["sides"][0]["name"] = "<b>@@script@@</b>"
    document["sides"][0]["units"][0]["name"] = "<i>@@module@@</i>"
    text = page_of(fracas.run(fracas.load(document)))
    tags = {tag for tag, _ in Tags(text).tags}
    assert not tags & {"img", "b", "i"}
    assert text.count('<script type="module">') == 1


def test_a_battle_with_code_of_its_own_is_shown_and_not_checked(tmp_path, monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", "0")
    code = "import fracas\n\n\n@fracas.damage_stage\ndef mine(battle, actor, target, value):\n    return value * 2\n"
    scenario = loaded(duel(options=chain_with("mine")), plugins=[plugin_file(tmp_path, code)])
    parts = Tags(page_of(fracas.run(scenario))).inside
    assert json.loads("".join(parts["bundle"])) is None
    assert "".join(parts["module-squads"]).strip() == ""
    assert "which a page cannot carry" in "".join(parts["data"])


def test_data_hold_the_battle():
    battle = played("titans")
    text = page_of(battle)
    assert battle.rows is not None
    rows = json.loads("".join(Tags(text).inside["rows"]))
    assert rows == battle.rows.ravel().tolist()
    # Decisions go along where somebody decides.
    assert decisions_of(played("relics")) is None
    brought = decisions_of(battle)
    assert brought is not None
    unpacked = zlib.decompress(base64.b64decode(brought["packed"]))
    told = json.loads(unpacked[: brought["text"]])
    assert {"attack", "defend", "rest"} < set(told["labels"])
    changed = sum(row[-1] for row in told["decisions"])
    assert brought["size"] == len(unpacked) == brought["text"] + changed * 12
