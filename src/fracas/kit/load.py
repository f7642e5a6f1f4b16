"""Find games that live outside this package, and load the one that is asked for.

Only you name code: with `fracas.use("pets.py")`, `--game pets.py` and the variable FRACAS_GAMES, or by installing a
package that offers a game in the entry point group `fracas.games`. Scenarios, replays and bundles name a game by its
name, which is looked up among these; they never name a file, and nothing is looked for in the current folder.
"""

from __future__ import annotations

import ast
import importlib.util
import itertools
import keyword
import linecache
import os
import re
import sys
import threading
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from importlib.abc import InspectLoader, Loader
from importlib.machinery import ModuleSpec
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import CodeType, ModuleType
from typing import TYPE_CHECKING, Any, cast

from fracas.errors import InputError, Problem
from fracas.errors.suggestions import listed, nearest, quoted
from fracas.kernel import identity, jit
from fracas.kernel.identity import GAMES, Identity
from fracas.kit.author_errors.places import as_named, with_lines
from fracas.kit.author_errors.running import of_declaring
from fracas.rulesets.contract.names import NAMES

if TYPE_CHECKING:
    from fracas.rulesets.contract.ruleset import Ruleset

GROUP = "fracas.games"
VARIABLE = "FRACAS_GAMES"
LARGEST_GAME = 4 * 1024 * 1024
MOST_FILES = 200
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
# How the module of a game is called inside GAMES (`_Source.module`).
_MODULE = re.compile(r"\w+_[0-9a-f]{8}")
HOW_TO_NAME = (
    "your own game: name its file with --game FILE, FRACAS_GAMES or fracas.use(FILE), or install its package; "
    "fracas game list shows all"
)


@dataclass(frozen=True)
class KnownGame:
    """A game by its name: where it comes from, and the game itself or why it cannot be used."""

    name: str
    origin: str
    """The file, or the package and its version."""
    game: Ruleset | None = None
    problem: str = ""


@dataclass(frozen=True)
class _Loaded:
    game: Ruleset
    origin: str
    source: str
    """A hash of the files that were run; empty for a package, whose modules Python loads."""
    named: Path | None = None
    """The file or folder as it was named, absolute; None for a package."""
    number: int = field(default_factory=itertools.count(1).__next__)
    """The same file has another number when it is loaded again (`fresh`): it is another object."""


_loaded: dict[str, _Loaded] = {}
_sources: dict[str, _Source] = {}
_environment: list[str] = []
# Held while a game is found and loaded. Its module may use another game.
_loading = threading.RLock()


def use(file: str | Path) -> Ruleset:
    """Load the game of a file, so that scenarios may name it. The file is run: use only files that you trust.

        pets = fracas.use("pets.py")
        fracas.run("duel.toml")

    Args:
        file: a Python file that ends with `game = Game(...)`, or a folder of several with an `__init__.py`.

    Returns:
        The game. If the same file was used before, the same object.

    Raises:
        InputError: there is no such file, it cannot be run, it holds no game, or the game's name is taken: by a shipped
            ruleset, or in this process by other rules.

    Source: docs/reference/command-line.md, game.
    """
    named = Path(file).expanduser()
    with _loading:
        read = _read(named)
        for known in _loaded.values():
            if known.source == read.key:
                return known.game
        game = _run(read)
        try:
            return _noted(game, str(named), read.key, read.path).game
        except InputError as error:
            _drop_module(read.module)
            raise as_named(error, read.path, read.named) from None


def find(name: str) -> Ruleset | None:
    """The game of that name: one that was used, one of FRACAS_GAMES, or one of an installed package; None without one.

    Raises:
        InputError: it is known but cannot be loaded, or two packages offer it.
    """
    with _loading:
        _use_environment()
        if name in _loaded:
            return _loaded[name].game
        offered = _offered().get(name, ())
        if not offered:
            return None
        if len(offered) > 1:
            packages = listed([_package(each) for each in offered], "and")
            raise InputError.of(name, f"two packages offer this game: {packages}", "uninstall one of them")
        return _noted(_imported(offered[0]), _package(offered[0]), "", None).game


