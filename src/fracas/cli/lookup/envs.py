"""`fracas agents envs`: environments for agents that learn."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from fracas.cli.shared.exit_status import DONE
from fracas.cli.shared.output import columns, notice, print_json, say
from fracas.cli.shared.parameters import Format


def envs(
    ruleset: Annotated[str | None, Parameter(help="A ruleset or a game; absent: all that have one.")] = None,
    /,
    *,
    format: Format = "text",
) -> int:
    """List the environments for agents that learn: ids, who decides, spaces, memory for each environment of a batch.

    Of a game of your own it also names the observation hash: policies that were trained with another one do not fit.

    They need the extra `envs`; this list says whether it is installed.

    Try:

        fracas agents envs
        fracas agents envs titans --format json
        fracas agents envs roshambo --game examples/games/roshambo/roshambo.py
    """
    from fracas.envs.descriptions import INSTALL, describe, missing_libraries, versions_of
    from fracas.envs.names import DRAFTED, ENVIRONMENTS
    from fracas.rulesets import registry

    games = [name for name in registry.loaded() if registry.get(name).rules_hash]
    known = (*ENVIRONMENTS, *(name for name in games if registry.get(name).agents is not None))
    named = [ruleset] if ruleset is not None else known
    found = [describe(name, version) for name in named for version in versions_of(name)]
    missing = missing_libraries()
    if format == "json":
        extra = {"missing": missing, "install": INSTALL if missing else None}
        print_json({"environments": [one.as_json() for one in found], "extra": extra})
        return DONE
    header = ("id", "sides decide", "observation", "actions", "kB each")
    rows = [
        (
            one.id,
            _decision_time(one.ruleset in DRAFTED, one.simultaneous),
            f"{len(one.features):,}",
            f"{one.actions:,}",
            f"{one.bytes_per_environment / 1000:,.1f}",
        )
        for one in found
    ]
    say(*columns([header, *rows], right=(2, 3, 4)))
    if ruleset is not None:
        one = found[-1]
        both = [f"Both sides: {each.for_both}" for each in found if each.for_both]
        say("", one.terms.decides, *both, "", "actions:")
        say(*columns([("", *row) for row in one.terms.actions]))
        say("", f"Not seen: {one.terms.hidden}")
        if one.observation_hash:
            say(f"Observation: {one.observation_hash}")
    if missing:
        notice(f"not installed: {', '.join(missing)}; {INSTALL}")
    return DONE


def _decision_time(is_draft: bool, is_simultaneous: bool) -> str:
    if is_draft:
        return "in a draft"
    return "at once" if is_simultaneous else "in turns"
