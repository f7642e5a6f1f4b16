"""`merge`: combine the separately simulated parts of a run into the same bytes as one run over all battles."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any

import msgspec

from fracas.content.validate import shown
from fracas.engine.scenario import Scenario, load_scenario
from fracas.errors import InputError, Problem
from fracas.errors.suggestions import listed
from fracas.files.atomic_write import is_full, writable_path, write_error
from fracas.lab.execution.tally import OUTCOMES, SIDES, Tally
from fracas.lab.simulation.contributions import DEFAULT_LOGGED, MOST_LOGGED
from fracas.lab.simulation.first_battles import with_contributions
from fracas.lab.simulation.results import Results, results_of
from fracas.lab.simulation.simulate import MOST_BATTLES
from fracas.lab.simulation.summary_file import asked_json, summary_json, summary_of, write_summary
from fracas.lab.store.parquet import ROWS_OF_A_GROUP, check_table_library, sink_table, table_metadata
from fracas.lab.store.run_checkpoint import run_inputs
from fracas.rulesets.contract.measures import Spread, Sums

# A summary has a few kilobytes, and more only if its document is large.
MOST_BYTES = 1 << 26
MOST_PARTS = 10_000
# These must be equal in all parts; the values are the words of messages.
_SAME = {
    "ruleset": "ruleset",
    "rules_version": "rules version",
    "scenario": "scenario",
    "content_fingerprint": "content of the scenario",
    "seed": "seed",
    "profile": "profile",
    "plugins": "plug-ins",
    "document": "document",
}
# Only summaries of games have it.
_RULES = {"rules": "rules of the game"}


class _Contributions(msgspec.Struct):
    """The part of a summary that says what units did."""

    battles: Annotated[int, msgspec.Meta(ge=1)]


class _Asked(msgspec.Struct):
    """The part of a summary that says what was asked for."""

    contributions: Annotated[int, msgspec.Meta(ge=1, le=MOST_LOGGED)] = DEFAULT_LOGGED


@dataclass(frozen=True)
class RunPart:
    """A part of a run: its files and its summary."""

    path: Path
    summary: dict[str, Any]
    tally: Tally
    battles: range


def merge(paths: Sequence[Path], out: Path, *, plugins: Sequence[Path] = (), content: Sequence[Path] = ()) -> Results:
    """Merge parts of a run that `simulate` wrote with `--start`, and write what a single run would have written.

    The parts are summaries, or tables with their summaries beside them, in any order. Together they must be consecutive
    battles. If `out` is a table, all parts must be tables.

    Raises:
        InputError: files that cannot be read or are not parts, parts of different runs, gaps, overlaps, or a path that
            cannot be written.
    """
    summary = summary_of(out)
    is_table = summary != out
    if is_table:
        check_table_library()
        if out.suffix.lower() != ".parquet":
            raise InputError.of(str(out), "must end in .parquet or .json")
        writable_path(out)
    writable_path(summary)
    parts = _read(paths, is_table)
    scenario = _scenario_of(parts[0], plugins, content)
    _refuse_gaps(parts)
    tally = Tally(sums=Sums(scenario.ruleset.measures(scenario.compiled, scenario.document)))
    for part in parts:
        tally.merge(part.tally)
    is_certain = all(part.summary["deterministic"] for part in parts)
    results = results_of(scenario, tally, deterministic=is_certain, start=parts[0].battles.start)
    document = _document(results, parts)
    if is_table:
        write_table(out, parts, scenario, document["asked"])
    write_summary(summary, document)
    return results


def _read(paths: Sequence[Path], with_tables: bool) -> list[RunPart]:
    """All parts in the order of their battles.

    Raises:
        InputError: what is wrong with any of them.
    """
    if len(paths) < 2 or len(paths) > MOST_PARTS:
        raise InputError.of("merge", f"takes 2 to {MOST_PARTS:,} parts, not {len(paths):,}")
    problems: list[Problem] = []
    parts: list[RunPart] = []
    for path in paths:
        try:
            parts.append(read_part(path, with_tables))
        except InputError as error:
            problems += error.problems
    for part in parts[1:]:
        problems += _differences(parts[0], part)
    if problems:
        raise InputError(problems)
    return sorted(parts, key=lambda part: part.battles.start)


def read_part(path: Path, with_tables: bool) -> RunPart:
    """A finished part of a run, checked.

    Raises:
        InputError: it cannot be read, or is not such a part.
    """
    file = summary_of(path)
    if with_tables and file == path:
        raise InputError.of(str(path), "is a summary, but the output is a table", "name the parts' tables")
    try:
        if file.stat().st_size > MOST_BYTES:
            raise InputError.of(str(file), f"is larger than {MOST_BYTES >> 20} MiB, so it is not a summary")
        summary = msgspec.json.decode(file.read_bytes(), type=dict[str, Any])
    except OSError as error:
        raise InputError.of(str(file), f"cannot be read: {error.strerror or error}") from None
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise InputError.of(str(file), "is not a summary of a simulation") from None
    return _checked(path, file, summary)


def _checked(path: Path, file: Path, summary: dict[str, Any]) -> RunPart:
    where = str(file)
    if summary.get("command") != "simulate" or not isinstance(summary.get("asked"), dict):
        raise InputError.of(where, "is not a summary of a simulation", "name a file that simulate wrote with --out")
    if summary.get("sums") is None:
        raise InputError.of(where, "has no sums, which older versions did not write", "simulate this part again")
    if summary.get("interrupted"):
        raise InputError.of(where, "was interrupted, so battles are missing", "finish it with --resume first")
    if summary["asked"].get("precision") is not None:
        raise InputError.of(
            where, "was played to a precision, so it cannot be part of a larger run", "use -n and --start"
        )
    missing = [key for key in (*_SAME, "deterministic") if key not in summary]
    if missing:
        raise InputError.of(where, f"has no {listed(missing)}")
    try:
        tally = msgspec.convert(summary["sums"], Tally, strict=False)
        _check_tally(tally, summary)
        msgspec.convert([summary.get("contributions"), summary["asked"]], tuple[_Contributions | None, _Asked])
    except (msgspec.MsgspecError, ValueError, TypeError, KeyError):
        raise InputError.of(where, "its sums are damaged", "simulate this part again") from None
    start = summary.get("start", 0)
    if type(start) is not int or not 0 <= start < MOST_BATTLES:
        raise InputError.of(where, f"begins with battle {shown(start)}")
    return RunPart(path, summary, tally, range(start, start + tally.battles))


def _check_tally(tally: Tally, summary: dict[str, Any]) -> None:
    """Check that the sums agree with the rest of the summary.

    Raises:
        ValueError: they do not agree.
    """
    if not 0 < tally.battles <= MOST_BATTLES or len(tally.winners) != OUTCOMES or len(tally.hp_left) != SIDES:
        raise ValueError("no battles")
    if [*tally.winners[1:], tally.winners[0]] != [*summary["wins"], summary["draws"]]:
        raise ValueError("other winners")
    spreads: list[Spread] = [tally.lengths, *tally.hp_left]
    if sum(tally.winners) != tally.battles or any(spread.battles != tally.battles for spread in spreads):
        raise ValueError("other battles")


def _differences(first: RunPart, other: RunPart) -> Iterable[Problem]:
    for key, word in (_SAME | _RULES).items():
        if first.summary.get(key) != other.summary.get(key):
            message = f"belongs to another run than {first.path}: the {word} differs"
            yield Problem(str(other.path), message, "merge parts of one run only")
            return


def _refuse_gaps(parts: Sequence[RunPart]) -> None:
    """Check that the parts are consecutive.

    Raises:
        InputError: battles are missing or occur twice.
    """
    problems = []
    for part, following in pairwise(parts):
        end, start = part.battles.stop, following.battles.start
        if start != end:
            said = (
                f"battles {end:,} to {start - 1:,} are missing" if start > end else f"battle {start:,} is in two parts"
            )
            hint = f"simulate them with --start {end} -n {start - end}" if start > end else "leave one part out"
            problems.append(Problem(f"{part.path}, {following.path}", said, hint))
    if problems:
        raise InputError(problems)


def _scenario_of(part: RunPart, plugins: Sequence[Path], content: Sequence[Path]) -> Scenario:
    """The scenario of a part, from its summary.

    Raises:
        InputError: it is invalid here, or this program has other rules, content or plug-ins.
    """
    summary, where = part.summary, str(summary_of(part.path))
    if not isinstance(summary["document"], dict) or not isinstance(summary["seed"], str):
        raise InputError.of(where, "is not a summary of a simulation")
    scenario = load_scenario(summary["document"], plugins=plugins, content=content).with_seed(summary["seed"])
    here = run_inputs(scenario)
    for key, value in here.items():
        if value != summary.get(key):
            hint = "name its files with --plugin" if key == "plugins" else "merge with the version that played it"
            raise InputError.of(where, f"the {(_SAME | _RULES)[key]} differs from this program's", hint)
    return scenario


def _document(results: Results, parts: Sequence[RunPart]) -> dict[str, Any]:
    """The summary of the whole run. Contributions come from the first part, which has the first battles.

    A single run would have used more battles than a first part that used all of its own: they are played again.
    """
    first = parts[0].summary
    asked = asked_json(results.battles, None, results.start, first["asked"].get("contributions"))
    contributions = first.get("contributions")
    if contributions is not None and contributions["battles"] == len(parts[0].battles) < results.battles:
        results = with_contributions(results, first["asked"].get("contributions", DEFAULT_LOGGED))
        contributions = None
    # The document as the parts have it: resolving it again would only change the order of its keys.
    whole = summary_json(results, asked) | {"document": first["document"]}
    if contributions is None:
        return whole
    before = list(whole).index("fracas")
    entries = list(whole.items())
    return dict([*entries[:before], ("contributions", contributions), *entries[before:]])


def write_table(out: Path, parts: Sequence[RunPart], scenario: Scenario, asked: dict[str, Any]) -> None:
    """Write the rows of all parts as one table.

    Raises:
        InputError: a table does not match its summary, or cannot be written.
    """
    import polars

    target = writable_path(out)
    for part in parts:
        _check_table(part, scenario)
    tables = [polars.scan_parquet(part.path, glob=False) for part in parts]
    schema = tables[0].collect_schema()

    def groups() -> Iterator[Any]:
        waiting = polars.DataFrame(schema=schema)
        for table, part in zip(tables, parts, strict=True):
            for first in range(0, len(part.battles), ROWS_OF_A_GROUP):
                waiting = polars.concat([waiting, table.slice(first, ROWS_OF_A_GROUP).collect()], rechunk=True)
                while len(waiting) >= ROWS_OF_A_GROUP:
                    yield waiting[:ROWS_OF_A_GROUP].rechunk()
                    waiting = waiting[ROWS_OF_A_GROUP:]
        if len(waiting):
            yield waiting.rechunk()

    with tempfile.TemporaryDirectory(prefix=".fracas-", dir=target.parent) as folder:
        whole = Path(folder) / "whole.parquet"
        try:
            sink_table(whole, groups, schema, table_metadata(scenario, asked))
            whole.replace(target)
        except Exception as error:
            if isinstance(error, OSError) or is_full(error):
                raise write_error(out, error) from None
            raise


def _check_table(part: RunPart, scenario: Scenario) -> None:
    import polars

    where = str(part.path)
    try:
        about = polars.read_parquet_metadata(part.path)
        ends = polars.scan_parquet(part.path, glob=False).select(
            polars.col("index").first().alias("first"),
            polars.col("index").last().alias("last"),
            polars.len().alias("rows"),
        )
        first, last, rows = ends.collect().row(0)
    except (OSError, polars.exceptions.PolarsError) as error:
        raise InputError.of(where, f"cannot be read as a table: {str(error).splitlines()[0]}") from None
    expected = table_metadata(scenario, part.summary["asked"])
    if any(about.get(key) != value for key, value in expected.items() if key != "fracas.version"):
        raise InputError.of(where, "is not the table of its summary")
    if (first, last, rows) != (part.battles.start, part.battles.stop - 1, len(part.battles)):
        raise InputError.of(where, f"has other battles than its summary: {rows:,} rows, not {len(part.battles):,}")
