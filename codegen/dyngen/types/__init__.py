"""The value types of attributes."""
