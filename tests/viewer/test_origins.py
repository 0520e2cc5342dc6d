"""Where chains of causes go on that end without an order: fires go back to the shot that lit them, blows to the charge."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from battlesim import play
from battlesim.core.events import Answered, ModelsLost, StructureSet
from battlesim.engine.record import PlainFact, Record, parse_record
from battlesim.viewer.causes import Causes
from battlesim.viewer.event_fields import fields_of

EXAMS = Path(__file__).parents[2] / "maps" / "exams"


def played(scenario: str | Path, seed: int = 3, agent: str = "greedy") -> Causes:
    return Causes(parse_record(play(scenario, (agent, agent), seed).record(), str(scenario)))


@pytest.fixture(scope="module")
def fires() -> Causes:
    return played("firebreak")


@pytest.fixture(scope="module")
def charges() -> Causes:
    """The judgement is one that leads to a long fight with a character in it."""
    return played("watch-house", agent="greedy,nerve=1,taken=1.8")


def facts(record: Record, name: str) -> list[int]:
    return [
        n
        for n, e in enumerate(record.events)
        if isinstance(e, PlainFact) and name in (e.name, e.fields.get("what"))
    ]


def test_a_house_that_burns_down_goes_back_to_the_shot_that_lit_it(fires: Causes) -> None:
    fell = [e.section for e in fires.record.events if isinstance(e, StructureSet) and e.fallen]
    burnt = [fields_of(fires.record.events[n]).get("section", -1) for n in facts(fires.record, "burnt out")]
    both = sorted(set(fell) & set(burnt))
    assert both
    for section in both:
        name = fires.record.header.sections[section]
        found = fires.explain(name)
        assert " because " in found.summary
        assert "has burnt out. It began in turn" in found.summary
        assert "and fire breaks out in" in found.summary
        texts = [link.text for link in found.chain]
        assert any(" fire " in text or " fires " in text for text in texts)
        assert found.began


def test_each_answer_stands_in_its_own_turn(fires: Causes) -> None:
    spread = facts(fires.record, "fire spreads")
    assert spread
    for number in spread:
        found = fires.explain(str(number))
        asked = [
            fires.index.turns[fires.index.questions[s.number]] for link in found.chain for s in link.said
        ]
        assert asked == [link.turn for link in found.chain for _ in link.said]
        names = [getattr(fires.record.events[link.event], "name", "") for link in found.chain]
        happened = [fields_of(fires.record.events[link.event]).get("what") for link in found.chain]
        assert "Volley" in names[: happened.index("catches fire")]


def test_the_burnt_go_back_to_the_outbreak_of_their_fire(fires: Causes) -> None:
    record = fires.record
    caught = [
        number
        for fire in facts(record, "in the fire")
        for number in range(fire, fire + 4)
        if isinstance(record.events[number], ModelsLost)
    ]
    assert caught
    for number in caught:
        found = fires.explain(str(number))
        assert found.began
        assert any("Fire breaks out" in link.text for link in found.chain)


def scenario_of(exam: Path, folder: Path, turns: int) -> Path:
    """The scenario of an exam, as a scenario of its own."""
    text = exam.read_text().partition("exam:\n")[0]
    text = text.replace("../maps/", f"{EXAMS}/maps/").replace("turns: 1", f"turns: {turns}")
    (folder / "scenario.yaml").write_text(text)
    return folder / "scenario.yaml"


def test_a_house_alight_from_the_start_says_so(tmp_path: Path) -> None:
    causes = played(scenario_of(EXAMS / "armorclass" / "leave-the-burning-barn.yaml", tmp_path, 5))
    found = causes.explain("barn")
    assert found.summary == (
        "In turn 5 barn is destroyed because barn, ground floor has burnt out. "
        "The fire burned from the start of the battle, first at barn, ground floor."
    )
    assert not found.began


@pytest.mark.slow
def test_whoever_goes_into_a_fire_goes_back_to_its_outbreak_too() -> None:
    for seed in (10, 18):
        causes = played("firebreak", seed, "rush")  # it minds no fire
        events = causes.record.events
        into = [
            n for n in facts(causes.record, "in the fire") if isinstance(events[events[n].cause], Answered)
        ]
        assert into
        for number in into:
            found = causes.explain(str(number))
            assert any("Fire breaks out" in link.text for link in found.chain)
            assert found.summary.count("fire breaks out") == 1
            assert re.search(r" (is|are) caught in the fire .* because .* moves? from ", found.summary)


def test_a_character_goes_back_to_the_charge_of_its_unit(charges: Causes) -> None:
    blow = next(
        n
        for n in facts(charges.record, "Struck")
        if charges.index.names.unit(fields_of(charges.record.events[n])["unit"]) == "Captain Brand"
        and charges.index.names.unit(fields_of(charges.record.events[n])["target"]) == "red spears"
    )
    found = charges.explain(str(blow))
    assert found.began
    assert found.chain[0].text == "Blue: blue swords charge red spears in watch-house, ground floor."


def test_whose_turn_it_is_is_no_reason(charges: Causes) -> None:
    rallied = [
        n
        for n in facts(charges.record, "Tested")
        if fields_of(charges.record.events[n]).get("why") == "rally"
    ]
    assert rallied
    for number in rallied:
        found = charges.explain(str(number))
        assert re.fullmatch(r"In turn \d+ [\w ]+ (rally|rallies|do not rally)(: .*)?\.", found.summary), (
            found.summary
        )


def test_fire_by_order_does_not_go_back_to_an_old_charge() -> None:
    """The archers charged the riders in turn 2; both have parted since."""
    causes = played("watch-house", seed=0, agent="greedy,nerve=1,taken=1.8")
    riders = next(u.id for u in causes.index.names.state.units.values() if u.name == "blue riders")
    shot = [
        e for e in causes.record.events if isinstance(e, ModelsLost) and e.unit == riders and e.how == "shot"
    ][-1]
    found = causes.explain(str(causes.record.events.index(shot)))
    assert found.summary.startswith(
        "In turn 5 blue riders lose 1 man, 4 left because red archers shoot at blue riders"
    )
    assert [link.turn for link in found.chain] == [5] * len(found.chain)
    assert "It began" not in found.summary


def test_all_who_struck_in_the_round_are_named_with_their_charges(charges: Causes) -> None:
    found = charges.explain("red spears")
    assert found.summary.endswith(
        "It began in turn 2, when blue spears charge red spears in watch-house, ground floor, and in turn 4, when blue swords "
        "charge red spears in watch-house, ground floor."
    )


def test_an_act_without_a_sentence_tells_the_lot_that_followed() -> None:
    causes = played("stairwell")
    index = causes.index
    kept = [n for n in range(len(index.questions)) if "keep its order" in index.question(n).question]
    acts = {index.roots[index.questions[n]] for n in kept}
    told = [index.act_text(act) for act in acts]
    assert told
    assert all("The next order die drawn is one of" in text or "keep" not in text for text in told), told
    assert any(re.match(r"Turn \d: The next order die drawn is one of (Red|Blue)\.$", text) for text in told)


def test_one_who_flees_off_the_table_goes_back_to_the_fight_that_broke_it() -> None:
    causes = played("watch-house", 5)
    fled = facts(causes.record, "fled off")
    assert fled
    for number in fled:
        found = causes.explain(str(number))
        assert found.began
        assert re.search(r"flees? off the table\b.* It began ", found.summary)


def test_a_rout_is_told_by_its_own_nerve_and_a_shot_without_the_order_to_shoot() -> None:
    causes = played("tobacco-factory", 4)
    losses = [
        (n, e.how) for n, e in enumerate(causes.record.events) if isinstance(e, ModelsLost) and e.left == 0
    ]
    told = {how: causes.explain(str(number)).summary for number, how in losses}
    assert " routs because " in told["routed"]
    assert "nerve breaks" in told["routed"]
    assert "It began" not in told["shot"]


def test_a_question_ends_with_one_mark() -> None:
    record = parse_record(play("square", seed=3).record(), "square")
    causes = Causes(record)
    asked = record.events[causes.index.questions[0]].cause
    assert causes.explain(str(asked)).summary.endswith("which unit acts?")
