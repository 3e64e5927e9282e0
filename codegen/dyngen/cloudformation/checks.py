"""What the template itself can get wrong, and neither the JSON Schema nor cfn-lint sees.

Keys, indexes and their limits are checked where they are resolved (`dyngen.design`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from dyngen.cloudformation import names, settings
from dyngen.cloudformation.model import template
from dyngen.design.model import Schema, Table
from dyngen.diagnostics.build import error
from dyngen.diagnostics.model import Diagnostic, Label, Span
from dyngen.source import nodes

_MOST_TAGS = 50  # API_TagResource
_LONGEST_TAG_KEY, _LONGEST_TAG_VALUE = 128, 256

_OWNED_PROPERTIES = {
    "AttributeDefinitions": "it follows from the keys",
    "BillingMode": "write `billing`",
    "ContributorInsightsSpecification": "write `contributor_insights`",
    "DeletionProtectionEnabled": "write `deletion_protection`",
    "GlobalSecondaryIndexes": "write `indexes`",
    "KeySchema": "it follows from the keys",
    "LocalSecondaryIndexes": "write `indexes`",
    "PointInTimeRecoverySpecification": "write `point_in_time_recovery`",
    "ProvisionedThroughput": "write `billing`",
    "SSESpecification": "write `encryption`",
    "StreamSpecification": "write `stream`",
    "TableClass": "write `table_class`",
    "TableName": "it is the table's name in the spec",
    "Tags": "write `tags`",
    "TimeToLiveSpecification": "write `ttl`",
    "WarmThroughput": "write `warm_throughput`",
}


def check(schema: Schema) -> list[Diagnostic]:
    """All findings about the tables of a schema."""
    resources = list(names.resource_names(schema))
    outputs = list(names.output_names(schema))
    found = [
        *_name_clashes(resources, "resource", taken=(names.PREFIX_PARAMETER,)),
        *_name_clashes(outputs, "output"),
        *_long_names(schema, dict([*resources, *outputs])),
    ]
    for table in schema.tables:
        for settings_of in (table.settings, *(i.settings for i in table.indexes)):
            found.extend(_scaling(settings_of))
        found.extend(_tags(table))
        found.extend(_raw_properties(table))
    return found


def _name_clashes(
    named: Iterable[tuple[str, Span]], kind: str, taken: Iterable[str] = ()
) -> Iterator[Diagnostic]:
    """Names that two things have; `taken` are those of the template itself."""
    first: dict[str, Span | None] = dict.fromkeys(taken)
    reported: set[tuple[Span | None, Span]] = set()
    for name, span in named:
        other = first.setdefault(name, span)
        if other is span or (other, span) in reported:
            continue
        reported.add((other, span))
        yield error(
            "DG280",
            f"two parts of the template would have the logical name `{name}`",
            span,
            f"gives the {kind} `{name}`",
            secondary=[Label(other, "and so does this")] if other else (),
            help=[
                "logical names keep only letters and digits: choose a name that "
                "differs in those"
            ],
        )


def _long_names(schema: Schema, places: Mapping[str, Span]) -> Iterator[Diagnostic]:
    written = template(schema)
    longest: dict[Span, int] = {}
    for name in (*written["Resources"], *written["Outputs"]):
        longest[places[name]] = max(longest.get(places[name], 0), len(name))
    for span, length in longest.items():
        if length > names.LONGEST_LOGICAL_NAME:
            yield error(
                "DG281",
                f"the template would hold a logical name of {length} characters; "
                f"CloudFormation takes {names.LONGEST_LOGICAL_NAME}",
                span,
                "shorten this name",
            )


def _scaling(of: settings.Settings) -> Iterator[Diagnostic]:
    capacity = settings.provisioned(of)
    scaling = capacity.autoscaling if capacity else None
    if scaling and scaling.min > scaling.max:
        yield error(
            "DG282",
            f"autoscaling between {scaling.min} and {scaling.max} leaves no capacity",
            of["billing"].span,
            help=["`min` must not be greater than `max`"],
        )


def _tags(table: Table) -> Iterator[Diagnostic]:
    node = table.settings.get("tags")
    if not isinstance(node, nodes.Mapping):
        return
    if len(node.entries) > _MOST_TAGS:
        yield error(
            "DG283",
            f"table {table.name} has {len(node.entries)} tags; AWS takes {_MOST_TAGS}",
            node.span,
        )
    for entry in node.entries:
        key = str(entry.key.value)
        if not key or len(key) > _LONGEST_TAG_KEY or key.lower().startswith("aws:"):
            yield error(
                "DG283",
                "a tag's key has 1 to 128 characters and does not begin with `aws:`",
                entry.key.span,
            )
        value = entry.value
        if (
            isinstance(value, nodes.Scalar)
            and len(str(value.value)) > _LONGEST_TAG_VALUE
        ):
            yield error(
                "DG283",
                f"a tag's value has at most {_LONGEST_TAG_VALUE} characters",
                value.span,
            )


def _raw_properties(table: Table) -> Iterator[Diagnostic]:
    node = table.settings.get("cloudformation")
    if not isinstance(node, nodes.Mapping):
        return
    for entry in node.entries:
        remedy = _OWNED_PROPERTIES.get(str(entry.key.value))
        if remedy is not None:
            yield error(
                "DG284",
                f"`{entry.key.value}` is written by dyngen and cannot be overridden",
                entry.key.span,
                help=[remedy],
            )
