"""The story: every event of the ruleset has words, names are text, and a battle reads in order."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path

import msgspec
import pytest

import battlesim
from battlesim import play
from battlesim.core.events import (
    CHANGES,
    CORE_FACTS,
    Event,
    Fact,
    Happened,
    ModelsLost,
    Rolled,
    Scored,
    Taken,
)
from battlesim.engine.header import Limits
from battlesim.engine.record import PlainFact, parse_record
from battlesim.rules.scenario import Scenario
from battlesim.rulesets.finder import RULESETS
from battlesim.viewer.story import Story, tell_record
from battlesim.viewer.wording import (
    Wording,
    agree,
    count,
    fill,
    find_wording,
    is_plural,
    length,
    mentions,
    printable,
    slots,
)
from tests.shipped import load

FORMS = {
    *(
        "",
        "agree",
        "count",
        "end",
        "goal",
        "if",
        "in",
        "inside",
        "known",
        "length",
        "none",
        "of",
        "one",
        "side",
    ),
    *("some", "word"),
}


def folder_of(ruleset: str) -> Path:
    return Path(battlesim.__file__).parent / "rulesets" / ruleset


def fact_files(ruleset: str) -> list[Path]:
    """The files in which a ruleset declares its facts: `facts.py`, and `facts_fire.py` and so on where it has them."""
    return sorted(folder_of(ruleset).glob("facts*.py"))


def facts_of(ruleset: str) -> list[type[Fact]]:
    """The facts that a ruleset declares, file by file and in the order of each."""
    found: list[type[Fact]] = []
    for file in fact_files(ruleset):
        module = import_module(f"battlesim.rulesets.{ruleset}.{file.stem}")
        kinds = [kind for kind in vars(module).values() if isinstance(kind, type) and issubclass(kind, Fact)]
        found += [kind for kind in kinds if kind.__module__ == module.__name__]
    return found


def words_of(ruleset: str) -> list[str]:
    """The words of the facts that records write as `Happened`."""
    return [kind().what for kind in facts_of(ruleset) if issubclass(kind, Happened)]  # type: ignore[attr-defined]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_fact_has_a_sentence_and_every_sentence_a_fact(ruleset: str) -> None:
    say, shared = find_wording(ruleset).say, find_wording("").say
    named = {kind.__name__ for kind in facts_of(ruleset) if not issubclass(kind, Happened)}
    assert set(say) - set(shared) - {"Happened"} == named
    words = words_of(ruleset)
    assert len(set(words)) == len(words) > 5
    keys = set(say["Happened"]) - {"by", "missing", "else"}
    assert [word for word in words if not any(f"{key} ".startswith(f"{word} ") for key in keys)] == []
    assert [key for key in keys if not any(f"{key} ".startswith(f"{word} ") for word in words)] == []


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_sentence_speaks_of_what_its_fact_tells(ruleset: str) -> None:
    """Every slot of a sentence of `Happened` is a field that the fact has, or follows from one."""
    derived = {"side", "sign", "ranks", "men", "aimed"}
    for kind in facts_of(ruleset):
        if issubclass(kind, Happened):
            word = kind().what  # type: ignore[attr-defined]
            fields = {*kind.__struct_fields__, *derived}
            for key, text in find_wording(ruleset).say["Happened"].items():
                if isinstance(text, str) and f"{key} ".startswith(f"{word} "):
                    longer = [w for w in words_of(ruleset) if len(w) > len(word) and key.startswith(w)]
                    assert longer or {name for name, _ in slots(text)} <= fields, (key, text)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_facts_are_declared_in_their_files_and_all_of_them_happen(ruleset: str) -> None:
    declared = [kind.__name__ for kind in facts_of(ruleset)]
    assert len(set(declared)) == len(declared)
    made: set[str] = set()
    for file in sorted(folder_of(ruleset).glob("*.py")):
        declares = file in fact_files(ruleset)
        tree = ast.parse(file.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and not declares:
                bases = {ast.unparse(base) for base in node.bases}
                assert not bases & {"Fact", "Happened", "Event", "Change"}, f"{file.name}: {node.name}"
        if declares:
            tables = [node for node in tree.body if isinstance(node, ast.AnnAssign)]
            made |= {getattr(node, "id", "") for table in tables for node in ast.walk(table)}
        elif file.name not in ("observation.py", "features.py"):
            made |= {getattr(node, "attr", getattr(node, "id", "")) for node in ast.walk(tree)}
    assert set(declared) - made == set()


@pytest.mark.parametrize("ruleset", ["orderdice", "armorclass"])
def test_where_units_can_be_hidden_every_fact_says_who_may_hear_of_it(ruleset: str) -> None:
    """No fact that names a unit is open to both sides by default."""
    for kind in facts_of(ruleset):
        if {"unit", "target", "other"} & set(kind.__struct_fields__):
            assert kind.heard is not Event.heard, kind.__name__


@pytest.mark.parametrize("ruleset", ["", *RULESETS])
def test_wordings_are_well_formed(ruleset: str) -> None:
    wording = find_wording(ruleset)
    assert all(kind.__name__ in wording.say for kind in (*CORE_FACTS, *CHANGES))
    for name, table in [*wording.say.items(), *wording.set.items()]:
        for key, text in table.items():
            if key in ("by", "missing"):
                continue
            assert isinstance(text, str), (name, key)
            assert text.count("{") == text.count("}") == len(slots(text)), (name, key)
            assert all(form.partition(" ")[0] in FORMS for _, form in slots(text)), (name, key)
            assert text == "" or text[-1] in ".)", (name, key)


def test_the_sentence_that_fits_most_is_taken() -> None:
    table = {
        "by": ["why", "order"],
        "missing": {"why": "given"},
        "given fire": "A",
        "given": "B",
        "else": "C",
    }
    wording = Wording({"say": {"Ordered": table, "Odd": {"by": ["hits"], "0": "none", "yes": "si"}}})
    assert wording.sentence("Ordered", {"order": "fire"}) == "A"
    assert wording.sentence("Ordered", {"order": "run", "why": "given"}) == "B"
    assert wording.sentence("Ordered", {"order": "fire", "why": "mad"}) == "C"
    assert wording.sentence("Odd", {"hits": 0}) == "none"
    assert wording.sentence("Odd", {"hits": True}) == "si"
    assert wording.sentence("Odd", {"hits": 3}) is None
    assert wording.sentence("Else", {}) is None


def test_numbers_in_words() -> None:
    assert [length(n) for n in (0, 5, 50, 600, 1059, 725, 1200)] == [
        '0"',
        '0.05"',
        '0.5"',
        '6"',
        '10.59"',
        '7.25"',
        '12"',
    ]
    assert [count(n, "man men") for n in (0, 1, 7)] == ["no men", "1 man", "7 men"]
    assert fill("{a} and {b:count x y}.", lambda name, form: f"<{name}|{form}>") == "<a|> and <b|count x y>."


def test_names_cannot_command_a_terminal() -> None:
    assert printable("a\x1b[31mred\nB\u202e") == "a\ufffd[31mred\ufffdB\ufffd"
    assert (
        printable("<script>Töölö</script>") == "<script>Töölö</script>"
    )  # text is text: nothing to escape here


@pytest.mark.parametrize(
    ("text", "name", "found"),
    [
        ("Rifles 12 fire at the gun.", "Rifles 1", False),
        ("Rifles 1's fire hits the gun.", "rifles 1", True),
        ("The gun (old) fires.", "the gun (old)", True),
        ("The begun fire.", "gun", False),
    ],
)
def test_a_sentence_mentions_whole_names_only(text: str, name: str, found: bool) -> None:
    assert mentions(text, name) is found


def test_a_toy_battle_is_told(toy_scenario: Scenario) -> None:
    game = play(toy_scenario, ("random", "random"), seed=6)
    story = Story(game.header)
    lines = [*story.heading(), *story.tell(game.log), *story.rest()]
    assert lines == list(tell_record(parse_record(game.record(), "x")))
    assert lines[0] == "toy on line, seed 6"
    assert lines[2].startswith("red, played by random:")
    assert lines[3].startswith("  R1 at ")
    assert "; R2 at " in lines[3]
    turns = [int(line[5:]) for line in lines if line.startswith("Turn ")]
    assert turns == sorted(set(turns))
    assert len(turns) > 4
    assert game.winner
    assert f": {game.winner} wins, " in lines[-1]
    text = "\n".join(lines)
    lost = next(e for e in game.log if isinstance(e, ModelsLost) and e.left)
    assert f"{game.state.units[lost.unit].name} loses {count(lost.lost, 'man men')}" in text
    rolled = next(e for e in game.log if isinstance(e, Rolled) and e.purpose == "hit")
    assert f"hit {rolled.need}+: {' '.join(map(str, rolled.faces))}" in text
    assert "\nFired: unit " in text  # a fact that nobody has words for is shown plainly


def test_what_an_event_caused_is_set_in(toy_scenario: Scenario) -> None:
    game = play(toy_scenario, ("random", "random"), seed=6)
    lines = list(tell_record(parse_record(game.record(), "x")))
    at = next(n for n, line in enumerate(lines) if "Fired: " in line and "hits 0" not in line)
    inward = [len(line) - len(line.lstrip()) for line in lines[at : at + 2]]
    assert inward[1] == inward[0] + 2


def test_dice_stay_with_what_they_were_rolled_for(toy_scenario: Scenario) -> None:
    """Dice that nothing was told of are not counted to the next sentence's, which something else led to."""
    game = play(toy_scenario, ("random", "random"), seed=6)
    story = Story(game.header)
    taken = next(e for e in game.log if isinstance(e, Taken))
    spare = Rolled(1, -1, "spare", -1, 0, 6, 0, (2,))
    hit = Rolled(1, -1, "hit", -1, 0, 6, 4, (5,), cause=1)
    lines = [line.strip() for line in story.tell([spare, taken, hit, Scored(0, 1, "luck", cause=1)])]
    told = [line for line in lines if "[" in line]
    assert told == ["Dice are rolled.  [spare: 2]", "Red scores 1 point: luck.  [hit 4+: 5]"]


