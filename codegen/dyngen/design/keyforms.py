"""How an entity fills the key attributes of its table: naturally, or computed in one or more cases."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from itertools import combinations

from dyngen.design.conditions import Role, resolve_where
from dyngen.design.contents import needed
from dyngen.design.layout import Draft, Layout, Slot, meant_by, misspelt_keys
from dyngen.design.model import (
    Attribute,
    Case,
    Computed,
    KeyForm,
    Natural,
    Test,
)
from dyngen.design.templates import key_template
from dyngen.design.values import describe
from dyngen.design.valuesets import ValueSet, conjunction, universe
from dyngen.diagnostics.build import Reporter
from dyngen.diagnostics.model import Diagnostic, Label
from dyngen.diagnostics.suggest import did_you_mean, listed
from dyngen.keys.model import Template
from dyngen.spec import model as spec
from dyngen.types.model import Boolean, Enum, key_type


@dataclass(frozen=True, slots=True)
class Forms:
    """The key forms of one entity; `broken` are key attributes with a form that could not be resolved."""

    by_name: dict[str, KeyForm]
    broken: frozenset[str]


def resolve_forms(
    draft: Draft, layout: Layout, orphans: Collection[str]
) -> tuple[Forms, list[Diagnostic]]:
    """The form of every key attribute that the entity can have, and what is wrong with its keys.

    `orphans` are key attributes that no entity has, which was reported.
    """
    resolver = _Resolver(draft, layout, broken=set(orphans))
    resolver.unknown_keys()
    forms: dict[str, KeyForm] = {}
    for slot in layout.slots().values():
        form = resolver.form(slot)
        if form is not None:
            forms[slot.name] = form
    resolver.table_key(forms)
    resolver.lonely_keys(forms)
    return Forms(forms, frozenset(resolver.broken)), resolver.found


@dataclass(slots=True)
class _Resolver(Reporter):
    draft: Draft
    layout: Layout
    broken: set[str] = field(default_factory=set)

    # --- forms -----------------------------------------------------------------------------------------

    def form(self, slot: Slot) -> KeyForm | None:
        """The form of one key attribute; None if the entity does not have it, or it is broken."""
        declared = self.draft.key(slot.name)
        if declared is not None:
            return self.computed(declared)
        if slot.parts:
            return self.composite(slot)
        name = self.draft.attribute_at(slot.name)
        if name is None:
            return None
        if self.draft.stored[name] != slot.name:
            self.broken.add(slot.name)  # stored under two names: reported by the layout
            return None
        return self.natural(slot, name)

    def natural(self, slot: Slot, name: str) -> KeyForm | None:
        attribute = self.attribute(name)
        if attribute is None:
            self.broken.add(slot.name)
            return None
        if key_type(attribute.type) is None:
            self.broken.add(slot.name)
            self.report(
                "DG123",
                f"`{name}` is {describe(attribute.type)}, which cannot be a key",
                slot.span,
                (
                    "DynamoDB's keys are strings, numbers and binaries; "
                    f'compute one from it: `keys: {{{name}_key: "{{{name}}}"}}`'
                    if isinstance(attribute.type, Boolean)
                    else "DynamoDB's keys are strings, numbers and binaries"
                ),
                [Label(attribute.span, f"`{name}` is declared here")],
            )
            return None
        return Natural(name, attribute.span)

    def composite(self, slot: Slot) -> KeyForm | None:
        names = [self.draft.attribute_at(part.text) for part in slot.parts]
        known = [name for name in names if name is not None]
        if len(known) < len(names) or self.taken(spec.Name(slot.name, slot.span)):
            return None
        delimiter = self.layout.encoding.delimiter
        text = delimiter.join(f"{{{name}}}" for name in known)
        template = self.template(spec.Name(text, slot.span), None)
        if template is None:
            self.broken.add(slot.name)
            return None
        return Computed((Case(template, (), slot.span),), slot.span)

    def taken(self, key: spec.Name) -> bool:
        """Whether an attribute is stored under the name of a computed key, which is reported."""
        attribute = next(
            (a for a in self.draft.attributes.all if a.stored == key.text), None
        )
        if attribute is None:
            return False
        self.broken.add(key.text)
        self.report(
            "DG109",
            f"`{key.text}` is both a computed key and an attribute of {self.draft.name}",
            key.span,
            "leave it out of the computed keys to use the attribute's value as it is, "
            "or give one of them another name",
            [Label(attribute.span, "the attribute")],
        )
        return True

    def computed(self, declared: spec.KeyDecl) -> KeyForm | None:
        if self.taken(declared.name):
            return None
        cases: list[Case] = []
        for written in declared.cases:
            template = self.template(written.value, written.shards)
            when = self.when(written)
            if template is not None and when is not None:
                cases.append(Case(template, when, written.span))
        if len(cases) < len(declared.cases) or not cases:
            self.broken.add(declared.name.text)
            return None
        self.disjoint(declared, cases)
        return Computed(tuple(cases), declared.span)

    def template(self, text: spec.Name, shards: spec.Shards | None) -> Template | None:
        template, found = key_template(text, self.draft, self.layout.encoding, shards)
        self.found.extend(found)
        return template

    # --- cases -----------------------------------------------------------------------------------------

    def when(self, case: spec.KeyCase) -> tuple[Test, ...] | None:
        """The conditions of a case; None if one is broken."""
        conditions, _, found = resolve_where(
            case.when,
            self.draft.bare,
            role=Role.WHEN,
            broken=self.draft.attributes.broken,
        )
        self.found.extend(found)
        tests = tuple(c for c in conditions if isinstance(c, Test))
        wanted = len(case.when.conditions) if case.when else 0
        if len(tests) < wanted:
            return None
        for name, values in self.values(tests).items():
            if values.empty and case.when is not None:
                self.report(
                    "DG127",
                    f"this `when` never holds: no value of `{name}` meets it",
                    case.when.span,
                    "leave the case out, or correct the condition",
                )
                return None
        return tests

    def values(self, tests: tuple[Test, ...]) -> dict[str, ValueSet]:
        """Per attribute in the tests, the values that satisfy them."""
        names = dict.fromkeys(test.attribute for test in tests)
        found = {}
        for name in names:
            attribute = self.attribute(name)
            if attribute is not None:
                found[name] = conjunction(
                    [t for t in tests if t.attribute == name],
                    attribute.type,
                    optional=attribute.optional,
                )
        return found

    def disjoint(self, declared: spec.KeyDecl, cases: list[Case]) -> None:
        """DG126: two cases that can hold for one item would give it two keys."""
        for first, second in combinations(cases, 2):
            ours, theirs = self.values(first.when), self.values(second.when)
            if any(ours[n].intersect(theirs[n]).empty for n in ours.keys() & theirs):
                continue
            tested = dict.fromkeys([*ours, *theirs])
            self.report(
                "DG126",
                f"two cases of `{declared.name.text}` can hold for one item",
                second.span,
                (
                    "make their `when` exclude one another, "
                    f"by conditions on {listed(tested)} that cannot both be true"
                    if tested
                    else "give each a `when`, and let these exclude one another"
                ),
                [Label(first.span, "the other case")],
            )

    # --- the table's key ---------------------------------------------------------------------------------

    def table_key(self, forms: dict[str, KeyForm]) -> None:
        """Every item must always have the table's key."""
        for slot in self.layout.key.slots:
            form = forms.get(slot.name)
            match form:
                case Natural(attribute=name):
                    self.required(slot, [name])
                case Computed():
                    for case in form.cases:
                        self.required(slot, list(needed(case.template)))
                    self.exhaustive(slot, form)
                case None if slot.name not in self.broken:
                    self.missing(slot)

    def missing(self, slot: Slot) -> None:
        if slot.name in misspelt_keys(self.layout, [self.draft]):
            return
        lacking = next(
            (p for p in slot.parts if self.draft.attribute_at(p.text) is None), None
        )
        word = slot.name if lacking is None else lacking.text
        self.report(
            "DG124",
            f"{self.draft.name} has no `{word}`, "
            f"which the key of `{self.draft.table}` needs",
            self.draft.written.name.span,
            did_you_mean(
                word,
                [*self.draft.stored, *(k.name.text for k in self.draft.written.keys)],
            )
            or (
                f"add an attribute `{word}`"
                + ("" if lacking else f', or a computed key: `keys: {{{word}: "..."}}`')
            ),
            [Label(slot.span, "part of the table's key")],
        )

    def required(self, slot: Slot, names: list[str]) -> None:
        for name in dict.fromkeys(names):
            attribute = self.attribute(name)
            if attribute is not None and attribute.optional:
                declared = self.draft.key(slot.name)
                self.report(
                    "DG124",
                    f"`{name}` is optional, but the table's key `{slot.name}` needs it",
                    attribute.span,
                    (
                        f"give a text that stands for a missing value: `{{{name}|none}}`"
                        if declared
                        else "an item without it could not be stored: "
                        "leave `optional` out"
                    ),
                    [Label(declared.span if declared else slot.span, "needed here")],
                )

    def exhaustive(self, slot: Slot, form: Computed) -> None:
        """DG127 where an item of the entity could be in no case."""
        if not any(case.when for case in form.cases):
            return
        tested = {t.attribute for case in form.cases for t in case.when}
        if len(tested) == 1 and all(case.when for case in form.cases):
            attribute = self.attribute(next(iter(tested)))
            if attribute is not None and isinstance(attribute.type, Enum | Boolean):
                sets = [self.values(case.when)[attribute.name] for case in form.cases]
                every = universe(attribute.type, optional=attribute.optional)
                points = [ValueSet((point,)) for point in every.present]
                points += [ValueSet((), absent=True)] if every.absent else []
                if all(any(p.within(values) for values in sets) for p in points):
                    return
        self.report(
            "DG127",
            f"an item of {self.draft.name} might have no `{slot.name}`, "
            "which is the table's key",
            form.span,
            "let the cases cover every value of one enum or boolean attribute, "
            "or leave `when` out",
            [Label(slot.span, "the table's key")],
        )

    # --- declared, but of no use -----------------------------------------------------------------------------

    def unknown_keys(self) -> None:
        """DG125: computed keys that neither the table nor an index has."""
        slots = self.layout.slots()
        for key in self.draft.written.keys:
            if key.name.text not in slots:
                meant = meant_by(key, self.layout, self.draft)
                self.report(
                    "DG125",
                    f"no key of `{self.draft.table}` is called `{key.name.text}`",
                    key.name.span,
                    did_you_mean(key.name.text, slots)
                    or f"its keys are {listed(slots, 'and')}; "
                    "name it as an index's `partition_key` or `sort_key`",
                    (
                        [Label(slots[meant].span, f"`{meant}` is named here")]
                        if meant
                        else ()
                    ),
                )
                self.computed(key)

    def lonely_keys(self, forms: dict[str, KeyForm]) -> None:
        """DG128: a computed key all of whose indexes lack another key attribute of the entity."""
        have = forms.keys() | self.broken
        own = {slot.name for slot in self.layout.key.slots}
        for key in self.draft.written.keys:
            places = [
                place
                for place in self.layout.indexes
                if key.name.text in [s.name for s in place.slots]
            ]
            if key.name.text in own | self.broken or not places:
                continue
            lacking = [
                next((s for s in place.slots if s.name not in have), None)
                for place in places
            ]
            if None in lacking:
                continue
            first = next(slot for slot in lacking if slot is not None)
            self.report(
                "DG128",
                f"{self.draft.name} computes `{key.name.text}`, but has no "
                f"`{first.name}`, so it is in no index",
                key.name.span,
                f"add `{first.name}` to its keys, or leave `{key.name.text}` out",
                [Label(first.span, "the other key attribute")],
            )

    # --- helpers -----------------------------------------------------------------------------------------

    def attribute(self, name: str) -> Attribute | None:
        return next((a for a in self.draft.attributes.all if a.name == name), None)
