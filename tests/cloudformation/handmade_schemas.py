"""Schemas by hand, as the resolver would make them."""

from __future__ import annotations

from decimal import Decimal

from dyngen.design.model import (
    Index,
    KeyAttribute,
    KeySchema,
    Projection,
    Schema,
    Table,
)
from dyngen.diagnostics.model import Span
from dyngen.source import nodes


def span(line: int = 1) -> Span:
    return Span("specs/shop.yaml", line, 1, line, 2)


def node(value, line: int = 1) -> nodes.Node:
    if isinstance(value, dict):
        entries = tuple(
            nodes.Entry(nodes.Scalar(key, span(line)), node(each, line))
            for key, each in value.items()
        )
        return nodes.Mapping(entries, span(line))
    if isinstance(value, list):
        return nodes.Sequence(tuple(node(each, line) for each in value), span(line))
    return nodes.Scalar(value, span(line))


def settings(line: int = 1, **values) -> dict[str, nodes.Node]:
    return {name: node(value, line) for name, value in values.items()}


def key(partition: str = "customer_id", sort: str | None = "order_id") -> KeySchema:
    return KeySchema(
        tuple(KeyAttribute(name, "S") for name in partition.split()),
        tuple(KeyAttribute(name, "S") for name in (sort or "").split()),
    )


def index(name="ByDate", partition="customer_id", sort="order_date", line=5, **rest):
    return Index(name, key(partition, sort), span(line), **rest)


def table(name="CustomerOrders", *indexes: Index, line: int = 2, **rest) -> Table:
    return Table(name, rest.pop("key", key()), indexes, span(line), **rest)


def schema(*tables: Table) -> Schema:
    return Schema("shop", tables, ())


def everything() -> Schema:
    """Every setting at once, on two tables."""
    busy = table(
        "customer-orders",
        index("by-date", settings=settings(billing={"read": 3, "write": 4}), sort=None),
        index(
            "Native",
            "customer_id status",
            "order_date total",
            projection=Projection.INCLUDE,
            included=("note", "price"),
            settings=settings(
                contributor_insights=True, warm_throughput={"read": 12000}
            ),
        ),
        index("Local", sort="total", local=True, projection=Projection.KEYS_ONLY),
        settings=settings(
            billing={
                "read": 5,
                "write": 6,
                "autoscaling": {"min": 5, "max": 500, "target": 70},
            },
            ttl="exp",
            stream="new_and_old_images",
            point_in_time_recovery={"days": 7},
            deletion_protection=True,
            encryption={"kms_key": "alias/orders"},
            table_class="standard_infrequent_access",
            tags={"team": "orders", "empty": ""},
            contributor_insights="throttled_keys",
            warm_throughput={"read": 12000, "write": 4000},
            cloudformation={
                "KinesisStreamSpecification": {
                    "StreamArn": "arn:aws:kinesis:eu-west-1:123456789012:stream/s"
                },
                "ResourcePolicy": {
                    "PolicyDocument": {"Version": "2012-10-17", "Statement": []}
                },
            },
        ),
    )
    quiet = table(
        "Archive",
        key=key("archive_id", None),
        settings=settings(
            billing="on_demand", encryption="aws_managed", point_in_time_recovery=True
        ),
    )
    return schema(busy, quiet)


HOSTILE = "a: b\r\n'\"{{ x }} # \\ ${AWS::Region} \u2028\u0085\x00\t*&!|>% é 😀 NO 012"
HALF = Decimal("0.5")