def test_a_fault_of_an_agent_is_told(toy_scenario: Scenario) -> None:
    bad = Path(__file__).parents[1] / "bad_agents" / "raises.py"
    game = play(toy_scenario, (str(bad), "random"), seed=6)
    lines = list(tell_record(parse_record(game.record(), "x")))
    assert any(line.strip().startswith("(red's agent raised ValueError") for line in lines)
    why = "since red forfeits: its agent failed 10 times and in the end raised ValueError: "
    assert lines[-1].startswith(f"The battle is called off, {why}")
    assert lines[-1].endswith("; blue wins, 1 to 0.")
    game = play(toy_scenario, (str(bad), "random"), seed=6, limits=Limits(faults=1))
    lines = list(tell_record(parse_record(game.record(), "x")))
    assert lines[-1].startswith("The battle is called off, since red forfeits: its agent raised ValueError: ")


def test_odd_facts_do_not_stop_the_story(toy_scenario: Scenario) -> None:
    game = play(toy_scenario, ("random", "random"), seed=6)
    story = Story(game.header)
    odd = PlainFact(name="Shot", fields={"unit": 99, "target": "x", "{a}": [1], "range": None})
    assert list(story.tell([odd])) == ["", "Shot: unit 99, target x, (a) [1], range None"]
    header = msgspec.structs.replace(
        game.header, ruleset=msgspec.structs.replace(game.header.ruleset, name="../x")
    )
    assert list(Story(header).heading())