def installed(name: str, where: str) -> Ruleset:
    """The game of that name of an installed package, and no other.

    Raises:
        InputError: no installed package offers it, it cannot be loaded, or another game has its name here.
    """
    offered = _offered().get(name)
    if not offered:
        hint = nearest(name, _offered()) or "pip install the package that offers it"
        raise InputError.of(where, f"no installed package offers a game {quoted(name)}", hint)
    game = find(name)
    assert game is not None
    if _loaded[name].named is not None:
        raise InputError.of(where, f"{quoted(name)} is used from a file here", "name the package alone")
    return game


def package_of(name: str) -> str:
    """The package of an installed game with its version, as pip takes it: `dogs==1.0`; empty if it is of none."""
    offered = _offered().get(name, ())
    return f"{offered[0].dist.name}=={offered[0].dist.version}" if offered and offered[0].dist is not None else ""


def find_game(name: str, rules_hash: str) -> Ruleset:
    """The game of a pickle, which holds its name and its rules hash and never its code.

    Raises:
        InputError: no such game is known here, or it has other rules.
    """
    game = find(name)
    if game is None:
        raise InputError.of("pickled game", f"there is no game {quoted(name)} here", HOW_TO_NAME)
    if game.rules_hash != rules_hash:
        message = f"has other rules of {name} ({short(rules_hash)}) than there are here ({short(game.rules_hash)})"
        raise InputError.of("pickled game", message, "use the file that it was pickled with")
    return game


def names() -> tuple[str, ...]:
    """The names of all games that are known, in alphabetical order. No package is imported for it.

    Raises:
        InputError: FRACAS_GAMES names a file that cannot be loaded.
    """
    with _loading:
        _use_environment()
        return tuple(sorted({*_loaded, *_offered()}))


def loaded_names() -> tuple[str, ...]:
    """The names of the games that are loaded already, those of FRACAS_GAMES included.

    Raises:
        InputError: FRACAS_GAMES names a file that cannot be loaded.
    """
    with _loading:
        _use_environment()
        return tuple(sorted(_loaded))


def loaded_sources() -> list[tuple[str, int]]:
    """The games that are loaded, with a number that no other game has in this process, for the keys of caches."""
    return sorted((name, each.number) for name, each in _loaded.copy().items())


def known_games() -> list[KnownGame]:
    """Every game that is known, by name, with its origin. Imports the packages, whose problems are told apart."""
    found = []
    with _loading:
        for name in names():
            shadowed = [each for each in _all_offered() if each.name == name]
            if name in _loaded:
                found.append(KnownGame(name, _loaded[name].origin, _loaded[name].game))
                continue
            origin = listed([_package(each) for each in shadowed], "and")
            try:
                found.append(KnownGame(name, origin, find(name)))
            except InputError as error:
                found.append(KnownGame(name, origin, problem="; ".join(each.message for each in error.problems)))
        taken = [each for each in _all_offered() if each.name in NAMES]
    return found + [KnownGame(each.name, _package(each), problem="is the name of a shipped ruleset") for each in taken]


def used_files() -> list[Path]:
    """The files that were named to this process, apart from those of FRACAS_GAMES, which other processes inherit."""
    with _loading:
        inherited = {Path(each) for each in _environment}
        return [each.named for each in _loaded.values() if each.named is not None and each.named not in inherited]


def shown_files() -> dict[str, str]:
    """The files of all games that are loaded: what they are called in messages, by their whole paths."""
    found: dict[str, str] = {}
    with _loading:
        for known in _loaded.values():
            root = _module_of(known.game)
            for module in [each for name, each in sys.modules.items() if name == root or name.startswith(f"{root}.")]:
                file = str(getattr(module, "__file__", None))
                own = known.named is not None and file.startswith(str(known.named))
                found[file] = f"{known.origin}{file[len(str(known.named)) :]}" if own else file
    return found


def file_of(name: str) -> Path | None:
    """The file or folder from which a game was loaded; None for a package."""
    return _loaded[name].named if name in _loaded else None


