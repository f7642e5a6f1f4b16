"""An HTML page taken apart with the parser of the standard library: its text, its elements, whatever it refers to."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

# Elements that have no end.
VOID = {"meta", "link", "br", "img", "hr", "input"}
# Attributes through which a page can ask for something.
ASKING = {"src", "href", "srcset", "action", "data", "poster", "background", "xlink:href", "formaction", "ping"}
REFERENCE = re.compile(r"https?:|//[a-z]|@import|url\(\s*[^#)\s]", re.IGNORECASE)


@dataclass
class Page(HTMLParser):
    """What a page is made of."""

    source: str
    tags: list[str] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    asked: list[tuple[str, str, str]] = field(default_factory=list)
    attributes: list[tuple[str, str, str]] = field(default_factory=list)
    unbalanced: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.feed(self.source)
        self.close()
        self.unbalanced += self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in VOID:
            self.open.append(tag)
        self._note(tag, attrs)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self._note(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.unbalanced.append(tag)

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def _note(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            self.attributes.append((tag, name, value or ""))
            if name == "id":
                self.ids.append(value or "")
            if name in ASKING:
                self.asked.append((tag, name, value or ""))

    @property
    def words(self) -> str:
        """All text, as a reader sees it."""
        return re.sub(r"\s+", " ", " ".join(self.text))


def references(source: str) -> list[str]:
    """Everything in a page that could make a browser ask somebody for something."""
    page = Page(source)
    found = [f"<{tag} {name}={value}>" for tag, name, value in page.asked if not value.startswith("#")]
    found += [f"<{tag}>" for tag in page.tags if tag in ("script", "iframe", "object", "embed", "link", "base")]
    found += [f"{tag} {name}={value}" for tag, name, value in page.attributes if name.startswith("on")]
    styles = re.findall(r"<style>(.*?)</style>", source, re.DOTALL)
    styles += [value for _, name, value in page.attributes if name in ("style", "fill", "clip-path")]
    return found + [match[0] for style in styles for match in REFERENCE.finditer(style)]
