"""The `fracas` program, also as `python -m fracas`."""

import os
import sys

from fracas.cli.shared.exit_status import INTERRUPTED


def main() -> None:
    """Run the program. Ctrl-C while it is still being imported ends it as at any other time."""
    # pydantic looks through all installed packages for plug-ins of its own, which a program has no use for.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    try:
        from fracas.cli.app import main as program

        program()
    except KeyboardInterrupt:
        # Nothing more may be imported for it: whoever pressed once may press again.
        sys.stderr.write("interrupted\n")
        if "--format=json" in sys.argv or " --format json" in " ".join(["", *sys.argv]):
            sys.stdout.write('{"interrupted": true}\n')
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
