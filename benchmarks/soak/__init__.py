"""A soak of a generated repository, with faults, on an engine of its own."""
