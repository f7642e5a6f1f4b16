"""No file of the repository names a host to download from, a path of some machine, or what it was written with."""

from __future__ import annotations

import pytest
from tests.helpers import guards

FILES = guards.repository_files()
PATTERNS = {
    "a download host": guards.DOWNLOAD_HOSTS,
    "a path of a machine": guards.MACHINE_PATHS,
    "what it was written with": guards.TOOLS,
}


def test_the_repository_is_seen():
    names = {str(file.relative_to(guards.ROOT)) for file in FILES}
    assert {"README.md", "pyproject.toml", "requirements.txt", ".ci/run", "src/fracas/site/build.py"} <= names
    assert not any(name.startswith((".venv", ".git/")) for name in names)


def test_no_file_mentions_them():
    found = {}
    for file in FILES:
        text = file.read_text(encoding="utf-8")
        for what, pattern in PATTERNS.items():
            if lines := guards.mentions(text, pattern):
                found[f"{file.relative_to(guards.ROOT)}: {what}"] = lines
    assert found == {}


@pytest.mark.parametrize(
    ("pattern", "planted"),
    [
        (guards.DOWNLOAD_HOSTS, "see https://py" + "pi.org/simple"),
        (guards.DOWNLOAD_HOSTS, "https://files.python" + "hosted.org/x.whl"),
        (guards.DOWNLOAD_HOSTS, "git+https://git" + "hub.com/a/b"),
        (guards.MACHINE_PATHS, "cd /ho" + "me/somebody/fracas"),
        (guards.MACHINE_PATHS, "out = '/t" + "mp/x.json'"),
        (guards.TOOLS, "Co-authored-by: Cla" + "ude"),
        (guards.TOOLS, "as an A" + "I-generated file"),
    ],
)
def test_the_guard_finds_a_planted_mention(pattern, planted):
    assert guards.mentions(f"first line\n{planted}\n", pattern) == [planted]
    assert guards.mentions("An ordinary sentence about battles, rules and dice.", pattern) == []
