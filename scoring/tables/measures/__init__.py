"""One page: counts and the figures made of them, labels of surplus rows, row balance."""
