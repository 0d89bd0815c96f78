"""The workbench in a browser of this machine: textual-serve with a page of our own, which loads nothing from outside."""
