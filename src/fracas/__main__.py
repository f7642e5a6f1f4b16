"""`python -m fracas` is the `fracas` program."""

from fracas.cli.app import main

main()
