"""Faults of the CloudFormation templates."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .edits import Edit, Package
from .kind import Kind, Places

_KEY = re.compile(r"KeyType: HASH(?P<between>\s+- AttributeName: \S+\s+)KeyType: RANGE")
_WHOLE = re.compile(r"ProjectionType: ALL")
_KEYS_ONLY = re.compile(r"ProjectionType: KEYS_ONLY")
_INCLUDED = re.compile(
    r"ProjectionType: INCLUDE\s+NonKeyAttributes:\s+- \S+(?P<others>(\s+- \S+)*)"
)
_ACTIONS = re.compile(r"Action:(?P<space>\s+)- (?!dynamodb:DeleteTable)")
_TTL = re.compile(r"AttributeName: \S+(?=\s+Enabled: true)")
_TEMPLATE = "cloudformation/template.yaml"
_POLICIES = "cloudformation/iam.yaml"


def _found(path: str, *rules: tuple[re.Pattern[str], str]) -> Places:
    """What each of the patterns finds in a template, written as it says."""

    def places(package: Package) -> Iterator[Edit]:
        template = package.file(path)
        for pattern, text in rules:
            for match in pattern.finditer(template.source):
                yield template.span(match.start(), match.end(), match.expand(text))

    return places


DEPLOYMENT = (
    Kind(
        "deployed with another key order",
        _found(_TEMPLATE, (_KEY, r"KeyType: RANGE\g<between>KeyType: HASH")),
        ("deploys",),
    ),
    Kind(
        "deployed with another projection",
        _found(
            _TEMPLATE,
            (_WHOLE, "ProjectionType: KEYS_ONLY"),
            (_KEYS_ONLY, "ProjectionType: ALL"),
            (_INCLUDED, "ProjectionType: ALL"),
        ),
        ("deploys",),
    ),
    Kind(
        "deployed without its time to live",
        _found(_TEMPLATE, (_TTL, "AttributeName: another")),
        ("deploys",),
    ),
    Kind(
        "an IAM action too many",
        _found(
            _POLICIES, (_ACTIONS, r"Action:\g<space>- dynamodb:DeleteTable\g<space>- ")
        ),
        ("policies",),
    ),
)
