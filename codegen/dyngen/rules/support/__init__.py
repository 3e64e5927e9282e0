"""What rules stand on: the subject they look at, their registry, how they are run and documented."""
