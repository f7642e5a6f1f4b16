"""The valid files that the fuzzer starts from, of every kind that Fracas reads, with the commands that read them."""

from __future__ import annotations

import copy
import json
import tempfile
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random  # noqa: TID251 - which files are tried is no result of a battle
from typing import Any

import fracas
from fracas.cluster.executors import open_executor
from fracas.envs.battles.single import BattleEnv
from fracas.files.toml_writer import toml_text
from fracas.lab.studies.sweep import axes_of, sweep
from fracas.replay.bundle_file import bundle_bytes, bundle_of
from fracas.rulesets import registry

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "src" / "fracas" / "data"
EXAMPLES = ROOT / "examples"
# More rows of a replay's log would only cost time; and the longest text of a small scenario.
MOST_EVENTS, SMALL = 600, 2_000

# The rulesets in whose battles agents decide.
AGENTS_DECIDE = ("squads", "delve", "stacks", "titans")

# Placeholders of a command: the file, its folder, a file to write, a share code, the root of the sources.
MAIN = "{main}"
CONTENT = ("validate {main}", "content lint {main}")
SCENARIO = (
    "validate {main} --strict",
    "content lint {main} --format json",
    "run {main} --format json --save {out}",
    "run {main} --detail all",
    "run {main} --detail decisions --format jsonl",
    "simulate {main} -n 2 --threads 1 --format json",
    "odds {main} --simulate -n 3 --format json",
    "lab explain {main} --unit 1.1 --format json",
)
# Only for small battles: plain rules take seconds for large ones.
LAB = (
    "lab matchups {main} {main} -n 2 --threads 1",
    "compare {main} --b-set seed=x -n 2 --threads 1",
    "lab sweep {main} options.round_cap=1,2 -n 2 --threads 1",
)
REPLAY = ("verify {main} --format json", "lab replay {main} --detail all", "validate {main}")
BUNDLE = ("verify {main} --format json", "publish pack {main} -o {out}", "validate {main}")
DUEL = ("verify {main} --format json", "lab replay {main}", "validate {main}", "duel --resume {main}")


@dataclass(frozen=True)
class Specimen:
    """A valid file: a document or bytes, with the files beside it and the commands that read it."""

    name: str
    main: Any
    commands: tuple[str, ...]
    beside: dict[str, bytes] = field(default_factory=dict)

    @property
    def is_document(self) -> bool:
        """Whether it has a structure that can be mutated."""
        return not isinstance(self.main, bytes)


def specimens(word: str = "") -> dict[str, list[Specimen]]:
    """All specimens by kind, limited to kinds with a word in their name."""
    makers: dict[str, Callable[[], Iterator[Specimen]]] = {
        "strategy": _strategies,
        "policy": _policies,
        "queue": partial(_files, EXAMPLES / "delve" / "queues", CONTENT),
        "campaign": partial(_of_campaigns, "campaign"),
        "world": partial(_of_campaigns, "world"),
        "roster": _rosters,
        "share code": _codes,
        "build by code": _builds,
        "trained policy": _trained,
        "episode": _episodes,
        "kept duel": _kept_duels,
        "study": _study,
        "saved result": _results,
    }
    for ruleset in registry.NAMES:
        makers |= {
            f"{ruleset} scenario": partial(_scenarios, ruleset),
            f"{ruleset} resolved": partial(_resolved, ruleset),
            f"{ruleset} replay": partial(_replays, ruleset),
            f"{ruleset} bundle": partial(_bundles, ruleset),
            f"{ruleset} content": partial(_files, DATA / ruleset, CONTENT),
            f"{ruleset} pack": partial(_files, DATA / ruleset, _of_pack(ruleset)),
        }
    return {kind: list(maker()) for kind, maker in makers.items() if word in kind}


