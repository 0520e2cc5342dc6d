"""Turning pydantic's errors into faults for users: line, place, value received, what would be accepted.

Read `fault_of` first. pydantic's locations are matched with the nodes of the YAML text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal, get_args, get_origin

import yaml
from pydantic import BaseModel

from battlesim.core.errors import Fault, did_you_mean

Loc = tuple[str | int, ...]
"""Where in a file a value stands: keys and indexes from the top."""


_SHOWN_STEPS = 10


def shown(value: object) -> str:
    """A value as messages show it: on one line, of at most 60 characters."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def worth_reporting(items: Sequence[Any], root: yaml.Node) -> list[Any]:
    """The errors worth reporting: only the first of several for one value that was tried as each branch of a union, with the
    `others` beside it, and none of a list that is too short, or no word of a few, because one of its items is wrong."""
    kept: dict[tuple[Loc, bool], Any] = {}
    places = [node_at(root, item["loc"], item["type"] in _OF_KEYS)[1] for item in items]
    for number, (item, place) in enumerate(zip(items, places, strict=True)):
        inner = any(other[: len(place)] == place and len(other) > len(place) for other in places)
        if item["type"] in ("too_short", "literal_error") and inner:
            continue
        keyed = item["type"] in _OF_KEYS
        # two validators of one mapping may each have something to say of it
        at = (place, keyed) if item["type"] != "refused" else ((*place, number), keyed)
        first = kept.setdefault(at, {**item, "others": []})
        if first["type"] != item["type"]:
            first["others"].append(item)
    return list(kept.values())


_OF_KEYS = ("missing", "extra_forbidden")  # errors whose location ends with a key, there or not


def fault_of(item: Any, model: type[BaseModel], root: yaml.Node, name: str) -> Fault:
    """An error of pydantic as a fault for users. `item`: one of `ValidationError.errors()`. `model`: of the whole file, `root`:
    its node, `name`: what the file is called."""
    node, loc = node_at(root, item["loc"], item["type"] in _OF_KEYS)
    error, value = item["type"], item["input"]
    what = f"{shown(value)} does not fit" if value is not None else "no value is given"
    remedy = _remedy_of(item)
    if error == "extra_forbidden":
        what = f"unknown key {shown(item['loc'][-1])}"
        owner = _model_at(model, item["loc"][:-1])
        remedy = did_you_mean(str(item["loc"][-1]), owner.model_fields) if owner else "remove it"
    elif error == "missing":
        key = item["loc"][-1]
        what = (
            f"item {key + 1} of the list is missing"
            if isinstance(key, int)
            else f"the key {key!r} is missing"
        )
        remedy = "add it"
    elif error == "refused":
        what, remedy = item["ctx"]["what"], item["ctx"]["remedy"]
    elif error == "literal_error" and isinstance(value, str):
        known = [part.strip("' ") for part in item["ctx"]["expected"].replace(" or ", ", ").split(",")]
        guess = did_you_mean(value, known)
        remedy = guess if guess.startswith("did") else _of_every_branch(item, remedy)
    elif error == "literal_error":
        remedy = _of_every_branch(item, remedy)
    elif error == "string_pattern_mismatch":
        remedy = (
            "use letters, digits, '-' and '_', without blanks"
            if "\\w" in item["ctx"]["pattern"]
            else "use one line of printable text"
        )
    elif error == "string_type" and not isinstance(value, list | dict | None):
        remedy = "should be text: put it in quotes"
    elif error in ("union_tag_not_found", "union_tag_invalid"):
        key = item["ctx"]["discriminator"].strip("'")
        if error == "union_tag_not_found":
            what, remedy = f"the key {key!r} is missing", "add it"
        else:
            what = f"unknown {key} {shown(item['ctx']['tag'])}"
            known = [part.strip("' ") for part in item["ctx"]["expected_tags"].split(",")]
            remedy = did_you_mean(item["ctx"]["tag"], known)
    elif error in ("dict_type", "model_type", "model_attributes_type"):
        remedy = "should be a table of 'key: value' lines"
    elif error in ("too_short", "string_too_short") and not value:
        what = f"{shown(value)} is empty"
    return Fault(what, remedy, name, line_of(node), place_of(loc))