@pytest.mark.parametrize(
    ("name", "plural"),
    [
        ("the hill axes", True),
        ("Rangers marksmen", True),
        ("Brothers", True),
        ("Barons-Men", True),
        ("tank Titan", False),
        ("Captain Hayes", False),
        ("Anton's gun", False),
        ("the Widow", False),
        ("the omnibus", False),
        ("the lance company, mess", False),
    ],
)
def test_verbs_agree_with_names(name: str, plural: bool) -> None:
    assert is_plural(name) is plural
    assert agree(name, "is") == ("are" if plural else "is")
    assert agree(name, "its their") == ("their" if plural else "its")


def test_the_plural_of_verbs() -> None:
    singular = [
        "fires",
        "goes",
        "rallies",
        "crashes",
        "misses",
        "lies",
        "flees",
        "does",
        "has",
        "searches",
        "closes",
        "brings",
    ]
    plural = ["fire", "go", "rally", "crash", "miss", "lie", "flee", "do", "have", "search", "close", "bring"]
    assert [agree("the guns", verb) for verb in singular] == plural


def test_a_name_in_the_plural_has_its_verb_in_a_story() -> None:
    game = play("border-keep", ("rush", "rush"), seed=7)
    story = list(tell_record(parse_record(game.record(), "x")))
    told = "\n".join(story)
    assert "swords charge " in told or "spears charge " in told
    assert not [
        line
        for line in story
        if ("swords charges" in line or "swords is" in line or "ogres moves" in line)
        and not line.lstrip().startswith("The combat of ")  # it is the combat that is drawn
    ]


@pytest.mark.parametrize(
    ("scenario", "unit", "told"),
    [
        ("drones", "drone Asp", "Drone Asp is destroyed."),
        ("watch-house", "Captain Rolf", "Captain Rolf is killed."),
        ("watch-house", "red swords", "Red swords are wiped out."),
    ],
)
def test_a_machine_is_destroyed_one_person_is_killed_and_a_group_is_wiped_out(
    scenario: str, unit: str, told: str
) -> None:
    game = play(load(scenario), ("random", "random"), seed=1)
    story = Story(game.header)
    number = next(n for n, one in story.state.units.items() if one.name == unit)
    # The last man of a group does not make it one person.
    how = "penetrated" if scenario == "drones" else "close combat"
    events = [ModelsLost(unit=number, lost=story.state.units[number].models - 1, left=1, how=how)]
    events.append(ModelsLost(unit=number, lost=1, left=0, how=how))
    assert [*story.tell(events)][-1].strip() == told
