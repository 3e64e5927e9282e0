"""What AWS refuses of a table, and neither the JSON Schema nor cfn-lint sees.

Limits are those of the developer guide; the numbers in brackets are the rules of
`GSI.html`, `LSI.html`, `Constraints.html`, `API_Projection` and `TTL.html` as named beside each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dyngen.cloudformation import names, settings
from dyngen.design.model import Attribute, Index, KeySchema, Projection, Schema, Table
from dyngen.diagnostics.build import error
from dyngen.diagnostics.model import Diagnostic, Label, Span
from dyngen.source import nodes
from dyngen.types.model import Integer, Stored, Timestamp

_MOST_GLOBAL_INDEXES = 20  # G-1, a default quota
_MOST_LOCAL_INDEXES = 5  # G-2
_MOST_KEY_PARTS = 4  # G-3, of each role
_MOST_INCLUDED = 20  # G-10, per index
_MOST_INCLUDED_IN_TABLE = 100  # G-10, over all indexes
_LONGEST_INDEXED_NAME = 255  # K-7, bytes
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
    found = [
        *_name_clashes(names.resource_names(schema), "resource"),
        *_name_clashes(names.output_names(schema), "output"),
        *_long_names(schema),
    ]
    for table in schema.tables:
        found.extend(_keys(table))
        found.extend(_index_counts(table))
        found.extend(_projections(table))
        found.extend(_capacity(table))
        found.extend(_ttl(schema, table))
        found.extend(_tags(table))
        found.extend(_raw_properties(table))
    return found


def _name_clashes(named: Iterable[tuple[str, Span]], kind: str) -> Iterator[Diagnostic]:
    first: dict[str, Span] = {names.PREFIX_PARAMETER: Span("", 0, 0, 0, 0)}
    reported: set[tuple[Span, Span]] = set()
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
            secondary=[Label(other, "and so does this")] if other.line else (),
            help=[
                "logical names keep only letters and digits: choose a name that "
                "differs in those"
            ],
        )


def _long_names(schema: Schema) -> Iterator[Diagnostic]:
    reported: set[Span] = set()
    for name, span in names.resource_names(schema):
        if len(name) > names.LONGEST_LOGICAL_NAME and span not in reported:
            reported.add(span)
            yield error(
                "DG281",
                f"a logical name of the template would have {len(name)} characters; "
                f"CloudFormation takes {names.LONGEST_LOGICAL_NAME}",
                span,
                "shorten this name",
            )


def _keys(table: Table) -> Iterator[Diagnostic]:
    yield from _key(table.key, 1, table.span, f"table {table.name}")
    for index in table.indexes:
        what = f"index {index.name}"
        yield from _key(
            index.key, 1 if index.local else _MOST_KEY_PARTS, index.span, what
        )
        if index.local and index.key.partition != table.key.partition:
            yield error(
                "DG284",
                f"the local index {index.name} has another partition key than its table",
                index.span,
                help=["leave `partition_key` out, or make the index global"],
            )
        if index.local and not table.key.sort:
            yield error(
                "DG284",
                f"table {table.name} has no sort key, so it can have no local index",
                index.span,
                help=["make the index global, or give the table a sort key"],
            )


def _key(key: KeySchema, most: int, span: Span, what: str) -> Iterator[Diagnostic]:
    for role, attributes in (("partition", key.partition), ("sort", key.sort)):
        if len(attributes) > most:
            yield error(
                "DG282",
                f"{what} has {len(attributes)} {role} key attributes; at most {most} "
                "can be native",
                span,
                help=["join some of them: `strategy: composite`, or a computed key"],
            )
    seen = set()
    for attribute in key.all:
        if attribute.name in seen:
            yield error(
                "DG283",
                f"`{attribute.name}` stands twice in the key of {what}",
                span,
                help=["name it once"],
            )
        seen.add(attribute.name)
        length = len(attribute.name.encode())
        if length > _LONGEST_INDEXED_NAME:
            yield error(
                "DG283",
                f"a key attribute of {what} has a name of {length} bytes; "
                f"AWS takes {_LONGEST_INDEXED_NAME}",
                span,
            )


def _index_counts(table: Table) -> Iterator[Diagnostic]:
    groups = (
        ("global", [i for i in table.indexes if not i.local], _MOST_GLOBAL_INDEXES),
        ("local", [i for i in table.indexes if i.local], _MOST_LOCAL_INDEXES),
    )
    for kind, indexes, most in groups:
        if len(indexes) > most:
            yield error(
                "DG285",
                f"table {table.name} has {len(indexes)} {kind} indexes; AWS allows {most}",
                indexes[most].span,
                "the first one too many",
                help=["let several patterns share an index"],
            )
    first: dict[str, Index] = {}
    for index in table.indexes:
        other = first.setdefault(index.name, index)
        if other is not index:
            yield error(
                "DG285",
                f"table {table.name} has two indexes called {index.name}",
                index.span,
                secondary=[Label(other.span, "the other one")],
            )


def _projections(table: Table) -> Iterator[Diagnostic]:
    total = 0
    for index in table.indexes:
        count = len(index.included)
        total += count
        if index.projection is Projection.INCLUDE and not count:
            yield error(
                "DG286",
                f"index {index.name} projects a list of attributes, and the list is empty",
                index.span,
                help=["write `projection: keys_only`"],
            )
        if count > _MOST_INCLUDED:
            yield error(
                "DG286",
                f"index {index.name} projects {count} attributes by name; "
                f"AWS takes {_MOST_INCLUDED}",
                index.span,
                help=["write `projection: all`, or fewer names"],
            )
    if total > _MOST_INCLUDED_IN_TABLE:
        yield error(
            "DG286",
            f"the indexes of table {table.name} project {total} attributes by name; "
            f"AWS takes {_MOST_INCLUDED_IN_TABLE} in all",
            table.span,
            help=["write `projection: all` for some of them, or fewer names"],
        )


def _capacity(table: Table) -> Iterator[Diagnostic]:
    on_demand = settings.provisioned(table.settings) is None
    yield from _scaling(table.settings)
    for index in table.indexes:
        if index.local:
            for setting in ("billing", "contributor_insights", "warm_throughput"):
                if setting in index.settings:
                    yield error(
                        "DG287",
                        f"a local index has no `{setting}` of its own",
                        index.settings[setting].span,
                        help=["it shares its table's: write it there"],
                    )
        elif on_demand and "billing" in index.settings:
            yield error(
                "DG287",
                f"index {index.name} has provisioned capacity, but table {table.name} "
                "is billed on demand",
                index.settings["billing"].span,
                help=["leave it out, or give the table provisioned capacity too"],
            )
        else:
            yield from _scaling(index.settings)


def _scaling(of: settings.Settings) -> Iterator[Diagnostic]:
    capacity = settings.provisioned(of)
    scaling = capacity.autoscaling if capacity else None
    if scaling and scaling.min > scaling.max:
        yield error(
            "DG287",
            f"autoscaling between {scaling.min} and {scaling.max} leaves no capacity",
            of["billing"].span,
            help=["`min` must not be greater than `max`"],
        )


def _ttl(schema: Schema, table: Table) -> Iterator[Diagnostic]:
    if "ttl" not in table.settings:
        return
    span = table.settings["ttl"].span
    stored = settings.ttl_stored_name(schema, table)
    having = [
        attribute
        for entity in schema.entities
        if entity.table == table.name
        for attribute in entity.attributes
        if attribute.stored == stored
    ]
    if not having:
        yield error(
            "DG288",
            f"no entity of table {table.name} has the attribute `{stored}`",
            span,
            "nothing would ever expire",
            help=["give an entity this attribute, with `stored: epoch_seconds`"],
        )
    for attribute in having:
        if not _holds_epoch_seconds(attribute):
            yield error(
                "DG288",
                f"`{attribute.name}` does not hold epoch seconds, so DynamoDB would "
                "never delete an item",
                span,
                secondary=[Label(attribute.span, "stored in another form")],
                help=["write `{type: timestamp, stored: epoch_seconds}`"],
            )


def _holds_epoch_seconds(attribute: Attribute) -> bool:
    """TTL.html: a number, in seconds; values of other types are ignored without a word."""
    match attribute.type:
        case Timestamp(stored=stored):
            return stored is Stored.EPOCH_SECONDS
        case Integer():
            return True
        case _:
            return False


def _tags(table: Table) -> Iterator[Diagnostic]:
    node = table.settings.get("tags")
    if not isinstance(node, nodes.Mapping):
        return
    if len(node.entries) > _MOST_TAGS:
        yield error(
            "DG289",
            f"table {table.name} has {len(node.entries)} tags; AWS takes {_MOST_TAGS}",
            node.span,
        )
    for entry in node.entries:
        key = str(entry.key.value)
        if not key or len(key) > _LONGEST_TAG_KEY or key.lower().startswith("aws:"):
            yield error(
                "DG289",
                "a tag's key has 1 to 128 characters and does not begin with `aws:`",
                entry.key.span,
            )
        value = entry.value
        if (
            isinstance(value, nodes.Scalar)
            and len(str(value.value)) > _LONGEST_TAG_VALUE
        ):
            yield error(
                "DG289",
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
                "DG290",
                f"`{entry.key.value}` is written by dyngen and cannot be overridden",
                entry.key.span,
                help=[remedy],
            )
