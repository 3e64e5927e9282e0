"""Short ways to write a diagnostic down."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from dyngen.diagnostics.model import Diagnostic, Label, Severity, Span


def error(
    code: str,
    message: str,
    span: Span,
    label: str = "",
    *,
    secondary: Iterable[Label] = (),
    help: Iterable[str | None] = (),
    severity: Severity = Severity.ERROR,
) -> Diagnostic:
    """A finding at `span`; `label` is what stands beside the mark.

    A remedy that is None is left out, so that `did_you_mean(...)` can be passed as it is.
    """
    remedies = tuple(remedy for remedy in help if remedy is not None)
    return Diagnostic(
        code, message, Label(span, label), tuple(secondary), remedies, severity
    )


def warning(
    code: str,
    message: str,
    span: Span,
    label: str = "",
    *,
    secondary: Iterable[Label] = (),
    help: Iterable[str | None] = (),
) -> Diagnostic:
    """A warning at `span`; arguments as for `error`."""
    return error(
        code,
        message,
        span,
        label,
        secondary=secondary,
        help=help,
        severity=Severity.WARNING,
    )


def advice(
    code: str,
    message: str,
    span: Span,
    label: str = "",
    *,
    secondary: Iterable[Label] = (),
    help: Iterable[str | None] = (),
) -> Diagnostic:
    """Advice about `span`; arguments as for `error`."""
    return error(
        code,
        message,
        span,
        label,
        secondary=secondary,
        help=help,
        severity=Severity.ADVICE,
    )


@dataclass(slots=True)
class Reporter:
    """Collects what is wrong while it goes through something; made to be inherited from."""

    found: list[Diagnostic] = field(default_factory=list, kw_only=True)

    def report(
        self,
        code: str,
        message: str,
        span: Span,
        help: str | None = None,
        secondary: Iterable[Label] = (),
    ) -> None:
        """Add an error with at most one remedy."""
        self.found.append(error(code, message, span, secondary=secondary, help=[help]))
