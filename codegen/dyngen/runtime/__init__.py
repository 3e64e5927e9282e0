"""What generated repositories share; copied verbatim into every generated package as `_runtime`."""
