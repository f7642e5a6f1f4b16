"""Modules of rules as the archive keeps them, and the one of the installed rules."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from fracas.portable import artefacts
from fracas.portable.archived_module import LARGEST_DESCRIPTION, LARGEST_MODULE, ArchivedModule, ArchiveFault
from fracas.server.arena.archive.contents import compressed, decompressed
from fracas.version import __version__

TOOL = f"fracas=={__version__}"
"""The wheel of this program, as pip names it."""


@dataclass(frozen=True)
class StoredModule:
    """A module of rules as it is stored."""

    digest: bytes
    ruleset: str
    rules_version: int
    layout_key: str
    tool: str
    description: bytes
    """JSON, zstd."""
    module: bytes
    """WebAssembly, zstd."""

    def opened(self) -> ArchivedModule:
        """The module, ready to play.

        Raises:
            ArchiveFault: it is damaged.
        """
        description = decompressed(self.description, LARGEST_DESCRIPTION)
        found = ArchivedModule(decompressed(self.module, LARGEST_MODULE), description)
        said = found.description
        named = (said.ruleset, said.rules_version, said.layout_key)
        if found.digest != self.digest or named != (self.ruleset, self.rules_version, self.layout_key):
            raise ArchiveFault(f"the module of {self.ruleset}, rules version {self.rules_version}, is damaged")
        return found


@cache
def installed_module(ruleset: str) -> StoredModule | None:
    """The module of the installed rules; None if there is none, or it is older than the rules."""
    if not artefacts.is_current(ruleset):
        return None
    described = artefacts.layout_file(ruleset).read_bytes()
    module = artefacts.module_file(ruleset).read_bytes()
    found = ArchivedModule(module, described)
    said = found.description
    packed = compressed(described), compressed(module)
    return StoredModule(found.digest, said.ruleset, said.rules_version, said.layout_key, TOOL, *packed)
