"""The parts of `make_example.py`: the constructed register, how models misread it, and the files."""