def _of_every_branch(item: Any, remedy: str) -> str:
    """What would be accepted where a word may stand beside something else: a number, a list."""
    others = (_remedy_of(other).removeprefix("should be ") for other in item.get("others", ()))
    return ", or ".join(dict.fromkeys((remedy, *others)))


_REMEDIES = {
    "list_type": "should be a list",
    "tuple_type": "should be a list",
    "too_short": "give at least {min_length}",
    "too_long": "give at most {max_length}",
    "string_too_short": "write at least {min_length} character{s}",
    "string_too_long": "write at most {max_length} characters",
    "greater_than_equal": "should be {ge} or more",
    "greater_than": "should be more than {gt}",
    "less_than_equal": "should be {le} or less",
    "less_than": "should be less than {lt}",
    "bool_type": "write true or false",
    "bool_parsing": "write true or false",
    "string_type": "should be text",
    "int_type": "should be a whole number",
    "int_parsing": "should be a whole number",
    "int_from_float": "should be a whole number",
    "float_type": "should be a number",
    "float_parsing": "should be a number",
    "finite_number": "should be an ordinary number",
}
"""What would do, by pydantic's name of an error."""


def _remedy_of(item: Any) -> str:
    """What would be accepted, in our words; in pydantic's for an error that no table of battlesim makes."""
    said = _REMEDIES.get(item["type"])
    if said is None:
        return str(item["msg"].replace("Input should be", "should be"))
    context = item.get("ctx", {})
    return said.format(s="" if context.get("min_length") == 1 else "s", **context)


def node_at(root: Any, loc: Sequence[str | int], keyed: bool = False) -> tuple[Any, Loc]:
    """The node nearest to a pydantic location, and the location without the steps that are no part of the file.

    A location names the branch taken of a union as well ('lattice'): such a step is in no table, and is passed over;
    but where the location is `keyed`, its last step is a key that is missing.
    """
    node, path, mark = root, [], root
    for number, step in enumerate(loc):
        if isinstance(node, yaml.MappingNode):
            for key_node, value_node in node.value:
                if isinstance(key_node, yaml.ScalarNode) and key_node.value == step:
                    node, mark = value_node, key_node
                    path.append(step)
                    break
            else:
                if keyed and number == len(loc) - 1:
                    path.append(step)
        elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
            node = mark = node.value[step]
            path.append(step)
    return mark, tuple(path)


def _model_at(kind: Any, loc: Sequence[str | int]) -> type[BaseModel] | None:
    """The model that stands at a pydantic location, so that a message can list the keys it knows."""
    origin = get_origin(kind)
    if origin is Annotated:
        return _model_at(get_args(kind)[0], loc)
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        if not loc:
            return kind
        field = kind.model_fields.get(str(loc[0]))
        if field is None:
            # the name of a branch that a function or the class's own name chose
            return _model_at(kind, loc[1:]) if loc[0] in (kind.__name__, _tag_of(kind)) else None
        return _model_at(field.annotation, loc[1:])
    arguments = [part for part in get_args(kind) if part not in (type(None), Ellipsis)]
    if origin in (list, tuple, dict) and loc:
        return _model_at(arguments[-1], loc[1:])
    # Any other generic here is a union: the branch named by the location, or else the only model that fits.
    for part in arguments:
        if loc and loc[0] in (getattr(part, "__name__", None), _tag_of(part)):
            return _model_at(part, loc[1:])
    for part in arguments:
        found = _model_at(part, loc)
        if found is not None:
            return found
    return None


def _tag_of(kind: Any) -> str | None:
    if isinstance(kind, type) and issubclass(kind, BaseModel) and "kind" in kind.model_fields:
        annotation = kind.model_fields["kind"].annotation
        if get_origin(annotation) is Literal:
            return str(get_args(annotation)[0])
    return None


def line_of(node: Any) -> int:
    """The line on which a node begins, from 1; 0 for None."""
    return node.start_mark.line + 1 if node is not None and node.start_mark is not None else 0


def place_of(loc: Sequence[str | int]) -> str:
    """A location as text, of at most ten steps.

    >>> place_of(("buildings", 2, "sections", 0, "polygon"))
    'buildings[2].sections[0].polygon'
    """
    text = ""
    for step in loc[:_SHOWN_STEPS]:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text + ("..." if len(loc) > _SHOWN_STEPS else "")
