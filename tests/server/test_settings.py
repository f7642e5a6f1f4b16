"""Settings: options before the environment before defaults, all problems at once, no password shown."""

from __future__ import annotations

import pytest

from fracas.errors import InputError
from fracas.server.http.origins import allowed
from fracas.server.settings import Settings, option_of, read_settings, shown, without_password


def test_options_win_over_the_environment():
    environment = {"FRACAS_SERVER_PORT": "9000", "FRACAS_SERVER_SERVICES": "resolver, arena", "OTHER": "x"}
    found = read_settings({"port": 9001, "host": None}, environment)
    assert (found.port, found.services, found.host) == (9001, ("resolver", "arena"), "127.0.0.1")


@pytest.mark.parametrize(("text", "value"), [("1", True), ("yes", True), ("TRUE", True), ("0", False), ("", False)])
def test_switches(text, value):
    assert read_settings({}, {"FRACAS_SERVER_DEMO": text}).demo is value


def test_all_problems_come_at_once():
    environment = {"FRACAS_SERVER_PROT": "1", "FRACAS_SERVER_BUDGET": "much", "FRACAS_SERVER_DEMO": "perhaps"}
    options = {"port": 70_000, "services": ("arenas",), "sign_up": "all", "trusted_proxy": ("proxy",)}
    options |= {"public_url": "fracas.example", "processes": 0}
    with pytest.raises(InputError) as caught:
        read_settings(options, environment)
    problems = {problem.where: problem for problem in caught.value.problems}
    assert set(problems) == {
        "FRACAS_SERVER_PROT", "FRACAS_SERVER_BUDGET", "FRACAS_SERVER_DEMO", "--port", "--services", "--sign-up",
        "--trusted-proxy", "--public-url", "--processes",
    }  # fmt: skip
    assert "FRACAS_SERVER_PORT" in str(problems["FRACAS_SERVER_PROT"])
    assert "arena" in str(problems["--services"])


@pytest.mark.parametrize("url", ["ftp://x", "https://", "https://x/path", "https://a@x", "https://x?y"])
def test_public_urls_are_roots(url):
    with pytest.raises(InputError, match="is not the root of a web address"):
        read_settings({"public_url": url}, {})


def test_every_address_needs_a_public_url():
    with pytest.raises(InputError, match="is needed when --host is every address"):
        read_settings({"host": "0.0.0.0"}, {})
    assert read_settings({"host": "0.0.0.0", "public_url": "http://192.168.1.10:8800"}, {}).host == "0.0.0.0"


def test_the_names_that_a_server_answers_to():
    hosts, origins = allowed(Settings(host="192.168.1.10", public_url="https://fracas.example"))
    assert {"fracas.example", "localhost:8800", "192.168.1.10:8800"} <= hosts
    assert "https://fracas.example" in origins
    assert "http://fracas.example" not in hosts
    assert "https://evil.example" not in origins


def test_no_password_is_shown():
    rows = {name: value for name, value, _ in shown(Settings(database="postgresql://ann:se@cret@db/x"))}
    assert rows["FRACAS_SERVER_DATABASE"] == "postgresql://ann:***@db/x"
    assert without_password("postgresql://ann@db/x") == "postgresql://ann@db/x"
    assert without_password("a@b.db") == "a@b.db"


def test_options_are_named_as_settings():
    assert option_of("public_url") == "--public-url"
    assert all(help.endswith(".") for _, _, help in shown(Settings()))
