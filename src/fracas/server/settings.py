"""Settings of the server: command-line options, else the environment (FRACAS_SERVER_*), else defaults."""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields, replace
from typing import Any
from urllib.parse import urlsplit

from fracas.errors import InputError, Problem
from fracas.errors.suggestions import listed, nearest

PREFIX = "FRACAS_SERVER_"
SERVICES = ("resolver", "arena", "tables", "pages")
SIGN_UP = ("open", "invite", "closed")


def _setting(default: Any, help: str, *, is_option: bool = True) -> Any:
    return field(default=default, metadata={"help": help, "is_option": is_option})


@dataclass(frozen=True, kw_only=True)
class Settings:
    """All settings, checked. Each field is one setting; its option is `--field-name`."""

    host: str = _setting("127.0.0.1", "Address to listen on. By default only this machine can connect.")
    port: int = _setting(8800, "Port to listen on; 0 means any free port.")
    database: str = _setting("fracas.db", "A SQLite file, or postgresql://name@host/database.")
    public_url: str = _setting("", "The URL that people type, such as https://fracas.example. Default: host and port.")
    services: tuple[str, ...] = _setting(SERVICES, "What to serve: resolver, arena, tables, pages.")
    sign_up: str = _setting("", "Who may register: open, invite or closed. Default: open on loopback, else invite.")
    trusted_proxy: tuple[str, ...] = _setting((), "Addresses or networks whose X-Forwarded-For is believed.")
    leagues: str = _setting("", "A folder of league files to serve instead of the shipped leagues.")
    secret_file: str = _setting("", "The key of the days' secrets. Default: fracas.secret beside the SQLite file.")
    games: tuple[str, ...] = _setting((), "Games of installed packages that may be played here, by their names.")
    budget: float = _setting(1.0, "Scale all budgets of battles and processor time; 0 means no limits.")
    expose_metrics: bool = _setting(False, "Answer /metrics and /docs to other machines too.")
    demo: bool = _setting(False, "Fill an empty database with bots and a season of battles.")
    processes: int = _setting(1, "How many processes share the database; divides the rate limits.")
    rate_limit: float = _setting(1.0, "Scale the limits of requests per second; 0 means no limits.", is_option=False)
    sockets_per_address: int = _setting(
        20, "Connections that one address may hold open; a class, ten times as many.", is_option=False
    )
    most_connections: int = _setting(1_000, "Requests served at a time; above, the answer is 503.", is_option=False)
    header_seconds: float = _setting(10.0, "Time for a request's head to arrive.", is_option=False)
    body_seconds: float = _setting(10.0, "Time for a request's body to arrive.", is_option=False)
    argon2_kib: int = _setting(19_456, "Memory of one password hash, in KiB.", is_option=False)
    argon2_passes: int = _setting(2, "Passes of one password hash.", is_option=False)

    @property
    def url(self) -> str:
        """The public URL without a slash at its end."""
        if self.public_url:
            return self.public_url.rstrip("/")
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"

    @property
    def is_https(self) -> bool:
        """Whether people reach the server by https."""
        return self.url.startswith("https://")

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can connect."""
        return _is_loopback(self.host)

    @property
    def is_secure_context(self) -> bool:
        """Whether browsers trust the connection: TLS, or a name of the visitor's own machine."""
        return self.is_https or _is_loopback(urlsplit(self.url).hostname or "")

    @property
    def who_may_register(self) -> str:
        """The setting `sign_up`, or what it defaults to."""
        return self.sign_up or ("open" if self.is_loopback else "invite")


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def option_of(name: str) -> str:
    """The command-line option of a setting: `public_url` is `--public-url`."""
    return "--" + name.replace("_", "-")


