"""From the design to files: templates, formatting, the lock, and the folder on disk."""
