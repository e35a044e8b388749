"""`python -m pinyon` is the command line."""

from pinyon.surfaces.cli import main

main()