@contextmanager
def fresh() -> Iterator[None]:
    """Know no game inside the block, for tests: games that are used there are forgotten at its end."""
    with _loading:
        before, sources, environment = dict(_loaded), dict(_sources), list(_environment)
        _loaded.clear()
        _environment.clear()
        _all_offered.cache_clear()
    try:
        yield
    finally:
        with _loading:
            kept = {_identity(each.game) for each in before.values()}
            for each in _loaded.values():
                if _identity(each.game) not in kept:
                    jit.forget_kernels(_identity(each.game))
                    identity.forget(_identity(each.game))
            for module in [name for name in _sources if name not in sources]:
                _drop_module(module)
            _loaded.clear()
            _loaded.update(before)
            _environment[:] = environment
            _all_offered.cache_clear()


def short(rules_hash: str) -> str:
    """A rules hash as messages show it."""
    return rules_hash[:12]


def _identity(game: Ruleset) -> Identity:
    return Identity(game.name, game.rules_hash)


def refuse_name(name: str, where: str) -> None:
    """Refuse a name that no game can have.

    Raises:
        InputError: it is that of a shipped ruleset, or not a name.
    """
    if name in NAMES:
        raise InputError.of(where, f"{quoted(name)} is a shipped ruleset", "give the game another name")
    if not _NAME.fullmatch(name) or keyword.iskeyword(name):
        message = f"{quoted(name)} cannot be a game's name"
        raise InputError.of(where, message, "write small letters, digits and _, at most 40")


def _noted(game: Ruleset, origin: str, source: str, named: Path | None) -> _Loaded:
    """Make a game known under its name.

    Raises:
        InputError: the name is taken.
    """
    name = game.name
    refuse_name(name, origin)
    known = _loaded.get(name)
    if known is None and named is not None and name in _offered():
        # The package of a file that is being edited may be installed; other rules under its name are refused.
        known = _noted(_imported(_offered()[name][0]), _package(_offered()[name][0]), "", None)
    if known is not None and known.game.rules_hash != game.rules_hash:
        here = f"{known.origin}, rules {short(known.game.rules_hash)}"
        message = f"there is another game {quoted(name)} in this process ({here})"
        hint = "start a new process after changing rules, or give one of them another name"
        raise InputError.of(f"{origin}, rules {short(game.rules_hash)}", message, hint)
    identity.module_belongs_to(_module_of(game), _identity(game))
    _loaded[name] = _Loaded(game, origin, source, named)
    return _loaded[name]


def _module_of(game: Any) -> str:
    """The name of the module that defines a game."""
    module = game.module
    return module.__name__ if isinstance(module, ModuleType) else str(module)


# Files.


@dataclass(frozen=True)
class _Source:
    """The files of a game as they were read, once: their hash is the hash of what runs."""

    named: str
    """The file or folder as it was named, for messages."""
    path: Path
    """The same, absolute."""
    key: str
    files: dict[Path, bytes]

    @property
    def main(self) -> Path:
        """The file that holds the game."""
        return self.path / "__init__.py" if self.path / "__init__.py" in self.files else self.path

    @property
    def module(self) -> str:
        """The name of the module that the file becomes."""
        stem = re.sub(r"\W", "_", self.path.stem)
        return f"{GAMES}.{stem}_{self.key[:8]}"


