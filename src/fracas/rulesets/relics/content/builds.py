"""Encode builds as share codes and decode them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fracas.content.references import to_plain
from fracas.errors import InputError, Problem
from fracas.rulesets.contract.types import BuildCode, Document, Source
from fracas.rulesets.relics.content.fighter_resolver import OF_A_BODY, OF_A_PIECE, Resolver
from fracas.rulesets.relics.content.library import library_for
from fracas.rulesets.relics.content.models.fighters import Worn
from fracas.rulesets.relics.content.models.items import FighterStats
from fracas.rulesets.relics.content.models.rule_options import StatCaps
from fracas.rulesets.relics.content.places import PLACES, SIDES, path_in, worn_in
from fracas.rulesets.relics.content.scenario_resolver import build_resolver, resolver_for
from fracas.rulesets.relics.content.share_codes import PREFIX as PREFIX
from fracas.rulesets.relics.content.share_codes import CodePiece, code_of, pieces_of_code
from fracas.rulesets.relics.rules.constants import TIERS


def build_codes(kind: str, document: Document, source: Source, folders: Sequence[Path]) -> list[BuildCode]:
    """The share codes of the builds in a scenario or a build file.

    Raises:
        InputError: the file is not valid.
    """
    if kind == "strategy":
        resolver, build = build_resolver(document, source, folders)
        return [_coded(resolver, "", str(document.get("name", source.stem)), build)]
    reader = resolver_for(document, source, folders)
    resolved = reader.resolve().document
    resolver = Resolver(
        source.where, reader.library, caps=StatCaps(**resolved["options"]["stat_caps"]), cap_mode="clamp"
    )
    found: list[BuildCode] = []
    for side in SIDES:
        written, name = getattr(reader.scenario, side), str(resolved[side]["name"])
        what = "an enemy" if written.enemy is not None else "a boss" if written.boss is not None else None
        if what is None:
            found.append(_coded(resolver, side, name, resolved[side]))
        else:
            message = f"is {what} of the content; a share code holds only what a fighter wears"
            found.append(BuildCode(side, name, None, Problem(resolver.where(side), message)))
    return found


def build_of_code(code: str, folders: Sequence[Path]) -> tuple[Document, str]:
    """Decode a share code into a build, as a document and as TOML text.

    Raises:
        InputError: the code is invalid or names an unknown item.
    """
    build = pieces_of_code(code, library_for(None, folders).of("items"))
    return build, build_text(build)


def _coded(resolver: Resolver, side: str, name: str, build: Document) -> BuildCode:
    try:
        return BuildCode(side, name, code_of(_pieces(resolver, side, build), resolver.items, resolver.where(side)))
    except InputError as error:
        return BuildCode(side, name, None, error.problems[0])


def _pieces(resolver: Resolver, side: str, build: Document) -> dict[str, list[CodePiece]]:
    """The pieces of a build for a code.

    Raises:
        InputError: the build has something that a code cannot hold.
    """
    lead = f"{side}." if side else ""
    own = [key for key in ("state", "phases", *OF_A_BODY) if build.get(key)]
    if build.get("stats", to_plain(FighterStats())) != to_plain(FighterStats()):
        own.append("stats")
    if build.get("sets", []) != resolver.sets(f"{lead}sets", build, []):
        own.append("sets")
    if own:
        message = f"has {own[0]} of its own; a share code holds only what a fighter wears"
        raise InputError.of(resolver.where(f"{lead}{own[0]}"), message)
    pieces: dict[str, list[CodePiece]] = {}
    for place in PLACES:
        entries = worn_in(build, place)
        for number, piece in enumerate(entries):
            if not _is_of_the_content(resolver, place, piece):
                message = f'"{piece["id"]}" is not as the content has it, and a share code has ids alone'
                raise InputError.of(resolver.where(f"{lead}{path_in(place, number)}"), message)
        pieces[place] = [CodePiece(piece["id"], piece["tier"]) for piece in entries]
    return pieces


def _is_of_the_content(resolver: Resolver, place: str, piece: Mapping[str, Any]) -> bool:
    if piece["id"] not in resolver.items:
        return False
    known = resolver.piece("", place, Worn(id=piece["id"])) or {}
    return all(known.get(key) == piece[key] for key in OF_A_PIECE)


def build_text(build: Document) -> str:
    """A build as the text of a TOML file."""
    lines = []
    for place in PLACES:
        pieces = build.get(place)
        if isinstance(pieces, list):
            lines += [f"{place} = [", *(f"  {_piece_text(piece)}," for piece in pieces), "]"]
        elif pieces is not None:
            lines.append(f"{place} = {_piece_text(pieces)}")
    return "\n".join(lines)


def _piece_text(piece: str | Mapping[str, str]) -> str:
    """A piece as TOML; ids and tiers need no escaping."""
    if isinstance(piece, str):
        return f'"{piece}"'
    tier = piece.get("tier", TIERS[0])
    return f'{{ id = "{piece["id"]}", tier = "{tier}" }}'
