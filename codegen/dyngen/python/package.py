"""The generated Python package as texts by path: rendered, parsed, and not yet formatted."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from importlib.resources import files

from dyngen.design.model import Schema
from dyngen.design.plans import Design
from dyngen.python import modules, names
from dyngen.python.entities import enums, models, objects, projection_class, projections
from dyngen.python.literals import docstring, text
from dyngen.python.model.repository import Repository
from dyngen.python.modes import modes
from dyngen.python.repositories import repository
from dyngen.python.services import service, summary
from dyngen.render.environment import environment

RUNTIME = "_runtime"
"""The folder, inside the package, of what all packages share."""


def package_files(design: Design, header: str) -> dict[str, str]:
    """Every file of the package, by its path below the folder of the service's output.

    `header` is the first line of every Python file, a comment. Raises SyntaxError should a file not
    be Python, which would be a fault of a template.
    """
    schema = design.schema
    repositories = {e.name: repository(e, design) for e in schema.entities}
    own = _own_names(design, repositories.values())
    private = _private_names(schema)
    found = {
        "__init__.py": _init(design, own, header),
        "models.py": _models(design, header),
        "service.py": _service(design, private | own, header),
    }
    for entity in schema.entities:
        module = names.repository_module(entity.name)
        body = _render("entity_repository", repository=repositories[entity.name])
        said = f"Access patterns of {entity.name}, in table {entity.table}."
        found[f"{module}.py"] = _module(header, said, body, private | own, module)
    for path, source in found.items():
        ast.parse(source, path)
    for name, source in runtime_files().items():
        found[f"{RUNTIME}/{name}"] = f"{header}\n{source}"
    found["py.typed"] = ""
    return {f"{schema.service}/{path}": source for path, source in found.items()}


def runtime_files() -> dict[str, str]:
    """The modules of the runtime, by file name."""
    entries = sorted(files("dyngen.runtime").iterdir(), key=lambda entry: entry.name)
    return {
        entry.name: entry.read_text(encoding="utf-8")
        for entry in entries
        if entry.name.endswith(".py")
    }


# --- modules --------------------------------------------------------------------------------------


def _own_names(design: Design, repositories: Iterable[Repository]) -> dict[str, str]:
    """What the modules of the package offer each other: names, with the modules that define them."""
    schema = design.schema
    found = {names.class_name(of.name): "models" for of in enums(schema)}
    found |= {names.class_name(of.name): "models" for of in objects(schema)}
    for entity, made in zip(schema.entities, repositories, strict=True):
        module = names.repository_module(entity.name)
        found |= {made.entity: "models", made.key_class: "models"}
        for plan in projections(entity, design.reads):
            found[projection_class(plan)] = "models"
        found |= {each.name: module for each in made.classes}
        if made.changes is not None:
            found[made.changes.name] = module
    return found


def _private_names(schema: Schema) -> dict[str, str]:
    """What modules of the package call each other's private functions."""
    found = {}
    for entity in schema.entities:
        module = names.repository_module(entity.name)
        found[names.foreign_decoder(entity.name)] = f"{module}:_decode"
        found[names.foreign_encoder(entity.name)] = f"{module}:_encode"
        found[names.foreign_key(entity.name)] = f"{module}:_key"
        found[names.foreign_markers(entity.name)] = f"{module}:_markers"
        found[names.foreign_recogniser(entity.name)] = f"{module}:_is_own"
    return found


def _init(design: Design, own: Mapping[str, str], header: str) -> str:
    schema = design.schema
    service = names.service_class(schema.service, (e.name for e in schema.entities))
    exported = {name: f".{module}" for name, module in own.items()}
    offered = list(names.EXPORTED)
    for mode in modes(design.client):
        exported[f"{mode.prefix}{service}"] = ".service"
        offered += mode.exports
    exported |= {name: modules.RUNTIME_NAMES[name] for name in offered}
    return _render(
        "module",
        header=header,
        docstring=docstring(summary(schema), 0),
        future=False,
        imports="\n".join(modules.from_imports(exported)),
        body=_render("package", exported=[text(name) for name in sorted(exported)]),
    )


def _models(design: Design, header: str) -> str:
    body = _render("models", models=models(design.schema, design.reads))
    return _module(header, f"The types of {design.schema.service}.", body, {}, "models")


def _service(design: Design, own: Mapping[str, str], header: str) -> str:
    body = _render("service", service=service(design))
    said = "The service: one repository for each entity."
    return _module(header, said, body, own, "service")


def _module(
    header: str, said: str, body: str, own: Mapping[str, str], module: str
) -> str:
    others = {
        name: f".{place}"
        for name, place in own.items()
        if place.partition(":")[0] != module
    }
    return _render(
        "module",
        header=header,
        docstring=docstring(said, 0),
        future=True,
        imports=modules.imports(body, others),
        body=body,
    )


def _render(template: str, **context: object) -> str:
    return environment().get_template(f"python/{template}.py.j2").render(context)
