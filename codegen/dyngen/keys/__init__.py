"""The key algebra: encodings, templates, ranges and their overlap. Pure, and ignorant of specs."""
