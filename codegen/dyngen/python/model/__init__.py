"""The render model: what the templates of the Python output lay out.

Every text here is ready Python source (names, expressions, docstrings); a template decides where it
stands and nothing else. Docstrings are indented for their place.
"""
