"""The files of the studio's page, by their addresses."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from fracas.web.modules import DATA, FOLDER, LIBRARY

STUDIO = DATA / "studio"
KINDS = {".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8"}


@cache
def assets() -> Mapping[str, tuple[str, bytes]]:
    """Content types and contents by address; nothing else is served.

    Modules of the player ask for fracas.js as if it stood beside them.
    """
    files = {f"/assets/web/{LIBRARY}": DATA / "js" / LIBRARY}
    for folder, name in ((STUDIO, "studio"), (FOLDER, "web")):
        for file in sorted(folder.rglob("*")):
            if file.suffix in KINDS:
                files[f"/assets/{name}/{file.relative_to(folder).as_posix()}"] = file
    return {address: (KINDS[file.suffix], file.read_bytes()) for address, file in files.items()}


def studio_page(nonce: str) -> bytes:
    """The page; styles that carry the nonce may be added by its scripts."""
    return (STUDIO / "studio.html").read_text(encoding="utf-8").replace("@@nonce@@", nonce).encode()
