"""The site as files: whole, the same every time, with links that lead somewhere and nothing from elsewhere."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import PurePosixPath

import pytest
from tests.helpers.commands import BAD_INPUT, DONE

from fracas.content.packs import examples_folder
from fracas.errors import InputError
from fracas.site import build
from fracas.site.part_types import POLICY
from fracas.web.offline_studio import PAGE

# One ruleset is enough to look at each kind of page; the soak of the pages takes all.
ONE = ("stacks",)


@pytest.fixture(scope="module")
def files():
    return build.site_files(ONE)


class Links(HTMLParser):
    """What a page refers to, and its inline parts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.inline: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        names = dict(attrs)
        self.found += [names[name] for name in ("href", "src") if name in names]
        self.inline += [f"{tag} {name}" for name in names if name == "style" or name.startswith("on")]
        if tag == "style" or (tag == "script" and "src" not in names and not names["type"].startswith("application")):
            self.inline.append(tag)


def test_every_example_has_a_page_and_each_page_is_on_the_index(files):
    folder = examples_folder() / "stacks"
    pages = {f"examples/stacks/{path.stem}.html" for path in folder.glob("*.toml")}
    assert pages <= set(files)
    fought = {name for name in files if "/campaigns/" in name}
    assert fought == {f"examples/stacks/campaigns/river-war-{number}.html" for number in (1, 2, 3, 4, 5)} & set(files)
    assert len(fought) >= 3
    links = Links(files["index.html"].decode()).found
    assert {name for name in files if name.endswith(".html")} - {"index.html"} <= {
        link.partition("#")[0] for link in links
    }


def test_links_are_relative_and_lead_to_files_of_the_site(files):
    for name, content in files.items():
        if not name.endswith(".html"):
            continue
        for link in Links(content.decode()).found:
            target = link.partition("#")[0]
            if not target:
                continue
            assert not re.match(r"[a-z]+:|/", target), (name, link)
            parts: list[str] = []
            for part in (PurePosixPath(name).parent / target).parts:
                parts = parts[:-1] if part == ".." else [*parts, part]
            assert "/".join(parts) in files, (name, link)


def test_every_page_has_the_strict_policy_and_nothing_inline(files):
    for name, content in files.items():
        if name.endswith(".html"):
            text = content.decode()
            policy = re.findall(r'Content-Security-Policy" content="([^"]*)"', text)[0].replace("&#x27;", "'")
            # The studio's page asks for modules and battles of the same site.
            assert policy.replace("connect-src 'self'; ", "" if name == PAGE else "-") == POLICY
            assert Links(text).inline == [], name
    assert "unsafe-inline" not in POLICY
    assert "'self' 'wasm-unsafe-eval'" in POLICY


def test_pages_share_one_module_and_one_script_of_their_ruleset(files):
    assert len([name for name in files if name.startswith("assets/rules-")]) == 1
    pages = [content for name, content in files.items() if name.startswith("examples/")]
    assert not [page for page in pages if b"AGFzbQ" in page]
    assert files["assets/rules-stacks.js"].startswith(b"(globalThis.fracasRules ??= {}).stacks = ")


def test_it_is_the_same_every_time(files):
    assert build.site_files(ONE) == files


def test_a_folder_is_written_and_written_again_and_what_is_gone_goes(tmp_path, files):
    folder = tmp_path / "deep" / "site"
    build.write_site(folder, files)
    written = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert written == {*files, build.MANIFEST}
    (folder / "own.txt").write_text("mine", encoding="utf-8")
    fewer = {name: content for name, content in files.items() if "/campaigns/" not in name}
    build.write_site(folder, fewer)
    written = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert written == {*fewer, build.MANIFEST, "own.txt"}
    assert set(json.loads((folder / build.MANIFEST).read_text())["files"]) == set(fewer)


@pytest.mark.parametrize(
    ("manifest", "words"),
    [
        (None, "holds files, and no fracas-site.json"),
        ("{}", "is not the list of a site's files"),
        ('{"format": "fracas-site", "format_version": 1, "fracas": "0", "files": {"../x": ""}}', "is not the list"),
        ('{"format": "other", "format_version": 1, "fracas": "0", "files": {}}', "is not the list"),
        ("[1", "fracas-site.json"),
    ],
)
def test_a_folder_that_is_not_a_sites_own_is_refused(tmp_path, manifest, words):
    (tmp_path / "thesis.txt").write_text("mine", encoding="utf-8")
    if manifest is not None:
        (tmp_path / build.MANIFEST).write_text(manifest, encoding="utf-8")
    before = sorted(tmp_path.iterdir())
    with pytest.raises(InputError, match=words):
        build.write_site(tmp_path, {"index.html": b"x"})
    assert sorted(tmp_path.iterdir()) == before


def test_files_that_no_site_put_there_and_links_are_refused(tmp_path, files):
    folder = tmp_path / "site"
    build.write_site(folder, {"index.html": b"x"})
    (folder / "own.html").write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match=r"own\.html: is not of the site"):
        build.write_site(folder, {"index.html": b"y", "own.html": b"y"})
    assert (folder / "index.html").read_bytes() == b"x"
    outside = tmp_path / "outside"
    outside.mkdir()
    (folder / "assets").symlink_to(outside)
    with pytest.raises(InputError, match="is a link"):
        build.write_site(folder, {"index.html": b"y", "assets/a.css": b"y"})
    assert list(outside.iterdir()) == []
    with pytest.raises(InputError, match="is not a folder"):
        build.write_site(folder / "own.html", {"index.html": b"x"})


def test_the_command_says_what_it_wrote_and_refuses_with_a_message(fracas_cli, tmp_path, monkeypatch):
    monkeypatch.setattr(build, "site_files", lambda rulesets: {"index.html": b"x"})
    ended = fracas_cli("publish", "site", str(tmp_path / "site"))
    assert (ended.status, ended.out) == (DONE, "")
    assert ended.err.startswith("wrote 1 file, 0.0 MB, to ")
    ended = fracas_cli("publish", "site", str(tmp_path / "site"), "--only", "titan")
    assert ended.status == BAD_INPUT
    assert "titans" in ended.err
    (tmp_path / "thesis.txt").write_text("mine", encoding="utf-8")
    ended = fracas_cli("publish", "site", str(tmp_path))
    assert ended.status == BAD_INPUT
    assert "it is not a site's own" in ended.err
