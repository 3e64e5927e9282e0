"""Runs a service's repositories against an engine and watches every request they make."""