def _documents(folder: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    for path in sorted(folder.glob("*.toml")):
        yield path, tomllib.loads(path.read_text())


def _files(folder: Path, commands: tuple[str, ...]) -> Iterator[Specimen]:
    """Each document of a folder."""
    for path, document in _documents(folder):
        if document:
            yield Specimen(path.name, document, commands)


def _around(path: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in path.parent.glob("*.toml") if each != path}


# Scenarios and files made from them.


def _smallest(ruleset: str) -> list[Path]:
    """A ruleset's scenarios, the smallest first."""
    paths = [path for path, document in _documents(EXAMPLES / ruleset) if "ruleset" in document]
    return sorted(paths, key=lambda path: (len(path.read_bytes()), path.name))


def _scenario(name: str, document: dict[str, Any]) -> Specimen:
    return Specimen(name, document, SCENARIO + (LAB if len(toml_text(document)) < SMALL else ()))


def _scenarios(ruleset: str) -> Iterator[Specimen]:
    for path in _smallest(ruleset):
        yield _scenario(path.name, tomllib.loads(path.read_text()))


def _resolved(ruleset: str) -> Iterator[Specimen]:
    for path in _smallest(ruleset)[:4]:
        yield _scenario(f"{path.stem}.json", copy.deepcopy(fracas.load(path).document))


def _of_pack(ruleset: str) -> tuple[str, ...]:
    smallest = _smallest(ruleset)[0].relative_to(ROOT)
    return ("validate {folder}", "content lint {folder}", f"run {{root}}/{smallest} --content {{folder}}")


def _replays(ruleset: str) -> Iterator[Specimen]:
    return islice(_short_replays(ruleset), 3)


def _short_replays(ruleset: str) -> Iterator[Specimen]:
    with tempfile.TemporaryDirectory() as folder:
        for path in _smallest(ruleset):
            battle = fracas.run(path)
            if len(battle.events) <= MOST_EVENTS:
                file = Path(folder) / "replay.json"
                battle.save(file)
                yield Specimen(f"{path.stem}.json", json.loads(file.read_bytes()), REPLAY)


def _bundles(ruleset: str) -> Iterator[Specimen]:
    for path in islice(_smallest(ruleset), 2):
        yield Specimen(f"{path.stem}.json", json.loads(bundle_bytes(bundle_of(fracas.run(path)))), BUNDLE)


# Parts of scenarios.


def _strategies() -> Iterator[Specimen]:
    compared = "compare {root}/examples/squads/standard-5v5.toml --part strategy={main} -n 2 --threads 1"
    for plan in tomllib.loads((DATA / "squads" / "strategies.toml").read_text())["strategies"]:
        bare = {key: value for key, value in plan.items() if key not in ("id", "note", "name", "level")}
        yield Specimen("plan.toml", bare, (*CONTENT, compared))


def _policies() -> Iterator[Specimen]:
    """Policies in files of their own, each with a duel that names it."""
    duel = (EXAMPLES / "titans" / "bastion-striker.toml").read_text().replace('"duelist"', '"policy.toml"')
    for policy in registry.get("titans").read_library(None, []).of("policies").values():
        document = {"rules": policy.model_dump(mode="json", exclude_none=True)["rules"]}
        commands = (*CONTENT, "run {folder}/battle.toml")
        yield Specimen("policy.toml", document, commands, {"battle.toml": duel.encode()})


def _trained() -> Iterator[Specimen]:
    """Trained policies, each with a battle that names it."""
    commands = (
        "run {folder}/battle.toml --format json --save {out}",
        "run {folder}/battle.toml --detail all",
        "simulate {folder}/battle.toml -n 2 --threads 1",
        "validate {folder}/battle.toml",
        "validate {main}",
    )
    for ruleset in AGENTS_DECIDE:
        battle = tomllib.loads(_smallest(ruleset)[0].read_text())
        if ruleset == "titans":
            battle["players"][0]["policy"] = "policy.json"
        elif ruleset == "squads":
            battle["sides"][0]["strategy"] = "policy.json"
        else:
            battle["policies"] = {"party" if ruleset == "delve" else "attackers": "policy.json"}
        policy = json.loads((EXAMPLES / "envs" / "policies" / f"{ruleset}.json").read_text())
        yield Specimen("policy.json", policy, commands, {"battle.toml": toml_text(battle).encode()})


def _episodes() -> Iterator[Specimen]:
    """Replays of battles in which agents chose at random, which hold their decisions."""
    with tempfile.TemporaryDirectory() as folder:
        for ruleset in AGENTS_DECIDE:
            env = BattleEnv(ruleset, _smallest(ruleset)[0])
            dice = Random(ruleset)
            seen, _ = env.reset(seed=1)
            over = False
            while not over:
                action = dice.choice([place for place, legal in enumerate(seen["action_mask"]) if legal])
                seen, _, over, *_ = env.step(action)
            file = Path(folder) / "replay.json"
            env.battle().save(file)
            yield Specimen(f"{ruleset}.json", json.loads(file.read_bytes()), (*REPLAY, "run {main} --format json"))


def _of_campaigns(kind: str) -> Iterator[Specimen]:
    """Campaigns, or their worlds; each with the others beside it."""
    every = dict(_documents(EXAMPLES / "stacks" / "campaigns"))
    campaigns = [path.name for path, document in every.items() if "ruleset" in document]
    for path, document in every.items():
        if kind == "campaign" and path.name in campaigns:
            yield Specimen(path.name, document, (*CONTENT, "world campaign {main} --format json"), _around(path))
        if kind == "world" and path.name not in campaigns:
            commands = (*CONTENT, *(f"world campaign {{folder}}/{name}" for name in campaigns))
            yield Specimen(path.name, document, commands, _around(path))


def _rosters() -> Iterator[Specimen]:
    for path, document in _documents(EXAMPLES / "squads" / "rosters"):
        if "entrants" in document:
            table = ("lab matchups {main} -n 2 --threads 1",) if len(document["entrants"]) in range(2, 5) else ()
            yield Specimen(path.name, document, (*CONTENT, *table), _around(path))


def _share_codes() -> list[str]:
    paths = sorted((EXAMPLES / "relics").glob("*.toml"))
    return [code for path in paths for code in fracas.share_codes(path).values() if code]


def _codes() -> Iterator[Specimen]:
    for code in _share_codes():
        yield Specimen("code.txt", code.encode(), ("publish share {text}", "publish share {text} --format json"))


def _builds() -> Iterator[Specimen]:
    duel = tomllib.loads((EXAMPLES / "relics" / "first-duel.toml").read_text())
    for code in _share_codes():
        yield Specimen("duel.toml", duel | {"left": {"code": code}}, (*CONTENT, "run {main}", "publish share {main}"))


# Files that programs keep.


def _kept_duels() -> Iterator[Specimen]:
    """A duel in progress, and a finished one."""
    document = copy.deepcopy(fracas.load(EXAMPLES / "titans" / "bastion-striker.toml").document)
    document["players"][0]["policy"] = None
    for rounds in (4, 200):
        session = fracas.DuelSession(copy.deepcopy(document), "5e" * 32)
        player = session.people[0]
        session.give_salt(player, "heads")
        while not session.is_over and session.round_number <= rounds:
            session.submit(player, "attack")
            session.resolve()
        yield Specimen("duel.json", session.as_json(), DUEL)


def _study() -> Iterator[Specimen]:
    """The checkpoint of an interrupted sweep, resumed with one of its files changed."""
    path = EXAMPLES / "squads" / "coin-toss.toml"
    scenario = fracas.load(path)

    def stop(done: int, _size: int, _what: str) -> None:
        if done:
            raise KeyboardInterrupt

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "study"
        with open_executor(1, None, None, resume=folder) as executor:
            axes = axes_of(["sides.0.units.0.attack=20,30"], scenario.document)
            executor.finish_study(sweep(scenario, axes, 20, threads=executor, steps=stop))
        files = {each.name: each.read_bytes() for each in sorted(folder.iterdir())}
    varied = f"lab sweep {{root}}/{path.relative_to(ROOT)} sides.0.units.0.attack=20,30 -n 20 --threads 1"
    for each, content in files.items():
        beside = {name: other for name, other in files.items() if name != each}
        yield Specimen(each, content, (f"{varied} --resume {{folder}}",), beside)


def _results() -> Iterator[Specimen]:
    coin = fracas.load(EXAMPLES / "squads" / "coin-toss.toml")
    heavy = fracas.load(EXAMPLES / "squads" / "coin-toss.toml", overrides={"sides.0.units.0.attack": 60})
    for result in (
        fracas.simulate(coin, n=32, threads=1),
        fracas.compare(coin, heavy, n=32, threads=1),
        fracas.sweep(coin, {"sides.0.units.0.attack": [20, 40]}, n=16, threads=1),
        fracas.sensitivity(coin, n=8, threads=1),
    ):
        document = json.loads(json.dumps(result.as_json()))
        if "timing" in document:
            # Durations differ between machines, and inputs must not.
            document["timing"] = {"seconds": 0.01, "battles_per_second": 3200.0, "threads": 1}
        yield Specimen("result.json", document, ("tell {main}",))
