"""Why something happened: chains of causes in words, in all four rulebooks."""

from __future__ import annotations

import json
import re
from hashlib import blake2b
from pathlib import Path

import pytest

from battlesim import play
from battlesim.core.errors import InputError
from battlesim.core.events import ModelsLost, Rolled, Scheduled, Scored, StructureSet, TurnEnded
from battlesim.engine.record import PlainFact, Record, parse_record, read_record
from battlesim.rules.registry import read_clauses
from battlesim.rulesets.finder import RULESETS, find_ruleset
from battlesim.viewer.causes import Causes, Explanation
from battlesim.viewer.story import tell_record
from battlesim.viewer.told import Subject

GOLDEN = Path(__file__).parents[1] / "golden" / "records"


def golden(name: str) -> Causes:
    return Causes(read_record(GOLDEN / f"{name}.jsonl"))


def texts(found: Explanation) -> list[str]:
    return [link.text for link in found.chain]


def test_a_fallen_building_goes_back_to_the_order_that_called_the_barrage() -> None:
    found = golden("barrage-fells").explain("tower")
    assert (found.turn, found.about) == (3, "tower")
    assert found.summary.startswith(
        "In turn 3 tower collapses into rubble because the barrage called by Red observer comes"
    )
    assert found.summary.endswith("It began in turn 1, when Red observer is ordered to fire.")
    assert [link.turn for link in found.chain] == [1, 1, 2, 3, 3]
    first, called, delayed, down, fallen = found.chain
    assert [said.answer for said in first.said] == ["order fire"]
    assert [(said.answer, said.words) for said in called.said] == [("atplace 12", "tower, ground floor")]
    assert "delayed" in delayed.text
    assert down.dice == "strike 3+: 3; reach: 6"
    assert "OD-BARR-3" in fallen.clauses
    assert found.began


def test_a_rout_tells_the_shot_and_the_losses_beside_the_chain(records: dict[str, Record]) -> None:
    record = records["orderdice"]
    causes = Causes(record)
    routed = next(n for n, e in enumerate(record.events) if isinstance(e, ModelsLost) and e.how == "routed")
    found = causes.explain(str(routed))
    chain = causes.chain_of(routed)
    beside = [link.event for link in found.chain if link.event not in chain]
    assert beside  # what it lost, how it was pinned
    assert all(link.event <= routed for link in found.chain)
    assert "nerve breaks" in found.summary


def test_a_fight_goes_back_to_the_charge_that_began_it(records: dict[str, Record]) -> None:
    record = records["regiment"]
    causes = Causes(record)
    blows = [n for n, e in enumerate(record.events) if isinstance(e, ModelsLost) and e.how == "close combat"]
    began = []
    for number in blows:
        chain = causes.chain_of(number)
        facts = [e.name for e in (record.events[n] for n in chain) if isinstance(e, PlainFact)]
        if "Charged" in facts:
            began.append(number)
            assert facts.index("Charged") < facts.index("Struck")
    assert len(began) > len(blows) / 2


@pytest.mark.parametrize("book", RULESETS)
def test_every_unit_and_section_can_be_asked_about(book: str, records: dict[str, Record]) -> None:
    """Whatever is asked about, the answer is made of whole sentences of the story, and of dice and clauses that exist."""
    record = records[book]
    causes = Causes(record)
    story = "\n".join(tell_record(record))
    known = {clause.id for clause in read_clauses(find_ruleset(book).folder)}
    names = [unit.name for unit in causes.index.names.state.units.values()]
    asked, untouched = 0, {}
    for name in [*names, *record.header.sections]:
        try:
            found = causes.explain(name)
        except InputError as error:
            untouched[name] = str(error)
            continue
        asked += 1
        assert found.chain[-1].event == found.event
        assert re.search(r"(^In|\. In|told: in) turn \d+ \S", found.summary), found.summary
        assert found.summary.endswith(".")
        assert "{" not in found.summary
        for link in found.chain:
            assert set(link.clauses) <= known
            assert all(sentence in story for sentence in link.text.split(". ")[:1]), link.text
            for said in link.said:
                assert said.question.endswith("?"), said
                assert said.words
                assert said.of > 1
    assert asked >= len(names)
    assert set(untouched) <= set(record.header.sections)
    assert all("nothing was done to" in told for told in untouched.values())


@pytest.mark.parametrize("book", RULESETS)
def test_every_loss_goes_back_to_an_order_or_says_that_none_is_named(
    book: str, records: dict[str, Record]
) -> None:
    record = records[book]
    causes = Causes(record)
    losses = [n for n, e in enumerate(record.events) if isinstance(e, ModelsLost)]
    began = 0
    for number in losses:
        found = causes.explain(str(number))
        assert found.began == any(link.said for link in found.chain)
        began += found.began
    assert losses
    assert began > 0.6 * len(losses)


