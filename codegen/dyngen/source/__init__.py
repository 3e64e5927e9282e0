"""Text to nodes: strict YAML with positions, and the JSON Schema check."""
