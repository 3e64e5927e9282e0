"""How fast generated code and the command are, next to others: `make bench`."""
