"""The whole site: its parts joined, an index of them, and a folder that holds nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from html import escape
from pathlib import Path

import msgspec

from fracas.errors import InputError, Problem
from fracas.files.atomic_write import write_atomic, write_error
from fracas.files.read import parse_json, read_text
from fracas.rulesets import registry
from fracas.site.components import components_part
from fracas.site.examples import examples_part
from fracas.site.part_types import Part, Section, document
from fracas.site.studio import studio_part
from fracas.version import __version__
from fracas.web.battle import STYLES
from fracas.web.modules import FOLDER

FORMAT, FORMAT_VERSION = "fracas-site", 1
# Lists the site's files, so that the next one can replace them and nothing else.
MANIFEST = "fracas-site.json"
LARGEST_MANIFEST = 4 * 1024 * 1024
_SAFE = re.compile(r"(?!.*\.\.)[A-Za-z0-9][\w./-]{0,200}")

# Makes a part of the site for these rulesets.
MakePart = Callable[[Sequence[str]], Part]
# In the order of the index.
PARTS: tuple[MakePart, ...] = (examples_part, studio_part, components_part)
_SHARED = (*STYLES, "page.css", "site.css", "icon.svg")


class Manifest(msgspec.Struct, frozen=True):
    """The file that makes a folder a site's own."""

    format: str
    format_version: int
    fracas: str
    files: dict[str, str]


def site_files(rulesets: Sequence[str] = registry.NAMES) -> dict[str, bytes]:
    """Every file of a site of these rulesets, by path; the same version of Fracas gives the same bytes."""
    files = {f"assets/{name}": (FOLDER / name).read_bytes() for name in _SHARED}
    sections: list[Section] = []
    for make in PARTS:
        part = make(rulesets)
        files |= part.files
        sections += part.sections
    files["index.html"] = _index(sections)
    return dict(sorted(files.items()))


def check_folder(folder: Path) -> None:
    """Refuse a folder that is not a site's own before anything is played.

    Raises:
        InputError: it holds other things.
    """
    _files_before(folder)


def write_site(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write a site into a folder that is new, empty or holds a site; files that the new site lacks are deleted.

    Raises:
        InputError: the folder holds other things, or cannot be written.
    """
    before = _files_before(folder)
    _refuse_foreign(folder, before, files)
    hashes = {name: sha256(content).hexdigest() for name, content in files.items()}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # First of all, so that a folder that was left half written is known as a site's.
        listed = dict.fromkeys(sorted({*before, *files}), "")
        _write_manifest(folder, listed)
        for name, content in files.items():
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            write_atomic(file, content)
        for name in sorted(before - set(files)):
            (folder / name).unlink(missing_ok=True)
        _write_manifest(folder, hashes)
    except OSError as error:
        raise write_error(folder, error) from None


def _write_manifest(folder: Path, files: dict[str, str]) -> None:
    content = msgspec.json.encode(Manifest(FORMAT, FORMAT_VERSION, __version__, files))
    write_atomic(folder / MANIFEST, msgspec.json.format(content, indent=1) + b"\n")


def _files_before(folder: Path) -> set[str]:
    """The files of the site that the folder holds; none if it is new or empty.

    Raises:
        InputError: it holds something else.
    """
    try:
        if folder.exists() and not folder.is_dir():
            raise InputError.of(str(folder), "is not a folder", "name a new folder, or one that held a site")
        is_empty = not folder.exists() or not any(folder.iterdir())
    except OSError as error:
        raise write_error(folder, error) from None
    if is_empty:
        return set()
    manifest = folder / MANIFEST
    advice = "name a new folder, or one that fracas publish site wrote"
    if not manifest.is_file():
        raise InputError.of(str(folder), f"holds files, and no {MANIFEST}: it is not a site's own", advice)
    try:
        parsed = msgspec.convert(parse_json(read_text(manifest, LARGEST_MANIFEST), str(manifest)), Manifest)
    except msgspec.ValidationError as error:
        raise InputError.of(str(manifest), f"is not the list of a site's files: {error}", advice) from None
    if parsed.format != FORMAT or not all(_SAFE.fullmatch(name) for name in parsed.files):
        raise InputError.of(str(manifest), "is not the list of a site's files", advice)
    return set(parsed.files)


def _refuse_foreign(folder: Path, before: set[str], files: Mapping[str, bytes]) -> None:
    """Refuse to write over files that no site put there, or through links that lead out of the folder.

    Raises:
        InputError: each of them.
    """
    problems = []
    real = folder.resolve()
    for name in sorted({*before, *files}):
        file = folder / name
        if name not in before and file.exists():
            problems.append(Problem(str(file), "is not of the site, and is not overwritten"))
        elif file.is_symlink() or not file.resolve().is_relative_to(real):
            problems.append(Problem(str(file), "is a link, and is not followed"))
    if problems:
        raise InputError(problems)


def _index(sections: list[Section]) -> bytes:
    """The first page: what there is to see."""
    chips = " ".join(f'<a href="#{each.anchor}">{escape(each.title)}</a>' for each in sections)
    body = "\n".join(_section(each) for each in sections)
    count = sum(len(each.cards) for each in sections)
    hero = (
        '<header class="hero">\n<img class="emblem" src="assets/icon.svg" alt="">\n<h1>Fracas</h1>\n'
        f"<p>Turn-based battles resolved from data. {count} pages to watch, step through and check: each battle is "
        "played again on your device.</p>\n"
        f'<p><a class="first" href="{escape(sections[0].cards[0].path)}">Watch the first one</a></p>\n'
        f'<nav aria-label="Sections">{chips}</nav>\n</header>\n'
    )
    made_by = f"Made by fracas publish site, version {escape(__version__)}. Nothing here asks another host."
    foot = f"<footer><p>{made_by}</p></footer>\n"
    whole = f"{hero}<main>\n{body}\n</main>\n{foot}"
    return document("index.html", "Fracas: battles to watch", whole, ("design.css", "site.css"))


def _section(section: Section) -> str:
    cards = "\n".join(
        f'<li><a href="{escape(card.path)}">{card.picture}<strong>{card.title}</strong> {card.told}</a></li>'
        for card in section.cards
    )
    return (
        f'<section id="{section.anchor}">\n<h2>{escape(section.title)}</h2>\n<p>{section.told}</p>\n'
        f'<ul class="cards-of-site">\n{cards}\n</ul>\n</section>'
    )
