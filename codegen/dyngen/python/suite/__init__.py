"""The generated pytest suite: sample items, oracles and proofs of every access pattern."""