def test_a_unit_that_stands_is_told_as_such(records: dict[str, Record]) -> None:
    record = records["orderdice"]
    causes = Causes(record)
    state = causes.index.names.state
    lost = {e.unit for e in record.events if isinstance(e, ModelsLost)}
    hurt = next(u for u in state.units.values() if u.alive and u.id in lost)
    found = causes.explain(hurt.name.upper())
    assert found.summary.startswith(f"{hurt.name} stands to the end. In turn ")
    end = record.events[found.event]
    assert isinstance(end, ModelsLost)
    assert (end.unit, end.left) == (hurt.id, hurt.models)


def test_a_house_that_caught_fire_tells_of_it() -> None:
    """A fire at a place of a section is the section's; its shot is the reason."""
    record = parse_record(play("firebreak", seed=18).record(), "x")
    causes = Causes(record)
    lit = {e.section for e in record.events if isinstance(e, StructureSet) and e.burning and not e.fallen}
    standing = lit - causes.index.names.state.down
    assert standing
    for section in standing:
        name = causes.index.called(Subject(section=section))
        assert re.search(
            r"stands to the end\. In turn \d+ .*(fire|breached|destroyed)", causes.explain(name).summary
        )
    fires = [n for n in causes.index.told if causes.origins.is_fire(n) and causes.origins.shot(n) >= 0]
    assert fires
    assert all(" because " in causes.explain(str(fire)).summary for fire in fires)


@pytest.mark.parametrize(
    ("name", "seed", "did"), [("silo", 12, "BuildingAttacked"), ("firebreak", 18, "Tested")]
)
def test_what_came_before_is_what_was_suffered(name: str, seed: int, did: str) -> None:
    """Not what a unit did to a building, nor a test that it passed."""
    record = parse_record(play(name, seed=seed).record(), "x")
    causes = Causes(record)
    facts = {n: e.fields for n, e in enumerate(record.events) if isinstance(e, PlainFact) and e.name == did}
    units = {fields["unit"] for fields in facts.values()}
    assert units
    for unit in units:
        found = causes.explain(f"unit {causes.index.called(Subject(unit=unit))}")
        told = [facts[n] for blow in found.before for n in blow.events if n in facts]
        assert all(fields.get("what") in ("suppressed", "withdraws") for fields in told)


def test_what_a_section_suffered_is_told_with_the_shots_that_did_it() -> None:
    """Sections that fall on a die of their own, turns after the shots that took their structure points."""
    causes = Causes(parse_record(play("ridge-in-rain", seed=3).record(), "x"))
    for section in ("caesar", "pillbox", "berta.quarters"):
        found = causes.explain(section)
        assert not found.began
        assert found.before
        for blow in found.before:
            assert re.search(r" fires? .* loses \d+ points? of its structure\.", blow.text)


