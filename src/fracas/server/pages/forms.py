"""Forms: the bounded fields of text that one sent, and the page that shows it again with what was refused.

Origin and SameSite guard all forms (http/origins.py, D31).
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Annotated, Any
from urllib.parse import parse_qsl

from fastapi import Depends, Request, Response
from pydantic import ValidationError

from fracas.errors import InputError, Problem
from fracas.files.read import parse_json, parse_toml, refuse_unfit
from fracas.server.http.bodies import FORM
from fracas.server.http.problems import ApiProblem, of_input_error, validation_problems

Handler = Callable[..., Awaitable[Response]]

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


Form = Annotated[Fields, Depends(fields_of)]
"""The parameter of a route that takes a form."""


def on_refusal(show: Handler) -> Callable[[Handler], Handler]:
    """What a form asks for may be refused: then its page is shown again, with the problem and the fields.

    `show(request, problem=…, fields=…)` makes that page; it also gets the parts of the path.
    """

    def around(work: Handler) -> Handler:
        @wraps(work)
        async def run(request: Request, fields: Fields, **path: str) -> Response:
            try:
                return await work(request, fields=fields, **path)
            except ApiProblem as error:
                problem = error
            except InputError as error:
                problem = of_input_error(error)
            except ValidationError as error:
                problems = validation_problems(error.errors())
                problem = ApiProblem("invalid-input", "This cannot be accepted.", problems=problems)
            return await show(request, problem=problem, fields=fields, **path)

        return run

    return around


def values_of(answer: Response) -> dict[str, Any]:
    """What a route of the interface answered, as plain values."""
    document: dict[str, Any] = json.loads(bytes(answer.body))
    return document


def document_of(text: str) -> dict[str, Any]:
    """Read the text of an entry: JSON if it begins with a brace, else TOML.

    Raises:
        InputError: it is neither, or no table.
    """
    # Browsers send line ends as CR LF.
    text = text.replace("\r\n", "\n")
    is_json = text.lstrip().startswith("{")
    document = parse_json(text, DOCUMENT) if is_json else parse_toml(text, DOCUMENT)
    refuse_unfit(document, DOCUMENT)
    if not document:
        raise InputError([Problem(DOCUMENT, "is empty", "write an entry as TOML or JSON")])
    return dict(document)


def count_of(text: str, name: str) -> int:
    """A whole number that somebody typed.

    Raises:
        InputError: it is none.
    """
    digits = text.replace(",", "").strip()
    if not digits.isdecimal() or len(digits) > 9:
        raise InputError([Problem(name, "must be a whole number")])
    return int(digits)
