"""The Python back end: names, and the render model that templates lay out."""
