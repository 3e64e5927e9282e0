"""The generated pytest suite: sample items, oracles and proofs of every access pattern."""

from dyngen.python.suite.render import suite_files

__all__ = ["suite_files"]
