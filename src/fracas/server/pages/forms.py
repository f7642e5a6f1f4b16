"""Read what a form sent: bounded fields of text. Origin and SameSite guard all forms (http/origins.py, D31)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl

from starlette.requests import Request

from fracas.errors import InputError, Problem
from fracas.files.read import parse_json, parse_toml, refuse_unfit
from fracas.server.http.bodies import FORM
from fracas.server.http.problems import ApiProblem

MOST_FIELDS = 30
DOCUMENT = "document"


class Fields(dict[str, str]):
    """The fields of a form; one that was not sent is empty."""

    def __missing__(self, name: str) -> str:
        return ""


async def fields_of(request: Request) -> Fields:
    """Read the fields of a request's form.

    Raises:
        ApiProblem: 415, it is not a form; 400, it cannot be read.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != FORM:
        raise ApiProblem("unsupported-media-type", f"A page's form is {FORM}; programs use /api/v1.")
    try:
        text = (await request.body()).decode("ascii")
        pairs = parse_qsl(text, keep_blank_values=True, errors="strict", max_num_fields=MOST_FIELDS)
    except ValueError:
        raise ApiProblem("invalid-request", "The form cannot be read.") from None
    return Fields(pairs)


def document_of(text: str) -> Mapping[str, Any]:
    """Read the text of an entry: JSON if it begins with a brace, else TOML.

    Raises:
        InputError: it is neither, or no table.
    """
    # Browsers send line ends as CR LF.
    text = text.replace("\r\n", "\n")
    is_json = text.lstrip().startswith("{")
    found = parse_json(text, DOCUMENT) if is_json else parse_toml(text, DOCUMENT)
    refuse_unfit(found, DOCUMENT)
    if not found:
        raise InputError([Problem(DOCUMENT, "is empty", "write an entry as TOML or JSON")])
    return dict(found)


def count_of(text: str, name: str) -> int:
    """A whole number that somebody typed.

    Raises:
        InputError: it is none.
    """
    digits = text.replace(",", "").strip()
    if not digits.isdecimal() or len(digits) > 9:
        raise InputError([Problem(name, "must be a whole number")])
    return int(digits)
