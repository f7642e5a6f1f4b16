"""Fill templates. Everything that comes from people is text: the templates escape by themselves."""

from __future__ import annotations

import re
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from fracas.files.toml_writer import toml_text
from fracas.server.http.authorisation import Principal
from fracas.server.http.context import principal_of
from fracas.server.http.middleware import PAGE_POLICY
from fracas.server.http.problems import ApiProblem
from fracas.server.ids import random_id
from fracas.server.pages.assets import module_address
from fracas.server_models.answer import Page
from fracas.server_models.arena import League

_FOLDER = Path(__file__).parent / "templates"
_SIGN_IN = "sign_in.html"


_META_POLICY = re.compile(r'http-equiv="Content-Security-Policy" content="([^"]+)"')
# Whoever comes from one of these goes to the start page afterwards.
_PLACES_TO_ENTER = frozenset({"/", "/sign-in", "/register", "/recover"})


class Editor(NamedTuple):
    """What the studio on a page edits."""

    league: str
    module: str
    """The address of the rules' module; empty if there is none."""
    draft: str
    """What it is a draft of, on a device that several people may use."""
    entry: str
    """The entry of which it is a new version; empty for a new one."""
    seen: int
    """The version that the text on the page is; 0 for a new entry."""
    nonce: str
    """The styles that CodeMirror adds carry it."""

    @classmethod
    def of(cls, request: Request, league: League, draft: str, entry: str = "", seen: int = 0) -> Editor:
        """The editor of an entry of a league."""
        whom = principal_of(request).handle
        return cls(league.id, module_address(league.ruleset), f"{draft} {whom}", entry, seen, random_id())

    @property
    def policy(self) -> str:
        """The policy of a page with an editor: it also compiles the rules, starts workers of its text, adds styles."""
        return PAGE_POLICY.replace(
            "script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'; worker-src blob:"
        ).replace("style-src 'self'", f"style-src 'self' 'nonce-{self.nonce}'")


def page(
    request: Request,
    template: str,
    status: int = 200,
    *,
    problem: ApiProblem | None = None,
    editor: Editor | None = None,
    **values: Any,
) -> HTMLResponse:
    """A page. Templates know the caller as `me`, the services that are on, and the path of the request.

    A page that shows a problem has the status of the problem.
    """
    me = getattr(request.state, "principal", None) or Principal()
    settings = request.app.state.settings
    text = (
        _environment()
        .get_template(template)
        .render(
            me=me,
            services=settings.services,
            sign_up=settings.who_may_register,
            path=request.url.path,
            places_to_enter=_PLACES_TO_ENTER,
            url=settings.url,
            problem=problem,
            editor=editor,
            **values,
        )
    )
    status = status if problem is None else problem.kind.status
    # A page shows who is signed in, so no shared cache may keep it.
    headers = {"Cache-Control": "private, no-store"}
    if editor is not None:
        headers["Content-Security-Policy"] = editor.policy
    return HTMLResponse(text, status, headers=headers)


def player_page(text: str, framed_by: str = "'none'") -> HTMLResponse:
    """A page with a player in it, and who may frame it.

    It names the hashes of its own script and style; the policy of the other pages would refuse both.
    """
    policy = _META_POLICY.search(text)
    if policy is None:
        raise ApiProblem("fault", "The player has no policy.")
    headers = {
        "Content-Security-Policy": f"{policy[1]}; frame-ancestors {framed_by}",
        "Cache-Control": "private, no-store",
    }
    return HTMLResponse(text, headers=headers)


def problem_page(request: Request, problem: ApiProblem) -> Response:
    """The page of an error; whoever has to sign in first gets the form for it."""
    if problem.kind.name == "signed-out":
        came_from = request.url.path if request.method == "GET" else "/"
        response = page(request, _SIGN_IN, problem=problem, handle="", came_from=came_from)
    else:
        request_id = request.scope.get("fracas.request_id")
        response = page(request, "problem.html", problem=problem, request_id=request_id)
    response.headers.update(problem.headers)
    return response


def go(path: str) -> RedirectResponse:
    """Send a browser on after a form was accepted."""
    return RedirectResponse(path, 303)


def following(answer_page: Page[Any], path: str) -> str | None:
    """The address of the page after this one; None on the last."""
    after = answer_page.links.get("next")
    return None if after is None else f"{path}?{after.partition('?')[2]}"


def local_path(text: str) -> str:
    """A path of this server, for going on after signing in; anything else becomes the start page."""
    is_local = text.startswith("/") and not text.startswith("//") and text.isprintable() and "\\" not in text
    return text if is_local else "/"


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.filters |= {
        "when": moment_in_words,
        "day": day_in_words,
        "words": _words,
        "short": _short,
        "points": _points,
    }
    environment.filters["pretty"] = _pretty
    return environment


def moment_in_words(iso: str | None) -> str:
    """`2026-11-22T10:30:00.000Z` as `2026-11-22 10:30 UTC`."""
    return "never" if iso is None else f"{iso[:10]} {iso[11:16]} UTC"


def day_in_words(iso: str | None) -> str:
    """A time's day in words: `22 November 2026`."""
    if iso is None:
        return "never"
    day = date.fromisoformat(iso[:10])
    return f"{day.day} {day:%B %Y}"


def _words(name: str | None) -> str:
    """An identifier as words: `heavy_armor` is `heavy armor`."""
    return (name or "none").replace("_", " ").replace("-", " ")


def _short(digest: str | None) -> str:
    """The beginning of a digest, enough to compare by eye."""
    return "" if digest is None else digest[:12]


def _points(halves: int) -> str:
    """A score in halves as points: 3 is `1½`."""
    whole, half = divmod(halves, 2)
    return (str(whole) if whole or not half else "") + ("½" if half else "")


def _pretty(document: Any) -> str:
    """A document as TOML, as the editor begins with it."""
    return toml_text(document)