def _read(named: Path) -> _Source:
    """Read a game's file, or all Python files of a game's folder.

    Raises:
        InputError: there is none, it is no Python file, or it is too large.
    """
    from blake3 import blake3

    where = str(named)
    try:
        path = named.resolve()
        is_folder = path.is_dir()
        if is_folder and not (path / "__init__.py").is_file():
            found = sorted(each.name for each in path.glob("*.py"))
            hint = f"name one of its files: {named / found[0]}" if found else "it has no Python file"
            raise InputError.of(where, "is a folder without __init__.py, not a game of several files", hint)
        if not path.exists():
            raise InputError.of(where, "there is no such file")
        if not is_folder and (path.suffix != ".py" or not path.is_file()):
            raise InputError.of(where, "is not a Python file; a game is written in one", "write --game pets.py")
        listed_files = sorted(path.rglob("*.py")) if is_folder else [path]
        if len(listed_files) > MOST_FILES:
            raise InputError.of(where, f"has {len(listed_files)} Python files; a game may have {MOST_FILES}")
        files = {each: _content(each) for each in listed_files}
    except (OSError, ValueError) as error:
        raise InputError.of(where, f"cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if sum(map(len, files.values())) > LARGEST_GAME:
        raise InputError.of(where, f"is larger than {LARGEST_GAME:,} bytes, which is the limit for a game")
    # Two copies of a file may have other content beside them, so the hash includes the place.
    hasher = blake3(str(path).encode() + b"\0")
    for file, content in files.items():
        hasher.update(file.relative_to(path.parent).as_posix().encode() + b"\0" + content + b"\0")
    return _Source(where, path, hasher.hexdigest(), files)


def _content(file: Path) -> bytes:
    with file.open("rb") as opened:
        return opened.read(LARGEST_GAME + 1)


class _Loader(InspectLoader):
    """Runs what was read, so that no file is opened twice."""

    def __init__(self, source: _Source, file: Path) -> None:
        self.source = source
        self.file = file

    def get_source(self, fullname: str) -> str:
        """The text that runs."""
        return importlib.util.decode_source(self.source.files[self.file])

    def get_code(self, fullname: str) -> CodeType:
        """The text, compiled."""
        return self.source_to_code(self.source.files[self.file], str(self.file))

    def is_package(self, fullname: str) -> bool:
        """Whether modules may lie inside it."""
        return self.file.name == "__init__.py"


class _NoCode(Loader):
    """An empty module in place of that of another copy of a game.

    Compiled code is kept by the rules, and names the module that it was compiled in: perhaps that of another file, or
    of this one before a comment changed. It reads nothing there.
    """

    def exec_module(self, module: ModuleType) -> None:
        """Run nothing."""


class _Finder:
    """Finds the modules of games, among the files that were read."""

    @staticmethod
    def find_spec(fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """The module of a game, or one inside a game's folder; None for every other module."""
        if fullname == GAMES:
            return ModuleSpec(GAMES, None, is_package=True)
        if not fullname.startswith(f"{GAMES}."):
            return None
        game, *inner = fullname.split(".")[1:]
        source = _sources.get(f"{GAMES}.{game}")
        if source is None:
            return ModuleSpec(fullname, _NoCode()) if _MODULE.fullmatch(game) and not inner else None
        place = source.path.joinpath(*inner)
        choices = [source.main] if not inner else [place / "__init__.py", place.with_suffix(".py")]
        file = next((each for each in choices if each in source.files), None)
        if file is None:
            return None
        folders = [str(file.parent)] if file.name == "__init__.py" else None
        loader = _Loader(source, file)
        return importlib.util.spec_from_file_location(fullname, file, loader=loader, submodule_search_locations=folders)


def _run(source: _Source) -> Ruleset:
    """Run the file of a game, and take its game.

    Raises:
        InputError: the file is not valid Python, raises an error, or defines no game.
    """
    if _Finder not in sys.meta_path:
        sys.meta_path.append(cast(Any, _Finder))
    _sources[source.module] = source
    spec = getattr(sys.modules.get(source.module), "__spec__", None)
    if spec is not None and isinstance(spec.loader, _NoCode):
        del sys.modules[source.module]
    for file in source.files:
        # Tracebacks, and the kit, which reads the words below a field, show what runs even if the file is edited.
        lines = importlib.util.decode_source(source.files[file]).splitlines(keepends=True) if file.suffix else []
        linecache.cache[str(file)] = (len(source.files[file]), None, lines, str(file))
    try:
        module = importlib.import_module(source.module)
        return _game_in(module, "game", source.named)
    except BaseException as error:
        _drop_module(source.module)
        if isinstance(error, InputError):
            raise as_named(_on_lines(error, source), source.path, source.named) from None
        if isinstance(error, KeyboardInterrupt):
            raise
        raise InputError(_problem_of(error, source.path, source.named)) from None


def _on_lines(error: InputError, source: _Source) -> InputError:
    """The problems of a file that did not run to its end, with their lines."""
    return type(error)(with_lines(error.problems, {str(file): ast.parse(text) for file, text in source.files.items()}))


def _drop_module(module: str) -> None:
    """Forget the module of a game, those inside it, and their kernels."""
    nobody = Identity(module, "refused")
    identity.module_belongs_to(module, nobody)
    jit.forget_kernels(nobody)
    identity.forget(nobody)
    for name in [each for each in sys.modules if each == module or each.startswith(f"{module}.")]:
        del sys.modules[name]
    _sources.pop(module, None)


def _game_in(module: ModuleType, attribute: str, where: str) -> Ruleset:
    """Take the game of a module that was run.

    Raises:
        InputError: it has none.
    """
    from fracas.rulesets.contract.ruleset import Ruleset

    game = getattr(module, attribute, None)
    if isinstance(game, Ruleset):
        return game
    hint = 'end it with: game = Game("pets", version=1, battle=..., reasons=...)'
    if game is None:
        raise InputError.of(where, f"defines no game: it has no name {quoted(attribute)}", hint)
    raise InputError.of(where, f"its {quoted(attribute)} is {type(game).__name__}, not a Game", hint)


def _problem_of(error: BaseException, root: Path, where: str) -> Problem:
    """Why a game could not be loaded, with the last of its own lines that ran: a file in `root`, called `where`."""

    def shown(file: str, line: int | None) -> str:
        inner = Path(file).relative_to(root)
        return f"{Path(where) / inner}:{line}"

    if isinstance(error, SyntaxError) and error.filename and Path(error.filename).is_relative_to(root):
        return Problem(shown(error.filename, error.lineno), f"is not valid Python: {error.msg}")
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if Path(frame.filename).is_relative_to(root)]
    path = shown(own[-1].filename, own[-1].lineno) if own else where
    if isinstance(error, ModuleNotFoundError):
        missing = str(error.name).rpartition(".")[2]
        hint = "a game of several files is a folder with __init__.py, and imports its own: from . import " + missing
        return Problem(path, f"imports {quoted(str(error.name))}, which is not installed", hint)
    meant = of_declaring(error)
    if meant is not None:
        return Problem(path, *meant)
    return Problem(path, f"cannot be loaded: {type(error).__name__}: {error}")


# FRACAS_GAMES.


def _use_environment() -> None:
    """Load the games that FRACAS_GAMES names, once.

    Raises:
        InputError: one cannot be loaded, or is not named by its whole path: a variable outlives the folder that it was
            set in, and must not name another file in the next one.
    """
    setting = os.environ.get(VARIABLE, "")
    wanted = [str(Path(each).expanduser()) for each in setting.split(os.pathsep) if each]
    for each in wanted:
        if each in _environment:
            continue
        if not Path(each).is_absolute():
            hint = f"write its whole path: {VARIABLE}={Path(each).absolute()}"
            raise InputError.of(f"{VARIABLE}: {each}", "is not a whole path", hint)
        use(each)
        _environment.append(each)


# Installed packages.


@cache
def _all_offered() -> tuple[EntryPoint, ...]:
    """What installed packages offer, read from their metadata. Those of the current folder are not installed."""
    here = Path.cwd()
    found = sorted(entry_points(group=GROUP), key=lambda each: (each.name, str(each.dist and each.dist.name)))
    return tuple(each for each in found if each.dist is None or Path(str(each.dist.locate_file(""))).resolve() != here)


def _offered() -> dict[str, Sequence[EntryPoint]]:
    """The entry points of every name that a package may have; no module is imported."""
    found: dict[str, list[EntryPoint]] = {}
    for each in _all_offered():
        if each.name not in NAMES:
            found.setdefault(each.name, []).append(each)
    return dict(found)


def _package(offered: EntryPoint) -> str:
    """A package and its version, for messages."""
    return f"{offered.dist.name} {offered.dist.version}" if offered.dist is not None else offered.value


def _imported(offered: EntryPoint) -> Ruleset:
    """Import the module of an entry point, and take its game.

    Raises:
        InputError: it cannot be imported, or holds another game.
    """
    where = f"package {_package(offered)}"
    try:
        module = importlib.import_module(offered.module)
    except InputError:
        raise
    except (Exception, SystemExit) as error:
        root = Path(str(offered.dist.locate_file(""))) if offered.dist is not None else Path()
        raise InputError(_problem_of(error, root, str(root))) from None
    game = _game_in(module, offered.attr or "game", where)
    if game.name != offered.name:
        message = f"offers the game {quoted(offered.name)}, but its game is called {quoted(game.name)}"
        raise InputError.of(where, message, f'write {game.name} = "{offered.value}" in its pyproject.toml')
    return game
