"""A design by hand, as the planner would make it."""

from __future__ import annotations

import datetime as dt

from dyngen.design.model import (
    Attribute,
    Case,
    Computed,
    Const,
    Entity,
    Index,
    KeyAttribute,
    KeySchema,
    Natural,
    Param,
    Schema,
    Table,
    Test,
)
from dyngen.design.plans import (
    Alternative,
    DerivedKey,
    Design,
    EntityWrites,
    FanOut,
    FilterPlan,
    KeyEquals,
    KeyRange,
    KeyWrite,
    NativeValue,
    OrderKey,
    Parameter,
    ReadPlan,
    Route,
    TextValue,
    UpdatePlan,
    ValueWrite,
    WriteCase,
)
from dyngen.diagnostics.model import Span
from dyngen.keys.model import (
    Bound,
    Each,
    Encoded,
    Fixed,
    Given,
    Literal,
    Part,
    RangeForm,
    Template,
    Through,
)
from dyngen.spec.model import Action, Operator
from dyngen.types.model import Enum, Member, String, Timestamp

AT = Span("specs/orders.yaml", 1, 1, 1, 2)
STATUS = Enum("OrderStatus", (Member("PLACED", "PLACED"), Member("SHIPPED", "SHIPPED")))
STATUS_PART = Part("status", STATUS)
DATE_PART = Part("order_date", Timestamp())


def native(name: str) -> KeyEquals:
    return KeyEquals(name, "S", NativeValue(String(), Given(name)))


def texts(*pieces) -> TextValue:
    return TextValue(tuple(Literal(p) if isinstance(p, str) else p for p in pieces))


def given(part: Part, name: str | None = None, bound: Bound = Bound.EXACT) -> Encoded:
    return Encoded(part, Given(name or part.attribute), bound)


SCHEMA = Schema(
    "orders",
    (
        Table(
            "Orders",
            KeySchema(
                (KeyAttribute("customer_id", "S"),), (KeyAttribute("order_id", "S"),)
            ),
            (
                Index(
                    "ByStatus",
                    KeySchema(
                        (KeyAttribute("customer_id", "S"),),
                        (KeyAttribute("status#order_date", "S"),),
                    ),
                    AT,
                ),
            ),
            AT,
            description="Orders of all customers.",
        ),
    ),
    (
        Entity(
            "Order",
            "Orders",
            (
                Attribute("customer_id", "customer_id", String(), AT),
                Attribute("order_id", "order_id", String(), AT),
                Attribute("status", "status", STATUS, AT),
                Attribute("order_date", "order_date", Timestamp(), AT),
                Attribute("shipped_at", "shipped_at", Timestamp(), AT, optional=True),
                Attribute("note", "note", String(), AT, optional=True),
            ),
            {
                "customer_id": Natural("customer_id", AT),
                "order_id": Natural("order_id", AT),
                "status#order_date": Computed(
                    (Case(Template((STATUS_PART, Literal("#"), DATE_PART)), (), AT),),
                    AT,
                ),
            },
            AT,
            operations=frozenset({"get", "create", "update"}),
        ),
    ),
    description="Orders of an online shop.",
)


def read(name: str, *alternatives: Alternative | Route, **rest) -> ReadPlan:
    return ReadPlan(
        name,
        rest.pop("action", Action.QUERY),
        ("Order",),
        "Orders",
        rest.pop("parameters", ()),
        tuple(
            a if isinstance(a, Alternative) else Alternative(frozenset(), a)
            for a in alternatives
        ),
        (),
        **rest,
    )


CUSTOMER = native("customer_id")

GET = read(
    "order",
    Route(None, (CUSTOMER, native("order_id")), None),
    action=Action.GET,
    description="One order.",
)

BETWEEN = read(
    "orders_by_status_between",
    Route(
        "ByStatus",
        (CUSTOMER,),
        KeyRange(
            "status#order_date",
            "S",
            RangeForm.BETWEEN,
            texts(given(STATUS_PART), "#", given(DATE_PART, "order_date_from")),
            texts(
                given(STATUS_PART), "#", given(DATE_PART, "order_date_to"), Through("$")
            ),
        ),
        forward=False,
    ),
    order_by=(OrderKey("order_date", True),),
    page_size=10,
    max_page_size=100,
    description="A customer's orders of one status in a period.",
)

AFTER = read(
    "shipped_after",
    Route(
        "ByStatus",
        (CUSTOMER,),
        KeyRange(
            "status#order_date",
            "S",
            RangeForm.BETWEEN,
            texts("SHIPPED#", given(DATE_PART, "order_date_after", Bound.NEXT)),
            texts(
                "SHIPPED#",
                Encoded(DATE_PART, Fixed(dt.datetime(2026, 7, 1, tzinfo=dt.UTC))),
            ),
        ),
    ),
)

OPTIONAL = read(
    "orders_of_customer",
    Alternative(frozenset(), Route(None, (CUSTOMER,), None)),
    Alternative(
        frozenset({"status"}),
        Route(
            "ByStatus",
            (CUSTOMER,),
            KeyRange(
                "status#order_date",
                "S",
                RangeForm.BEGINS_WITH,
                texts(Encoded(STATUS_PART, Each("status")), "#"),
            ),
            fan_outs=(FanOut("status", STATUS, parameter="status_in"),),
            merge_by=(OrderKey("order_date", False),),
        ),
    ),
)

FILTERED = read(
    "late_orders",
    Route(None, (CUSTOMER,), None),
    filter=FilterPlan(
        (
            Test("status", Operator.EQ, (Const("PLACED", AT),), AT),
            Test("order_date", Operator.LT, (Param("before", Timestamp(), AT),), AT),
        ),
        at_most=50,
    ),
    consistent=True,
    one="true",
)

SCAN = read("all_orders", Route("ByStatus", (), None, scan=True), action=Action.SCAN)

SHIP = UpdatePlan(
    "ship",
    "Order",
    "Orders",
    (Parameter("customer_id", String(), AT),),
    (CUSTOMER, native("order_id")),
    (
        ValueWrite("set", "status", Fixed("SHIPPED"), type=STATUS),
        ValueWrite("set", "shipped_at", now=True, type=Timestamp()),
        ValueWrite("remove", "note"),
    ),
    (
        KeyWrite(
            "status#order_date",
            (WriteCase(texts("SHIPPED#", given(DATE_PART)).text),),
            "order_date is guarded",
        ),
    ),
    (Test("order_date", Operator.EQ, (Param("order_date", Timestamp(), AT),), AT),),
    description="Send an order off.",
)

DESIGN = Design(
    SCHEMA,
    (GET, BETWEEN, AFTER, OPTIONAL, FILTERED, SCAN),
    (SHIP,),
    (
        EntityWrites(
            "Order",
            (
                DerivedKey(
                    "status#order_date", ("status", "order_date"), ("ByStatus",), ((),)
                ),
            ),
            ("status", "order_date"),
        ),
    ),
)
