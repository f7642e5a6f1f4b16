"""The questions that a page may ask, by name; answers are plain values."""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from fracas.content.packs import examples_folder
from fracas.content.validate import shown
from fracas.engine.battle import Battle
from fracas.errors import InputError
from fracas.files.read import read_text
from fracas.rulesets import registry
from fracas.studio import answers, form
from fracas.studio.completion import completions
from fracas.studio.document_json import document_json
from fracas.studio.drafts import LARGEST_DRAFT, NAMELESS, Draft
from fracas.studio.file import StudioFile
from fracas.studio.jobs import Jobs
from fracas.studio.problems import problems_of

Asked = Mapping[str, Any]
Answer = dict[str, Any]

# Drafts whose battles a page may still open.
MOST_DRAFTS = 64
ODDS_SECONDS, STUDY_SECONDS = 30.0, 120.0
LONGEST_NAME = 80
LONGEST_CONDITION = 10_000
_NAMED_FILE = re.compile(r"""^[^#\n]*\.(?:toml|json)["']""", re.MULTILINE)


class Questions:
    """The studio behind its pages: the file, the drafts that were seen, the jobs that run."""

    def __init__(self, file: StudioFile | None, content: tuple[Path, ...] = (), site: str = "") -> None:
        self.file = file
        self.content = content
        self.site = site
        self.odds_seconds = ODDS_SECONDS
        """How long the odds of one version may tighten."""
        self.jobs = Jobs()
        self._drafts: OrderedDict[str, Draft] = OrderedDict()
        self._lock = threading.Lock()
        self.answered: Mapping[str, Callable[[Asked], Answer]] = {
            "document": self.document,
            "check": self.check,
            "form": lambda asked: {"sides": form.form_of(self.draft(asked))},
            "number": lambda asked: {"text": form.with_number(self.draft(asked), _path(asked), _number(asked))},
            "choice": lambda asked: {
                "text": form.with_choice(self.draft(asked), _path(asked), _whole(asked, "number"))
            },
            "value": lambda asked: {"text": form.with_plain_value(self.draft(asked), _path(asked), asked.get("value"))},
            "complete": lambda asked: completions(self.draft(asked), _whole(asked, "offset")),
            "compare": self.compare,
            "why": self.why,
            "numbers": self.numbers,
            "units": lambda asked: {"units": answers.units_of(self.draft(asked))},
            "moment": self.moment,
            "battles": lambda asked: {"battles": answers.battles_of(self.draft(asked))},
            "pack": lambda asked: {"bundle": answers.packed(self.draft(asked))},
            "save": self.save,
            "examples": self.examples,
            "example": self.example,
        }

    def draft(self, asked: Asked, key: str = "text") -> Draft:
        """The draft that a question is about.

        Raises:
            InputError: there is no text.
        """
        text = _text(asked, key)
        if asked.get("foreign") is True:
            name = _text(asked, "name") if "name" in asked else ""
            suffix = ".json" if name.endswith(".json") else ".toml"
            return Draft(text, f"{_plain(Path(name).stem) or NAMELESS}{suffix}", is_foreign=True)
        if self.file is None:
            return Draft(text, f"{NAMELESS}.toml", content=self.content)
        return Draft(text, self.file.path.name, self.file.folder, self.content)

    def document(self, asked: Asked) -> Answer:
        """The file as it is on disk: its name, text and mark; without a file a commented scenario to start from."""
        if self.file is None:
            text, mark = registry.get("squads").template(), None
        else:
            text, mark = self.file.read()
            text = text or ("" if self.file.path.suffix == ".json" else registry.get("squads").template())
        return {
            "name": f"{NAMELESS}.toml" if self.file is None else self.file.path.name,
            "text": text,
            "seen": mark,
            "can_save": self.file is not None,
            "site": self.site,
        }

    def check(self, asked: Asked) -> Answer:
        """The problems of a draft, and the key of its battles if it plays."""
        draft = self.draft(asked)
        problems = problems_of(draft)
        if any(problem["severity"] == "error" for problem in problems):
            return {"problems": problems, "key": None}
        scenario = draft.scenario
        with self._lock:
            self._drafts[draft.key] = draft
            self._drafts.move_to_end(draft.key)
            while len(self._drafts) > MOST_DRAFTS:
                self._drafts.popitem(last=False)
        return {
            "problems": problems,
            "key": draft.key,
            "ruleset": scenario.ruleset.name,
            "names": list(scenario.ruleset.side_names(scenario.document)),
            "has_conditions": bool(scenario.ruleset.vocabulary.facts),
            "first_round": scenario.ruleset.tick_labels(scenario.document).first_round,
        }

    def odds(self, asked: Asked) -> Iterator[Answer]:
        """The odds of a draft as they tighten."""
        draft = self.draft(asked)
        with self.jobs.job(f"odds {_page(asked)}", self.odds_seconds) as job:
            yield from answers.odds(draft, job)

    def compare(self, asked: Asked) -> Answer:
        """A draft with an earlier version of it."""
        with self.jobs.job(f"compare {_page(asked)}", STUDY_SECONDS) as job:
            before, label = self.draft(asked, "before"), _text(asked, "label")[:LONGEST_NAME]
            return document_json(answers.compared(before, self.draft(asked), _side(asked), job, label))

    def why(self, asked: Asked) -> Answer:
        """Explain one battle of a draft."""
        with self.jobs.job(f"why {_page(asked)}", STUDY_SECONDS) as job:
            return document_json(answers.explained(self.draft(asked), _whole(asked, "stream"), job))

    def numbers(self, asked: Asked) -> Answer:
        """What one more of each number of a side is worth."""
        with self.jobs.job(f"numbers {_page(asked)}", STUDY_SECONDS) as job:
            return document_json(answers.worth_of_numbers(self.draft(asked), _side(asked), job))

    def moment(self, asked: Asked) -> Answer:
        """A condition at a moment of a battle."""
        condition, state = _text(asked, "condition"), asked.get("state", [])
        if len(condition) > LONGEST_CONDITION:
            raise InputError.of("condition", f"is longer than {LONGEST_CONDITION:,} characters")
        if not isinstance(state, list) or not all(isinstance(each, str) for each in state):
            raise InputError.of("state", "is not a list of changes such as units.1.scout.hp=20")
        return answers.at_a_moment(
            self.draft(asked), _text(asked, "unit"), condition, _text(asked, "round"), _whole(asked, "stream"), state
        )

    def save(self, asked: Asked) -> Answer:
        """Write the file."""
        if self.file is None:
            raise InputError.of("save", "the studio was started without a file", "download it, or name a file")
        seen = asked.get("seen")
        return {"seen": self.file.save(_text(asked, "text"), seen if isinstance(seen, str) else None)}

    def examples(self, asked: Asked) -> Answer:
        """What you can start from: a commented scenario of each ruleset, and the shipped examples."""
        folder = examples_folder()
        return {
            "rulesets": [
                {
                    "name": name,
                    "title": registry.get(name).title,
                    "summary": registry.get(name).summary,
                    "examples": sorted(file.stem for file in (folder / name).glob("*.toml") if _is_alone(file)),
                }
                for name in registry.loaded()
            ]
        }

    def example(self, asked: Asked) -> Answer:
        """The text of a ruleset's commented scenario, or of one of its examples."""
        ruleset = registry.get(_text(asked, "ruleset"))
        name = asked.get("example")
        if name is None:
            return {"text": ruleset.template()}
        known = {file.stem: file for file in (examples_folder() / ruleset.name).glob("*.toml")}
        if name not in known:
            raise InputError.of("example", f"there is no example {shown(name)}")
        return {"text": read_text(known[name], LARGEST_DRAFT)}

    def battle(self, key: str, stream: int) -> Battle | None:
        """A battle of a draft that was checked; None if the studio no longer has this draft."""
        with self._lock:
            draft = self._drafts.get(key)
        return None if draft is None else answers.battle_of(draft, stream)


