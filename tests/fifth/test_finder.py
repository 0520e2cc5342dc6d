"""Rulesets by name: those that ship, those of installed packages, and what is said of a package that is broken."""

from __future__ import annotations

from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from textwrap import dedent

import pytest

from battlesim.cli.main import main
from battlesim.core import plugins
from battlesim.core.errors import InputError
from battlesim.rules.contract import Ruleset
from battlesim.rulesets import finder
from battlesim.rulesets.finder import RULESETS, find_ruleset, installed_rulesets, taken_names
from tests.fifth.install import installed, offer

Put = Callable[..., None]


@pytest.fixture
def put(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Put:
    """Installs a package of one module that offers a ruleset `name` as `value`."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def put(
        name: str, value: str, source: str = "", package: str = "somebodys-rules", version: str = "2.1"
    ) -> None:
        module = value.partition(":")[0].partition(".")[0]
        folder = tmp_path / module
        folder.mkdir(exist_ok=True)
        (folder / "__init__.py").write_text(dedent(source))
        offer(tmp_path, package, version, {name: value})

    return put


def told(name: str) -> str:
    with pytest.raises(InputError) as raised:
        find_ruleset(name)
    return str(raised.value)


def test_the_rulesets_that_ship_are_the_folders_beside_the_finder() -> None:
    assert RULESETS == ("armorclass", "orderdice", "regiment", "squadhex")
    for name in RULESETS:
        found = find_ruleset(name)
        assert isinstance(found, Ruleset)
        assert found.name == name
        assert found.folder == Path(finder.__file__).parent / name


def test_a_ruleset_that_was_found_is_not_looked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    found = find_ruleset("orderdice")
    monkeypatch.setattr(finder, "_find", lambda name: pytest.fail("looked for again"))
    assert find_ruleset("orderdice") is found


def test_a_ruleset_that_ships_is_found_without_a_look_at_installed_packages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(finder, "_FOUND", {})
    monkeypatch.setattr(metadata, "entry_points", lambda **group: pytest.fail("looked at packages"))
    assert find_ruleset("squadhex").name == "squadhex"


def test_a_ruleset_of_an_installed_package_is_found_and_gone_with_it() -> None:
    with installed() as folder:
        assert installed_rulesets() == {"alleys": "battlesim-alleys 0.3"}
        found = find_ruleset("alleys")
        assert (found.name, found.version, found.folder) == ("alleys", "3", folder / "alleys")
        assert repr(found) == "find_ruleset('alleys')"
        assert told("alley") == "unknown ruleset 'alley'; did you mean 'alleys'?"
        assert told("orderdic") == "unknown ruleset 'orderdic'; did you mean 'orderdice'?"
        assert (
            told("chess")
            == "unknown ruleset 'chess'; known: alleys, armorclass, orderdice, regiment, squadhex"
        )
    assert installed_rulesets() == {}
    assert told("alleys") == "unknown ruleset 'alleys'; known: armorclass, orderdice, regiment, squadhex"


@pytest.mark.parametrize(
    ("name", "value", "source", "says"),
    [
        (
            "gone",
            "somewhere_else.rules:RULESET",
            "",
            "the ruleset 'gone' of package somebodys-rules 2.1 cannot be loaded: ModuleNotFoundError: "
            "No module named 'somewhere_else.rules'; mend or uninstall it",
        ),
        (
            "broken",
            "broken_rules:RULESET",
            "def half(:\n",
            "broken_rules/__init__.py:1: the ruleset 'broken' of package somebodys-rules 2.1 cannot be loaded: SyntaxError",
        ),
        (
            "raises",
            "raising_rules:RULESET",
            "import os\n\nos.environ['NO_SUCH_THING']\n",
            "raising_rules/__init__.py:3: the ruleset 'raises' of package somebodys-rules 2.1 cannot be loaded: KeyError",
        ),
        (
            "exits",
            "exiting_rules:RULESET",
            "import sys\nsys.exit(3)\n",
            "the ruleset 'exits' of package somebodys-rules 2.1 cannot be loaded: SystemExit: 3",
        ),
        (
            "empty",
            "empty_rules:RULESET",
            "",
            "cannot be loaded: AttributeError: module 'empty_rules' has no attribute 'RULESET'",
        ),
        (
            "number",
            "number_rules:RULESET",
            "RULESET = 3\n",
            "the ruleset 'number' of package somebodys-rules 2.1 is no Ruleset: number_rules:RULESET is int 3",
        ),
        (
            "renamed",
            "renamed_rules:RULESET",
            "from tests.toy import TOY as RULESET\n",
            "the ruleset 'renamed' of package somebodys-rules 2.1 calls itself 'toy'; call the entry point 'toy'",
        ),
        (
            "toy",
            "toy_rules:RULESET",
            "from tests.toy import TOY as RULESET\n",
            "toy/clauses.toml: the list of clauses cannot be read: No such file or directory; give a TOML file",
        ),
        (
            "datafault",
            "datafault_rules:RULESET",
            """
            from battlesim.core.errors import Fault, InputError

            raise InputError(Fault("'thre' is not a number", "give 3", "gangs.toml", 7))
            """,
            "gangs.toml:7: 'thre' is not a number; give 3",
        ),
    ],
)
def test_a_broken_package_is_answered_in_a_sentence(
    put: Put, name: str, value: str, source: str, says: str
) -> None:
    put(name, value, source)
    assert says in told(name)
    assert find_ruleset("orderdice")  # the others are found all the same


def test_two_packages_of_one_name_are_told_apart(put: Put) -> None:
    put("double", "double_rules:RULESET", package="first-rules", version="1.0")
    put("double", "double_rules:RULESET", package="second-rules", version="0.2")
    found = told("double")
    assert found.startswith("two packages offer the ruleset 'double': ")
    assert found.endswith("; uninstall one")
    assert "first-rules 1.0" in found
    assert "second-rules 0.2" in found


def test_a_name_that_ships_is_taken(put: Put, capsys: pytest.CaptureFixture[str]) -> None:
    put("regiment", "other_rules:RULESET", "RULESET = 3\n", package="usurper", version="1.0")
    assert find_ruleset("regiment").folder == Path(finder.__file__).parent / "regiment"
    assert installed_rulesets() == {}
    assert taken_names() == {"regiment": "usurper 1.0"}
    assert main(["rules"]) == 0
    out, err = capsys.readouterr()
    assert out.count("regiment") == 1
    assert err == (
        "warning: package usurper 1.0 offers a ruleset 'regiment', but that is the name of one that ships; rename it\n"
    )


def test_the_list_goes_on_past_a_broken_package(put: Put, capsys: pytest.CaptureFixture[str]) -> None:
    put("number", "number_rules:RULESET", "RULESET = 3\n")
    with installed():
        assert main(["rules"]) == 0
        listed = capsys.readouterr()
        assert [line.split()[0] for line in listed.out.splitlines()] == [*RULESETS, "alleys"]
        assert "battlesim-alleys 0.3" in listed.out
        assert "'number' of package somebodys-rules 2.1 is no Ruleset" in listed.err
        assert main(["scenarios"]) == 0
        scenarios = capsys.readouterr()
        assert "alleys:well" in scenarios.out
        assert "'number' of package somebodys-rules 2.1 is no Ruleset" in scenarios.err
        assert main(["rules", "number"]) == 2


def test_the_folder_of_an_entry_point_is_found_without_importing_it(put: Put) -> None:
    put("lazy", "lazy_rules:RULESET", "raise RuntimeError('imported')\n")
    (found,) = plugins.offers(plugins.RULESETS)["lazy"]
    assert (found.module, found.attribute, found.package) == ("lazy_rules", "RULESET", "somebodys-rules 2.1")
    folder = plugins.folder_of(found)
    assert folder is not None
    assert folder.name == "lazy_rules"
    assert plugins.folder_of(plugins.Offer("x", "no_such_module:X", "p")) is None
