"""Tools that are run by hand, and checked by tests."""
