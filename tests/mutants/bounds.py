"""Faults of the range that a read asks for."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from dyngen.design.model import Attribute
from dyngen.keys.model import Part

from .edits import Edit, Module, Package, called, keyword
from .kind import Kind, in_modules
from .reads import Found, reads


def _successor_dropped(module: Module) -> Iterator[Edit]:
    """`through` and `after` make a bound cover, or pass, all keys that continue it."""
    for name in ("through", "after"):
        for call in module.calls(f".keytext.{name}"):
            yield module.replace(call, module.text(call.args[0]))


def _exclusive_made_inclusive(package: Package) -> Iterator[Edit]:
    for read in reads(package):
        for _, range_ in read.ranges:
            for node in ast.walk(range_):
                for name in (".next", ".previous"):
                    if isinstance(node, ast.Call) and called(node).endswith(name):
                        whole = read.module.text(node)
                        yield read.module.replace(
                            node, whole.replace(f"{name}(", ".text(", 1)
                        )
            for side in ("low_exclusive", "high_exclusive"):
                found = keyword(range_, side)
                if found is not None:
                    yield read.module.replace(found, f"{side}=False")
            for exclusive, inclusive in (("above", "at_least"), ("below", "at_most")):
                if called(range_) == f".streams.{exclusive}":
                    yield read.module.replace(range_.func, f"streams.{inclusive}")


def _inclusive_made_exclusive(package: Package) -> Iterator[Edit]:
    for read in reads(package):
        for _, range_ in read.ranges:
            match called(range_):
                case ".streams.between":
                    for side in ("low", "high"):
                        given = keyword(range_, f"{side}_exclusive")
                        if given is None and read.reaches_keys(side):
                            argument = f"{side}_exclusive=True"
                            yield read.module.append(range_, argument)
                case ".streams.at_least" if read.reaches_keys("low"):
                    yield read.module.replace(range_.func, "streams.above")
                case ".streams.at_most" if read.reaches_keys("high"):
                    yield read.module.replace(range_.func, "streams.below")


def _delimiter_dropped(package: Package) -> Iterator[Edit]:
    """`a#1` then also begins the keys of `a#10`."""
    for read in reads(package):
        for stream, range_ in read.ranges:
            for node in ast.walk(range_ if _is_prefix(range_) else ast.Pass()):
                match node:
                    case ast.JoinedStr(
                        values=[*_, ast.FormattedValue(value=value), ast.Constant()]
                    ) if _may_go_on(read, value) and not _is_fixed(stream, node):
                        text = read.module.text(node)
                        without = text[: text.rindex("}") + 1] + text[-1]
                        yield read.module.replace(node, without)


def _is_prefix(range_: ast.Call) -> bool:
    return called(range_) == ".streams.begins_with"


def _may_go_on(read: Found, value: ast.expr) -> bool:
    """Whether the text of one value can begin the text of another: not if all are of one length."""
    match value:
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id=name)), args=[ast.Name(id=argument)]
        ):
            encoder = read.module.constant(name)
            attribute = read.attribute_of(argument)
        case _:
            return False
    if attribute is not None and _is_bucket(attribute):
        return False
    match encoder:
        case ast.Call(func=ast.Attribute(attr="Choice"), args=[texts, *_]):
            found = ast.literal_eval(texts)
            return any(a != b and b.startswith(a) for a in found for b in found)
        case ast.Call(func=ast.Attribute(attr="Text" | "Binary")):
            lengths = [keyword(encoder, f"{end}_length") for end in ("min", "max")]
            least, most = (each and ast.unparse(each.value) for each in lengths)
            return least is None or least != most
        case _:
            return False


def _is_bucket(attribute: Attribute) -> bool:
    """Whether it is computed from parts of moments alone, which have so many digits."""
    return attribute.computed is not None and all(
        piece.bucket is not None
        for piece in attribute.computed.pieces
        if isinstance(piece, Part)
    )


def _part_dropped(package: Package) -> Iterator[Edit]:
    """The prefix of a key without its last value: all values are found."""
    for read in reads(package):
        for stream, range_ in read.ranges:
            for node in ast.walk(range_ if _is_prefix(range_) else ast.Pass()):
                if isinstance(node, ast.JoinedStr):
                    rest = _without_last_value(node)
                    if rest.values and not _is_fixed(stream, node):
                        yield read.module.replace(node, ast.unparse(rest))


def _is_fixed(stream: ast.Call, text: ast.JoinedStr) -> bool:
    """Whether the last value of a text is also that of an attribute which the stream fixes."""
    values = [each for each in text.values if isinstance(each, ast.FormattedValue)]
    return bool(values) and _arguments(values[-1]) <= _arguments(stream.args[0])


def _arguments(node: ast.expr) -> set[str]:
    """What is encoded in an expression."""
    return {
        argument.id
        for call in ast.walk(node)
        if isinstance(call, ast.Call)
        for argument in call.args
        if isinstance(argument, ast.Name)
    }


def _without_last_value(text: ast.JoinedStr) -> ast.JoinedStr:
    at = max(
        (
            n
            for n, each in enumerate(text.values)
            if isinstance(each, ast.FormattedValue)
        ),
        default=0,
    )
    return ast.JoinedStr(text.values[:at])


BOUNDS = (
    Kind("bound without its successor", in_modules(_successor_dropped)),
    Kind("exclusive bound made inclusive", _exclusive_made_inclusive),
    Kind("inclusive bound made exclusive", _inclusive_made_exclusive),
    Kind("delimiter dropped", _delimiter_dropped),
    Kind("part of a prefix dropped", _part_dropped),
)
