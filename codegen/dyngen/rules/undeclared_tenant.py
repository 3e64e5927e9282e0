"""There is a tenant, and nothing keeps tenants apart.

## What it checks

An entity has an attribute `tenant` or `tenant_id`, and the spec does not declare `tenant`.

## Why it matters

With `tenant: tenant_id`, every partition key in use must contain the tenant: a pattern that could read the
items of two tenants is refused when it is built, and a cursor of one tenant is worth nothing to another.
Without it, one forgotten key part is a data leak that no test of a single tenant shows, and access policies
by leading key (AWS: specifying-conditions.html) have nothing to hold on to.

## A bad spec

```yaml
dyngen: 1
service: invoicing
tables:
  Invoices: {partition_key: [tenant_id, customer_id], sort_key: invoice_id}
entities:
  Invoice:
    attributes: {tenant_id: uuid, customer_id: uuid, invoice_id: ulid}     # DG318
access_patterns:
  invoices: {query: Invoice, where: {tenant_id: eq, customer_id: eq}}
```

## A good spec

```yaml
dyngen: 1
service: invoicing
tenant: tenant_id
tables:
  Invoices: {partition_key: [tenant_id, customer_id], sort_key: invoice_id}
entities:
  Invoice:
    attributes: {tenant_id: uuid, customer_id: uuid, invoice_id: ulid}
access_patterns:
  invoices: {query: Invoice, where: {tenant_id: eq, customer_id: eq}}
```

## When to ignore it

The service reads across tenants by design, as a back office does.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.diagnostics.model import Severity
from dyngen.rules.support.subject import Finding, Subject
from dyngen.rules.support.words import TENANTS, words

CODE = "DG318"
SEVERITY = Severity.ADVICE


def check(subject: Subject) -> Iterator[Finding]:
    """The first tenant that is not declared."""
    if subject.spec.tenant is not None:
        return
    for entity in subject.schema.entities:
        for attribute in entity.attributes:
            if "_".join(words(attribute.name)) in TENANTS:
                yield Finding(
                    subject.spec,
                    f"`{attribute.name}` is not declared as the tenant",
                    attribute.span,
                    "nothing checks that every key holds it",
                    help=(
                        f"`tenant: {attribute.name}` at the top of the spec: patterns that could "
                        "read across tenants are refused then",
                    ),
                )
                return
