"""Start the `fracas` program; `python -m fracas` does the same."""

import os
import sys

from fracas.cli.shared.exit_status import INTERRUPTED


def main() -> None:
    """Run the program. Ctrl-C stops it cleanly even during the imports."""
    # pydantic searches all installed packages for pydantic plug-ins. Fracas uses none.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    try:
        from fracas.cli.app import main as program

        program()
    except KeyboardInterrupt:
        # Import nothing here: the user may press Ctrl-C again.
        sys.stderr.write("interrupted\n")
        if "--format=json" in sys.argv or " --format json" in " ".join(["", *sys.argv]):
            sys.stdout.write('{"interrupted": true}\n')
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