def read_settings(options: Mapping[str, Any], environment: Mapping[str, str] | None = None) -> Settings:
    """Make settings from the options that were given (None: not given) and the environment.

    Raises:
        InputError: everything that is wrong with them.
    """
    environment = os.environ if environment is None else environment
    problems: list[Problem] = []
    values: dict[str, Any] = {}
    known = {each.name: each for each in fields(Settings)}
    for variable, text in environment.items():
        if not variable.startswith(PREFIX):
            continue
        name = variable.removeprefix(PREFIX).lower()
        if name not in known:
            suggestion = nearest(variable, [PREFIX + each.upper() for each in known])
            problems.append(Problem(variable, "is not a setting", suggestion))
            continue
        try:
            values[name] = _parsed(known[name], text)
        except ValueError as error:
            problems.append(Problem(variable, str(error)))
    values |= {name: value for name, value in options.items() if value is not None}
    settings = replace(Settings(), **values)
    problems += _problems_of(settings)
    if problems:
        raise InputError(problems)
    return settings


def _parsed(setting: Field[Any], text: str) -> Any:
    kind: Any = type(setting.default)
    if kind is bool:
        words = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False, "": False}
        if text.lower() not in words:
            raise ValueError(f'"{text}" is neither true nor false')
        return words[text.lower()]
    if kind is tuple:
        return tuple(each.strip() for each in text.split(",") if each.strip())
    try:
        return kind(text)
    except ValueError:
        raise ValueError(f'"{text}" is not a number') from None


def _problems_of(settings: Settings) -> list[Problem]:
    problems = [
        Problem("--services", f'there is no service "{each}"', nearest(each, SERVICES) or f"write {listed(SERVICES)}")
        for each in settings.services
        if each not in SERVICES
    ]
    if not settings.services:
        problems.append(Problem("--services", "names nothing to serve", f"write one or more of {listed(SERVICES)}"))
    if settings.sign_up and settings.sign_up not in SIGN_UP:
        problems.append(Problem("--sign-up", f'"{settings.sign_up}" is not known', f"write {listed(SIGN_UP)}"))
    if not 0 <= settings.port <= 65_535:
        problems.append(Problem("--port", f"must be 0 to 65,535, not {settings.port}"))
    for each in settings.trusted_proxy:
        try:
            ipaddress.ip_network(each, strict=False)
        except ValueError:
            problems.append(Problem("--trusted-proxy", f'"{each}" is not an address or a network', "write 10.0.0.0/8"))
    url = urlsplit(settings.url)
    if not settings.public_url and settings.host in ("0.0.0.0", "::", ""):
        message = "is needed when --host is every address: the server answers only to names that it knows"
        problems.append(Problem("--public-url", message, "write the URL that people type, http://192.168.1.10:8800"))
    elif url.scheme not in ("http", "https") or not url.hostname or url.path or url.query or url.username:
        problems.append(
            Problem(
                "--public-url",
                f'"{settings.public_url}" is not the root of a web address',
                "write https://fracas.example",
            )
        )
    least: dict[str, float] = {
        "budget": 0,
        "rate_limit": 0,
        "processes": 1,
        "sockets_per_address": 1,
        "most_connections": 1,
    }
    least |= {"header_seconds": 0.1, "body_seconds": 0.1, "argon2_kib": 8, "argon2_passes": 1}
    for name, bound in least.items():
        value = getattr(settings, name)
        if not bound <= value < 1e9:
            problems.append(Problem(option_of(name), f"must be {bound} or more, not {value}"))
    return problems


def shown(settings: Settings) -> list[tuple[str, str, str]]:
    """All settings as rows: environment variable, value, description. The password in a database URL is hidden."""
    rows = []
    for each in fields(settings):
        value = getattr(settings, each.name)
        text = (
            ",".join(value)
            if isinstance(value, tuple)
            else str(value).lower()
            if isinstance(value, bool)
            else str(value)
        )
        if each.name == "database":
            text = without_password(text)
        rows.append((PREFIX + each.name.upper(), text, str(each.metadata["help"])))
    return rows


def without_password(url: str) -> str:
    """A database URL that may be printed: its password replaced by stars."""
    head, at, tail = url.rpartition("@")
    if not at or "://" not in head:
        return url
    scheme, _, name = head.partition("://")
    return f"{scheme}://{name.partition(':')[0]}{':***' if ':' in name else ''}@{tail}"
