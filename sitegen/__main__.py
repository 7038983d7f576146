"""`python -m sitegen` is the command `sitegen`."""

from sitegen.cli import main

main()
