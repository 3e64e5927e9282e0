"""The design form: resolved tables and entities, and what every access pattern does with them."""