def test_what_came_before_is_listed_in_order_and_cut_to_the_latest(
    records: dict[str, Record], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = Causes(records["orderdice"])
    names = [unit.name for unit in found.index.names.state.units.values()]
    name = max(names, key=lambda one: len(found.explain(one).before))
    whole = found.explain(name)
    assert len(whole.before) > 1
    numbers = [number for blow in whole.before for number in blow.events]
    assert numbers == sorted(numbers)
    assert all(blow.text.endswith(".") for blow in whole.before)
    monkeypatch.setattr("battlesim.viewer.causes.LATEST", 1)
    cut = found.explain(name)
    assert cut.before == whole.before[-1:]
    assert cut.more == len(whole.before) - 1


def test_what_lost_nothing_is_said_to(records: dict[str, Record]) -> None:
    record = records["squadhex"]
    causes = Causes(record)
    lost = {e.unit for e in record.events if isinstance(e, ModelsLost)}
    whole = [u.name for u in causes.index.names.state.units.values() if u.id not in lost and u.place >= 0]
    assert whole
    for name in whole:
        told = (
            causes.explain(name)
            .summary.replace(" stand to", " stands to")
            .replace("; they lost", "; it lost")
        )
        assert "stands to the end; it lost nobody. The last that is told: in turn" in told


def test_a_wound_is_not_nothing() -> None:
    """A captain who bears a wound has lost nobody, but something was taken from him."""
    causes = Causes(parse_record(play("watch-house", seed=5).record(), "x"))
    told = [one.text for sentences in causes.index.told.values() for one in sentences]
    assert "Captain Rolf now bears 1 wound." in told
    assert causes.explain("Captain Rolf").summary.startswith(
        "Captain Rolf stands to the end; it lost nobody. The last"
    )


def test_what_became_of_a_tank_is_told_though_its_loss_has_no_sentence() -> None:
    causes = golden("house-holds")
    lost = next(e for e in causes.record.events if isinstance(e, ModelsLost) and e.how == "knocked out")
    name = causes.index.names.state.units[lost.unit].name
    assert f" {name} is knocked out because " in causes.explain(name).summary


def test_a_name_that_begins_with_a_number_keeps_its_order() -> None:
    """ "Weiss: 2nd tank hunters are ordered to run." is the order of Weiss to a unit, not an order of that name."""
    causes = golden("house-and-tank")
    assert causes._inner("Red: 2nd hunters are ordered to run.") == "2nd hunters are ordered to run"
    assert causes._inner("House is closed: no way in.") == "house is closed: no way in"
    assert causes._inner("Close quarters: The two fight.") == "the two fight"


def test_unknown_names_are_answered_with_the_nearest(records: dict[str, Record]) -> None:
    causes = Causes(records["orderdice"])
    with pytest.raises(InputError, match=r"there is no unit or section 'Red yrad'; did you mean 'Red yard'"):
        causes.explain("Red yrad")
    with pytest.raises(InputError, match="there is no event 99999; events are numbered from 0 to"):
        causes.explain("99999")
    with pytest.raises(InputError, match="there is no question -1; questions are numbered from 0 to"):
        causes.index.question(-1)


def test_a_part_of_a_name_is_enough_where_only_one_section_has_it() -> None:
    causes = Causes(parse_record(play("monastery", seed=3).record(), "monastery"))
    sections = causes.record.header.sections
    gate = causes.index.find("gate")
    assert gate == causes.index.find("cloister.gate")
    assert sections[causes.index.find("Cloister")[1].section].startswith("cloister.")
    with pytest.raises(InputError, match="there is no unit or section 'gaet'; did you mean 'gate'"):
        causes.explain("gaet")


def test_the_article_before_a_name_is_passed_over() -> None:
    causes = barrage_called_by("watcher")
    assert causes.index.find("the watcher") == causes.index.find("watcher")
    assert causes.index.find("The tower") == causes.index.find("tower")
    # Where a unit has it in its name, that unit is meant.
    causes = barrage_called_by("The tower")
    assert causes.index.find("the tower")[1].unit >= 0
    assert causes.index.find("tower")[1].section >= 0
    with pytest.raises(InputError, match="there is no unit or section 'the twoer'; did you mean 'The tower'"):
        causes.explain("the twoer")


def test_a_unit_and_a_section_of_one_name_are_told_apart() -> None:
    causes = barrage_called_by("tower")
    assert causes.explain("section tower").summary.startswith("In turn 3 tower collapses")
    for text in ("tower", "unit tower"):
        assert causes.explain(text).chain[-1].text == "Red: tower is ordered to go down.", text


@pytest.mark.parametrize("text", ["-1", "--5", "9999999"])
def test_there_is_no_such_event(text: str) -> None:
    with pytest.raises(InputError, match="there is no"):
        golden("barrage-fells").explain(text)


def test_any_event_can_be_asked_about(records: dict[str, Record]) -> None:
    record = records["squadhex"]
    causes = Causes(record)
    for number, event in enumerate(record.events):
        found = causes.explain(str(number))
        assert found.event == number
        assert found.chain[-1].text
        if isinstance(event, Rolled):
            assert found.chain[-1].text.startswith("Dice are rolled") or found.chain[-1].dice


def test_an_event_without_a_sentence_is_told_in_words() -> None:
    causes = golden("barrage-fells")
    told: dict[str, str] = {}
    for number, event in enumerate(causes.record.events):
        if number not in causes.index.told:
            kind = event.name if isinstance(event, PlainFact) else type(event).__name__
            told.setdefault(kind, causes.explain(str(number)).summary)
    assert told["Rolled"] == "In turn 2 dice are rolled: 1."
    assert told["UnitSet"] == "In turn 1 the state of Red observer changes."
    assert told["ExtraSet"] == "In turn 1 the state of the battle changes."
    assert told["Drawn"] == "In turn 1 Drawn is recorded."
    assert told["TurnEnded"] == "In turn 1 turn 1 ends."


def test_what_follows_from_initiative_says_who_rolled_what() -> None:
    causes = golden("armorclass-length")
    rolled = next(
        n for n, e in enumerate(causes.record.events) if isinstance(e, PlainFact) and e.name == "Rolls"
    )
    chains = ((n, causes.chain_of(n)) for n in range(rolled, len(causes.record.events)))
    after = next(
        n for n, chain in chains if rolled in chain and isinstance(causes.record.events[n], Scheduled)
    )
    assert causes.explain(str(after)).summary.endswith(" because Red rolls 8 for initiative, Blue 6.")


def test_names_that_look_like_the_end_or_the_start_of_a_sentence_are_whole_in_a_summary() -> None:
    found = barrage_called_by("Sgt. Fox").explain("tower").summary
    assert "because the barrage called by Sgt. Fox comes" in found
    assert found.endswith("It began in turn 1, when Sgt. Fox is ordered to fire.")
    assert "because the barrage called by TH comes" in barrage_called_by("TH").explain("tower").summary
    colon = barrage_called_by("Sgt. Fox: the 2nd")
    called = next(n for n, told in colon.index.told.items() if "calls a barrage" in told[0].text)
    assert colon.explain(str(called)).summary.startswith(
        "In turn 1 Sgt. Fox: the 2nd calls a barrage on tower"
    )


def barrage_called_by(name: str) -> Causes:
    """The record of a barrage whose observer has another name."""
    data = (GOLDEN / "barrage-fells.jsonl").read_bytes()
    *lines, last = data.replace(b'"Red observer"', json.dumps(name).encode()).splitlines(keepends=True)
    digest = blake2b(b"".join(lines), digest_size=16).hexdigest()
    last = re.sub(rb'"digest":"\w+"', f'"digest":"{digest}"'.encode(), last)
    return Causes(parse_record(b"".join([*lines, last]), name))


def test_an_earlier_loss_is_listed_with_the_fight_that_caused_it() -> None:
    """The attacker's losses in an assault are not its target's: their sentence alone names no fight."""
    causes = Causes(parse_record(play("skirmish", seed=6).record(), "x"))
    (blow,) = causes.explain("North 2nd section").before[-1:]
    assert blow.text == (
        'North 2nd section charges South 2nd section in farm, ground floor, over 1.45". '
        "Close quarters, round 1: North 2nd section and South 2nd section strike at each other. "
        "North 2nd section loses 2 men, 6 left."
    )


def test_a_unit_wiped_out_in_close_quarters_fell_in_the_fight_not_by_the_charge() -> None:
    """The record has the losses of a round before the round itself; the story has them after it, and so has the chain."""
    causes = Causes(parse_record(play("stairwell", seed=5).record(), "x"))
    found = causes.explain("Red ground floor")
    assert found.summary == (
        "In turn 3 Red ground floor is wiped out because Blue yard and Red ground floor strike at each other."
    )
    told = [link.text.partition(":")[0] for link in found.chain[-4:]]
    assert told == [
        "Close quarters, round 1",
        "Red ground floor loses 2 men, 2 left.",
        "Close quarters, round 2",
        "Red ground floor is wiped out.",
    ]
    assert found.chain[-2].dice
    assert causes.chain_of(found.event)[-2:] == (found.chain[-2].event, found.event)
    # A fight is not explained by its own losses, nor by the round before, which is told in the same words.
    fight = causes.explain(str(found.chain[-2].event))
    assert fight.chain[-1].event == found.chain[-2].event
    assert fight.summary == (
        "In turn 3 Blue yard and Red ground floor strike at each other because Blue yard charges Red ground floor in house.east, "
        'ground floor, over 2.08".'
    )


def test_what_is_scored_for_the_last_turn_is_in_that_turn() -> None:
    """Points of objectives come after the end of the turn, when the clock of the record already shows the next."""
    causes = golden("length-won")
    events = causes.record.events
    (ended, turn) = [(n, event.turn) for n, event in enumerate(events) if isinstance(event, TurnEnded)][-1]
    assert [type(event).__name__ for event in events[ended + 1 :]] == ["Scored", "Scored", "Ended"]
    assert set(causes.index.turns[ended:]) == {turn}
    assert causes.explain(str(len(events) - 1)).summary.startswith(f"In turn {turn} the last turn is over")


@pytest.mark.parametrize("name", ["length-won", "squadhex-length", "armorclass-length", "regiment-length"])
def test_points_are_told_with_who_scored_them(name: str) -> None:
    """The words before the colon must not be dropped as a heading."""
    causes = golden(name)
    scored = [
        n
        for n, event in enumerate(causes.record.events)
        if isinstance(event, Scored) and n in causes.index.told
    ]
    assert scored
    for number in scored:
        assert re.match(r"In turn \d+ (Red|Blue) scores \d+ points?: ", causes.explain(str(number)).summary)
