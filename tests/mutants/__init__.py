"""Breaks generated repositories, one fault at a time, and demands that their suites notice."""
