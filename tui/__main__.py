"""`python -m tui` is the `adjudicate` command."""

from tui.cli import main

main()