def _is_alone(file: Path) -> bool:
    """Whether an example names no other files, which the user's folder would not have."""
    return not _NAMED_FILE.search(read_text(file, LARGEST_DRAFT))


def _text(asked: Asked, key: str) -> str:
    value = asked.get(key)
    if not isinstance(value, str):
        raise InputError.of(key, f"{shown(value)} is not a text")
    return value


def _whole(asked: Asked, key: str) -> int:
    value = asked.get(key)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise InputError.of(key, f"{shown(value)} is not a number from 0 on")
    return value


def _number(asked: Asked) -> float:
    value = asked.get("value")
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError.of("value", f"{shown(value)} is not a number")
    return value


def _side(asked: Asked) -> int:
    value = asked.get("side")
    if value not in (1, 2):
        raise InputError.of("side", f"{shown(value)} is neither 1 nor 2")
    return int(value)


def _path(asked: Asked) -> list[str]:
    value = asked.get("path")
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise InputError.of("path", f"{shown(value)} is not a list of keys")
    return value


def _page(asked: Asked) -> str:
    """The page that asks: two pages do not stop each other's jobs."""
    value = asked.get("page")
    return value[:LONGEST_NAME] if isinstance(value, str) else ""


def _plain(name: str) -> str:
    return "".join(letter for letter in name if letter.isprintable() and letter not in '/\\:"')[:LONGEST_NAME]
