"""The page's modules under Node: links, changes of texts, records; and that all they import is there, as vendored."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib

import msgspec
import pytest
from tests.helpers.javascript import run_program
from tests.studio.test_form import STANDARD

import fracas
from fracas.content.packs import examples_folder
from fracas.portable import artefacts
from fracas.replay.bundle_file import bundle_of
from fracas.rulesets import registry
from fracas.studio.assets import assets
from fracas.web.offline_studio import PAGE, STUDIO, offline_studio

VENDORED = STUDIO / "vendored"
MODULES = sorted(file for file in STUDIO.rglob("*.js"))


def test_codemirror_is_what_the_registry_gave():
    module = (VENDORED / "codemirror.js").read_bytes()
    record = json.loads((VENDORED / "codemirror.json").read_text(encoding="utf-8"))
    assert record["sha256"] == hashlib.sha256(module).hexdigest()
    licences = (VENDORED / "codemirror.txt").read_text(encoding="utf-8")
    for each in record["packages"]:
        assert each["integrity"].startswith("sha512-")
        assert each["licence"] == "MIT"
        assert f"{each['package']}\n" in licences
    assert licences.count("Permission is hereby granted") == len(record["packages"])


def test_every_module_is_used_and_everything_asked_for_is_there():
    asked = re.compile(r'^(?:import|\} from)[^"\n]*"(\.[^"]+)";', re.MULTILINE)
    used = {"main.js", "offline.js"}
    for file in MODULES:
        for name in asked.findall(file.read_text(encoding="utf-8")):
            address = f"/assets/studio/{name}".replace("/./", "/").replace("studio/../", "")
            assert address in assets(), f"{file.name}: {name}"
            used.add(name.rpartition("/")[2])
    assert {file.name for file in MODULES} <= used


def test_the_offline_part_is_whole_and_brings_no_editor():
    files = offline_studio()
    page = files[PAGE].decode()
    for address in re.findall(r'(?:href|src)="(assets/[^"]+)"', page):
        assert address in files
    assert not [address for address in files if "vendored" in address or "main.js" in address]
    assert {f"assets/wasm/{name}.wasm" for name in registry.NAMES} <= set(files)
    policy = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)[0]
    assert "unsafe-inline" not in policy
    assert policy.startswith("default-src 'none'; ")


def link_of(value) -> str:
    squeezed = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = squeezed.compress(json.dumps(value).encode()) + squeezed.flush()
    return "#doc=" + base64.urlsafe_b64encode(packed).decode().rstrip("=")


HOSTILE = [
    "#doc=",
    "#doc=!!!!",
    "#doc=AAAA",
    "#doc=" + "A" * 600_000,
    link_of({"name": "a.toml", "text": "x" * 300_000}),
    link_of([1, 2]),
    link_of({"name": "a.toml"}),
    link_of({"name": 5, "text": "x"}),
    link_of({"name": "a" * 300, "text": "x"}),
    link_of(None),
    link_of({"name": "a.toml", "text": "x"})[:-4],
]


def test_links_hold_documents_and_hostile_ones_are_refused(tmp_path):
    documents = [{"name": "mine.toml", "text": text} for text in ("", "a = 1\n", "🎲 ü\n" * 100, "x" * 200_000)]
    program = f"""
    import {{ fragmentOf, valueOf, documentOf }} from {json.dumps((STUDIO / "share.js").as_uri())};
    import {{ readFileSync }} from "node:fs";
    const {{ documents, hostile, made }} = JSON.parse(readFileSync(process.argv[2], "utf8"));
    const back = [];
    const page = "https://a.example/studio.html";
    for (const each of documents) back.push(documentOf(await valueOf(page + (await fragmentOf(each)))));
    const told = [];
    for (const link of hostile) {{
      try {{ documentOf(await valueOf(link)); told.push("opened"); }} catch (error) {{ told.push(error.message); }}
    }}
    const refused = await fragmentOf("y".repeat(300000)).catch((error) => error.message);
    const none = [await valueOf(""), await valueOf("#t=12.3"), await valueOf("#token=x")];
    const others = [];
    for (const link of made) others.push(await valueOf("#token=x&" + link.slice(1)));
    console.log(JSON.stringify({{ back, told, refused, none, others }}));
    """
    jobs = tmp_path / "jobs.json"
    made = [link_of(each) for each in documents]
    jobs.write_text(json.dumps({"documents": documents, "hostile": HOSTILE, "made": made}), encoding="utf-8")
    found = run_program(program, tmp_path, str(jobs))
    assert found["back"] == found["others"] == documents
    assert all(text.startswith("the link") for text in found["told"]), found["told"]
    assert [text for text in found["told"] if "more than" in text] == ["the link holds more than 262,144 bytes"]
    assert "larger than" in found["refused"]
    assert found["none"] == [None, None, None]


def test_a_change_of_a_text_is_one_change(tmp_path):
    pairs = [
        ("abc", "abc"),
        ("abc", "abXc"),
        ("aaa", "aaaa"),
        ("", "x"),
        ("x", ""),
        ("one two", "one three two"),
        ("abab", "ab"),
    ]
    text = (STUDIO / "editor.js").read_text(encoding="utf-8")
    function = re.search(r"export function changeBetween.*?\n}\n", text, re.DOTALL)
    assert function is not None
    program = f"""
    {function[0].removeprefix("export ")}
    const pairs = {json.dumps(pairs)};
    console.log(JSON.stringify(pairs.map(([one, two]) => {{
      const {{ from, to, insert }} = changeBetween(one, two);
      return [one.slice(0, from) + insert + one.slice(to), to - from + insert.length];
    }})));
    """
    found = run_program(program, tmp_path)
    assert [text for text, _ in found] == [two for _, two in pairs]
    assert [size for _, size in found] == [0, 1, 1, 1, 1, 6, 2]


@pytest.mark.parametrize("ruleset", registry.NAMES)
def test_numbers_of_a_record_are_changed_on_any_device(ruleset, tmp_path):
    """The odds that the offline part counts are those of Python, before and after a number is changed."""
    scenario = fracas.load(examples_folder() / ruleset / f"{STANDARD[ruleset]}.toml")
    bundle = tmp_path / "bundle.json"
    bundle.write_bytes(msgspec.json.encode(bundle_of(fracas.run(scenario))))
    module = artefacts.module_file(ruleset)
    program = f"""
    import {{ loadRules }} from LIBRARY_ADDRESS;
    import {{ readFileSync }} from "node:fs";
    const folder = {json.dumps(STUDIO.as_uri())};
    const {{ Changes }} = await import(`${{folder}}/record.js`);
    const {{ editing }} = await import(`${{folder}}/../web/rulesets/{ruleset}.js`);
    const layout = readFileSync({json.dumps(str(module.with_suffix(".json")))}, "utf8");
    const rules = await loadRules(readFileSync({json.dumps(str(module))}), layout);
    const packed = await rules.open(readFileSync(process.argv[2], "utf8"));
    const all = new Changes(packed, editing);
    const form = all.form({{}});
    const {{ path, value }} = form[0].owners[0].numbers[0];
    const edits = {{ [path.join(".")]: value + 9 }};
    const record = all.edited(edits);
    const wins = [];
    const options = {{ count: 200, workers: 0 }};
    // And every choice of the form: another unit, the other line-up, the other strategy.
    const chosen = form.flatMap(({{ choices }}) => choices.map(({{ path }}) => ({{ [path.join(".")]: 1 }})));
    const told = chosen.map((each) => all.words(each)[0][1]);
    for (const each of chosen) await rules.simulate(all.edited(each), {{ count: 20, workers: 0 }});
    for (const each of [packed.record, record]) wins.push((await rules.simulate(each, options)).wins);
    const refused = [];
    const key = path.join(".");
    const rulesKey = form[2].owners.find(({{ name }}) => name === "Rules").numbers[0].path.join(".");
    const unknown = ["999.0", "0.99", "x", "__proto__", "strategy.3"].map((each) => [each, 1]);
    const places = [...unknown, [key, 1.5], [key, 1e12], ["unit.0", 99], [rulesKey, 9_000_000], [rulesKey, -1]];
    for (const wrong of places.map((each) => Object.fromEntries([each]))) {{
      try {{ all.edited(wrong); refused.push(false); }} catch {{ refused.push(true); }}
    }}
    rules.close();
    console.log(JSON.stringify({{ form, wins, words: all.words(edits)[0][1], told, refused }}));
    """.replace("LIBRARY_ADDRESS", json.dumps((STUDIO.parent / "js" / "fracas.js").as_uri()))
    found = run_program(program, tmp_path, str(bundle))
    results = fracas.simulate(scenario, 200)
    assert found["wins"][0] == [results.draws, *results.wins]
    assert [side["name"] for side in found["form"]][:2] == list(scenario.ruleset.side_names(scenario.document))
    assert all(side["owners"] for side in found["form"])
    assert " → " in found["words"]
    assert any("is like" in each for each in found["told"])
    assert any("plays as" in each for each in found["told"]) == (ruleset in ("squads", "titans"))
    assert found["refused"] == [True] * 10
    assert ruleset in ("stacks", "relics") or found["wins"][0] != found["wins"][1]
