"""Rulesets by name: those that ship, and those that other installed packages offer. Read `find_ruleset`.

A ruleset is one folder. One that ships lies beside this module; another lies in a package of its own, which names it by an entry
point of the group `battlesim.rulesets` (name of the ruleset = module:RULESET). The folder of that module holds `clauses.toml`,
`story.toml` and, if it likes, `scenarios/`.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from battlesim.core import plugins
from battlesim.core.errors import BattlesimError, Fault, InputError, did_you_mean
from battlesim.core.plugins import Offer
from battlesim.rules.contract import Ruleset
from battlesim.rules.registry import read_clauses

RULESETS: tuple[str, ...] = tuple(
    sorted(path.parent.name for path in Path(__file__).parent.glob("*/ruleset.py"))
)
"""The rulesets that ship: the packages beside this module that have a `ruleset` module."""
_FOUND: dict[str, Ruleset] = {}
"""Rulesets that were found before: they are asked for often, and their names never change in a process."""


def find_ruleset(name: str) -> Ruleset:
    """The ruleset of that name. Raises InputError with the known names where there is none, or with what is wrong with it."""
    found = _FOUND.get(name)
    if found is None:
        found = _FOUND[name] = _find(name)
    return found


def installed_rulesets() -> dict[str, str]:
    """The rulesets that other installed packages offer: name -> package and version. The name of one that ships is taken."""
    return {
        name: " and ".join(offer.package for offer in offered)
        for name, offered in plugins.offers(plugins.RULESETS).items()
        if name not in RULESETS
    }


def taken_names() -> dict[str, str]:
    """Names of rulesets that ship and that another installed package offers in vain: name -> package and version."""
    offered = plugins.offers(plugins.RULESETS)
    return {name: offered[name][0].package for name in RULESETS if name in offered}


def _find(name: str) -> Ruleset:
    if name in RULESETS:
        module = f"battlesim.rulesets.{name}.ruleset"
        return _loaded(Offer(name, f"{module}:RULESET", "battlesim"))
    offered = plugins.offers(plugins.RULESETS)
    if name not in offered:
        raise InputError(Fault(f"unknown ruleset {name!r}", did_you_mean(name, [*RULESETS, *offered])))
    if len(offered[name]) > 1:
        packages = " and ".join(offer.package for offer in offered[name])
        raise InputError(Fault(f"two packages offer the ruleset {name!r}: {packages}", "uninstall one"))
    return _loaded(offered[name][0])


def _loaded(offer: Offer) -> Ruleset:
    """The ruleset that an entry point leads to. Raises InputError where that is not one."""
    who = f"the ruleset {offer.name!r} of package {offer.package}"
    try:
        found = import_module(offer.module)
        for part in offer.attribute.split("."):
            found = getattr(found, part)
    except (KeyboardInterrupt, BattlesimError):
        raise  # a data file that is wrong says so itself
    except BaseException as error:  # a module may raise anything, SystemExit too
        what = f"{who} cannot be loaded: {type(error).__name__}: {error}"
        raise InputError(Fault(what, "mend or uninstall it", *_place_of(error, offer))) from None
    if not isinstance(found, Ruleset):
        what = f"{who} is no Ruleset: {offer.value} is {type(found).__name__} {found!r:.60}"
        raise InputError(Fault(what, "let the entry point name a battlesim Ruleset"))
    if found.name != offer.name:
        what = f"{who} calls itself {found.name!r}"
        raise InputError(Fault(what, f"call the entry point {found.name!r}"))
    read_clauses(found.folder)
    return found


def _place_of(error: BaseException, offer: Offer) -> tuple[str, int]:
    """File and line of the package that an error passed through last; ("", 0) where it passed through none."""
    folder, place = plugins.folder_of(offer), ("", 0)
    if isinstance(error, SyntaxError):
        return error.filename or "", error.lineno or 0
    trace = error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if folder is not None and Path(file).is_relative_to(folder):
            place = (file, trace.tb_lineno)
        trace = trace.tb_next
    return place
