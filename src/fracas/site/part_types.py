"""What a site is put together from: parts, each with its files and its cards on the index."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from fracas.web.battle import filled

# What pages of the site may do: load its own scripts, styles and pictures, compile WebAssembly, start workers of their
# own text. They may not ask for anything else, not even of the site.
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; "
    "worker-src blob:; base-uri 'none'; form-action 'none'"
)


@dataclass(frozen=True)
class Card:
    """A page as the index shows it."""

    path: str
    title: str
    """HTML: the names of sides have their colours."""
    told: str = ""
    """HTML below the title."""
    picture: str = ""
    """SVG."""


@dataclass(frozen=True)
class Section:
    """A heading of the index with cards below it."""

    anchor: str
    title: str
    told: str
    cards: Sequence[Card]


@dataclass(frozen=True)
class Part:
    """A part of the site: its files by path, and its sections of the index."""

    files: Mapping[str, bytes]
    sections: Sequence[Section] = field(default_factory=tuple)


def root_of(path: str) -> str:
    """The way from a page to the site's top: `../../` of a page two folders down."""
    return "../" * path.count("/")


def links(path: str, styles: Sequence[str], scripts: Sequence[str]) -> tuple[str, str]:
    """The elements that load style sheets and scripts of `assets/` on a page."""
    root = root_of(path)
    sheets = "\n".join(f'<link rel="stylesheet" href="{root}assets/{name}">' for name in styles)
    icon = f'<link rel="icon" type="image/svg+xml" href="{root}assets/icon.svg">'
    code = "\n".join(f'<script defer src="{root}assets/{name}"></script>' for name in scripts)
    return f"{icon}\n{sheets}", code


def document(path: str, title: str, body: str, styles: Sequence[str], scripts: Sequence[str] = ()) -> bytes:
    """A page of the site with this body."""
    style, script = links(path, styles, scripts)
    parts = {"policy": escape(POLICY), "title": escape(title), "style": style, "body": body, "script": script}
    return filled("site.html", parts).encode()


def shared_script(text: str) -> bytes:
    """A script for pages of the site: strict, and with names of its own, as in a module, which no disk may load."""
    return f'"use strict";\n{{\n{text}\n}}\n'.encode()
