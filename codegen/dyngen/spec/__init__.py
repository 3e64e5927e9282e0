"""What the author wrote: frozen values, each with its place."""
