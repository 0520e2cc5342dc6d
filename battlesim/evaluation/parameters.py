"""Parameters of judgement: what a rulebook's players can be told to weigh differently, each declared once.

A rulebook declares its parameters as the fields of a frozen struct, its *judgement*. Each field has a name, a meaning, a range
and a default:

    class Judgement(Struct, frozen=True):
        dealt: Annotated[float, Meta(ge=0, le=10, description="what the enemy's expected losses count")] = 1.4

A field's meta may hold in its `extra`, as `found`, a value that a search found to be better than the default
(`doctrine,character=discovered` plays by these).

Estimators take a judgement and use it everywhere, nested choices included. `weights_of` takes from it the weights of
`Features`, which have the same names. A rulebook that never uses a feature declares no weight for it: every declared parameter
can be set and searched, so it must have an effect. Read `judgement_with`.

>>> judgement_with(Weights, {"exposure": 0.8}).exposure
0.8
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple, TypeVar, get_args, get_origin, get_type_hints

from msgspec import Meta, Struct

from battlesim.core.errors import Fault, InputError
from battlesim.core.memo import memo
from battlesim.rules.contract import SENSIBLE, Features

RATHER = 0.01
"""Points given to an act so that it is preferred to an equal alternative: it only breaks ties, and is not a parameter."""

AnyJudgement = TypeVar("AnyJudgement", bound=Struct)


class Parameter(NamedTuple):
    """One parameter of judgement: `low` and `high` are its bounds. `found`: the value that a search found and confirmed; None if
    no search beat the defaults."""

    name: str
    meaning: str
    low: float
    high: float
    default: float
    found: float | None = None


@memo(bound=16)
def parameters_of(judgement: type[Struct]) -> tuple[Parameter, ...]:
    """The parameters that a struct declares, in its order. Raises TypeError for a field without a meaning or a range."""
    hints: dict[str, Any] = get_type_hints(judgement, include_extras=True)
    usual = judgement()
    found: list[Parameter] = []
    for name in judgement.__struct_fields__:
        meta = next((m for m in get_args(hints[name]) if isinstance(m, Meta)), None)
        if get_origin(hints[name]) is not Annotated or meta is None or not meta.description:
            raise TypeError(f"{judgement.__name__}.{name} has no description")
        if meta.ge is None or meta.le is None:
            raise TypeError(f"{judgement.__name__}.{name} has no range")
        found.append(
            Parameter(
                name,
                meta.description,
                float(meta.ge),
                float(meta.le),
                float(getattr(usual, name)),
                (meta.extra or {}).get("found"),
            )
        )
    return tuple(found)


def judgement_with(judgement: type[AnyJudgement], settings: Mapping[str, float]) -> AnyJudgement:
    """A judgement with some parameters set and all others at their defaults. Raises InputError for an undeclared name or a value
    out of range."""
    known = {parameter.name: parameter for parameter in parameters_of(judgement)}
    for name, value in settings.items():
        declared = known.get(name)
        if declared is None:
            raise InputError(Fault(f"no parameter {name!r}", f"give one of {', '.join(known)}"))
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number or not declared.low <= value <= declared.high:
            what = f"give a number from {declared.low:g} to {declared.high:g}: {declared.meaning}"
            raise InputError(Fault(f"{name}={value!r} is out of range", what))
    return judgement(**settings)


class Weights(Struct, frozen=True):
    """The default judgement of a rulebook that declares none: the weights of `Features`."""

    dealt: Annotated[float, Meta(description="weight of the enemy's expected losses", ge=0, le=10)] = (
        SENSIBLE.dealt
    )
    taken: Annotated[float, Meta(description="weight of own expected losses in the act", ge=0, le=10)] = (
        SENSIBLE.taken
    )
    exposure: Annotated[float, Meta(description="weight of the enemy's fire to come", ge=0, le=10)] = (
        SENSIBLE.exposure
    )
    progress: Annotated[float, Meta(description="weight of nearness to objectives", ge=0, le=10)] = (
        SENSIBLE.progress
    )
    hold: Annotated[float, Meta(description="weight of objectives stood on", ge=0, le=10)] = SENSIBLE.hold
    nerve: Annotated[float, Meta(description="weight of steadiness", ge=0, le=10)] = SENSIBLE.nerve
    ready: Annotated[float, Meta(description="weight of being able to act later", ge=0, le=10)] = (
        SENSIBLE.ready
    )
    risk: Annotated[float, Meta(description="weight of what the act itself may lose", ge=0, le=10)] = (
        SENSIBLE.risk
    )
    waste: Annotated[float, Meta(description="weight of what is spent for nothing", ge=0, le=10)] = (
        SENSIBLE.waste
    )


_USUAL = tuple((name, getattr(SENSIBLE, name)) for name in Features.__struct_fields__)


def weights_of(judgement: Struct) -> Features:
    """The weights of `Features` in a judgement; weights that it does not declare come from `SENSIBLE`. Raises InputError for
    anything but a struct."""
    given: object = judgement
    if not isinstance(given, Struct):
        what = f"{judgement!r:.60} is not a judgement"
        raise InputError(Fault(what, "make one: judgement(RULEBOOK, exposure=0.8)"))
    return Features(*[getattr(judgement, name, usual) for name, usual in _USUAL])
