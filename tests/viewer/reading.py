"""Reads a story beside the events that it tells, and names what a careful reader would object to.

Every check compares words with events: what a line says was hit with the dice behind it, what it says was lost with the losses in
the record, where it stands with what caused it. Read `faults`.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

from battlesim.core.events import ModelsLost
from battlesim.viewer.story import _parts
from tests.viewer.tale import NOUNS, SIDES, Tale

SHOOTING = ("Shot", "Shelled", "Volley", "Lobbed", "Attacked", "BuildingAttacked")
SHOOTING_HAPPENS = (
    "fires",
    "bolt",
    "breathes",
    "air strike",
    "barrage",
    "bombards",
    "scattered",
    "scattered off",
)
RESULTS = (*SHOOTING, "Fought", "Struck", "Blasted")
ORDERS = ("Acts", "Ordered", "Reacted", "Charged")
SINGULAR_VERBS = frozenset(("is", "has", "does", "was"))
PLURAL_VERBS = frozenset(("are", "have", "do", "were"))
NO_VERBS = frozenset(["cannot", "may", "in", "on", "at", "and", "of", "or", "now"])
SCORES = ("Ended", "Rolls", "Result")
FAILS = re.compile(
    r"\b(in vain|does not|do not|not|nothing|unharmed|misses|miss|all miss|holds|off target|slips off|none|nobody)\b"
)
GROUP = re.compile(r"(?P<words>.*?)(?: (?P<up>\d+)\+| (?P<down>\d+) or less)?(?: d\d+)?: (?P<faces>[\d ]+)")
LOSES = re.compile(r"\b(?:loses?|takes?|kills?|casualt\w+|\d+ (?:man|men|steps?))\b")
DEATH = re.compile(
    r"\b(?:destroyed|killed|wiped out|knocked out|buried|routs?|burnt to death|lost|finished|gone|cut down)\b"
)


# ---- dice


def dice_that_say_otherwise(tale: Tale) -> Iterator[str]:
    """Faces, thresholds and what the sentence makes of them agree."""
    for line in tale.lines:
        if not line.dice:
            continue
        kind, fields = tale.parts(line.event)
        shown = line.shown.split("; ")
        if len(shown) != len(line.dice):
            yield f"{line.text} [{line.shown}]: dice are missing"
            continue
        successes: dict[str, int] = {}
        for text, rolled in zip(shown, line.dice, strict=True):
            group = GROUP.fullmatch(text)
            if group is None or tuple(map(int, group["faces"].split())) != rolled.faces:
                yield f"[{text}]: not the faces {rolled.faces}"
                continue
            up, down = group["up"], group["down"]
            if (up or down) is None:
                continue
            good = sum(face >= int(up) if up else face <= int(down) for face in rolled.faces)
            meant = sum(face >= rolled.need for face in rolled.faces)
            if good != (meant if up else len(rolled.faces) - meant):
                yield f"[{text}]: counts {good}, the rules counted {meant}"
            if FAILS.search(group["words"]) and kind != "Rolled" and good:
                yield f"{line.text} [{text}]: speaks of a failure and the dice did it"
            if FAILS.search(group["words"]) and not FAILS.search(tale.plain_text(line.text)):
                yield f"{line.text} [{text}]: a failure beside a sentence of success"
            successes[group["words"]] = good
            if kind == "Rolled" and line.dice[-1] is rolled and bool(good) == bool(FAILS.search(line.text)):
                yield f"{line.text} [{text}]: says the opposite of its dice"
        first = successes.get("to hit")
        if first is None or kind not in RESULTS:
            continue
        hit = next((n for words, n in successes.items() if words in ("sixes again", "after a six")), first)
        said = re.search(r"(\d+) hits?\b", line.text)
        if (int(said[1]) if said else 0) != hit:
            yield f"{line.text} [{line.shown}]: {hit} hits by the dice"
        if "hits" in fields and fields["hits"] != hit:
            yield f"{line.text} [{line.shown}]: {fields['hits']} hits in the record"


def dice_without_owner(tale: Tale) -> Iterator[str]:
    """Who rolled is named, in the sentence or beside the dice."""
    for line in tale.lines:
        for text, rolled in zip(line.shown.split("; ") if line.dice else (), line.dice, strict=False):
            saved = (
                rolled.purpose.split()[-2:] if "save" in rolled.purpose or "ward" in rolled.purpose else ()
            )
            owners = [tale.names.get(rolled.object if saved else rolled.actor, "")]
            if rolled.purpose == "work collapse":
                owners = [tale.header.places[rolled.object]]
            elif rolled.actor < 0 or rolled.purpose == "building":
                sections = tale.header.sections
                owners = [
                    tale.names.get(rolled.object, "?"),
                    *tale.header.sides[rolled.object : rolled.object + 1],
                ]
                for number in (rolled.object, rolled.actor):
                    owners += (
                        [sections[number], *sections[number].split(".")]
                        if 0 <= number < len(sections)
                        else []
                    )
            words = f"{line.text} {text}".lower()
            if not any(owner and owner.lower() in words for owner in owners):
                yield f"{line.text} [{text}]: whose dice? {owners}"
            if rolled.purpose in ("armour", "charge") and tale.names[rolled.object].lower() not in words:
                yield f"{line.text} [{text}]: against whom?"
            if line.text.endswith((" rolls.", " roll.")):
                yield f"{line.text} [{text}]: nothing is said of it"


# ---- order


def shots_that_never_come(tale: Tale) -> Iterator[str]:
    """Who is said to fire in an order does so in the same paragraph."""
    shooters = defaultdict(set)
    for number, event in enumerate(tale.events):
        kind, fields = _parts(event)
        if kind in SHOOTING or (kind == "Happened" and fields["what"] in SHOOTING_HAPPENS):
            shooters[tale.roots[number]].add(fields.get("unit", 0))
    for line in tale.lines:
        kind, fields = tale.parts(line.event)
        if kind not in ORDERS:
            continue
        text = tale.plain_text(line.text)
        claims = re.search(r"\b(?:fires?|shoots?)\b", text) and not re.search(
            r"(?:to|then|not|from|may|its|their) fire|under fire", text
        )
        if claims and fields["unit"] not in shooters[line.root]:
            yield f"{line.text}: no shot follows"
        if (
            re.search("does not fire|holds? (?:its|their) fire", text)
            and fields["unit"] in shooters[line.root]
        ):
            yield f"{line.text}: it did"


def effects_before_causes(tale: Tale) -> Iterator[str]:
    """What caused an event stands above it, and a loss stands below the blow that is told of the same act."""
    at = {}
    for place, line in enumerate(tale.lines):
        at.setdefault(line.event, place)
    for place, line in enumerate(tale.lines):
        cause = tale.events[line.event].cause
        while cause >= 0:
            if at.get(cause, -1) > place:
                yield f"{line.text}: before what caused it, {tale.lines[at[cause]].text}"
            cause = tale.events[cause].cause
        event = tale.events[line.event]
        if not isinstance(event, ModelsLost) or (event.cause >= 0 and tale.parts(event.cause)[0] == "Fought"):
            continue  # told under the blow that caused it
        for number in range(line.event + 1, min(line.event + 12, len(tale.events))):
            kind, fields = tale.parts(number)
            other = tale.events[number]
            if other.cause != event.cause or kind not in RESULTS or at.get(number, -1) < place:
                continue
            struck = event.unit in (fields.get("target"), fields.get("unit", 0))
            if (kind == "Volley" and fields.get("how") == "lob") or (kind == "Fought" and struck):
                yield f"{line.text}: before {tale.lines[at[number]].text}"


def shots_in_close_combat(tale: Tale) -> Iterator[str]:
    """Only those who shoot are said to."""
    shooting: set[int] = set()
    for number, event in enumerate(tale.events):
        kind, fields = _parts(event)
        if kind in SHOOTING or (
            kind == "Happened" and fields["what"] in (*SHOOTING_HAPPENS, "calls barrage")
        ):
            shooting.add(tale.roots[number])
    for line in tale.lines:
        text = tale.plain_text(line.text)
        if re.search(r"\b(?:shots?|shells?)\b", text) and line.root not in shooting:
            yield f"{line.text}: nobody shot"
        kind, fields = tale.parts(line.event)
        causes = _causes(tale, line.event)
        if "shots of" in text and any(k == "Happened" and f.get("what") == "tank assault" for k, f in causes):
            yield f"{line.text}: a hand-to-hand attack"


def _causes(tale: Tale, number: int) -> list[tuple[str, dict[str, Any]]]:
    """The events of the paragraph that come before one."""
    root = tale.roots[number]
    return [tale.parts(n) for n in range(max(root, number - 12, 0), number) if tale.roots[n] == root]


# ---- counts


def losses_told_twice(tale: Tale) -> Iterator[str]:
    """In a paragraph a unit is said to lose as many as the record has, and to be lost once."""
    lost: Counter[tuple[int, int]] = Counter()
    for number, event in enumerate(tale.events):
        if isinstance(event, ModelsLost):
            lost[tale.roots[number], event.unit] += event.lost
    by_root = defaultdict(list)
    for line in tale.lines:
        by_root[line.root].append(line)
    for root, lines in by_root.items():
        if root < 0:
            continue
        said: Counter[int] = Counter()
        deaths: Counter[int] = Counter()
        for line in lines:
            if not LOSES.search(line.text) and not DEATH.search(line.text):
                continue
            fields = tale.parts(line.event)[1]
            for unit in {fields.get("unit", 0), fields.get("target", -1), fields.get("other", -1)}:
                name = re.escape(
                    tale.names.get(unit, "no such name") if isinstance(unit, int) else "no such name"
                )
                text = line.text
                for pattern in (
                    rf"^{name} loses? (\d+) (?:man|men|steps?)\b",
                    rf"(?:takes?|kills?) (\d+)(?: man| men)? of {name}",
                    rf"^.*: {name} .*and loses? (\d+)\b",
                    rf"at {name} .*?(\d+) casualt",
                ):
                    found = re.search(pattern, text, re.I)
                    said[unit] += int(found[1]) if found else 0
                if re.search(rf"^{name}\b.*{DEATH.pattern}|; {name} (?:is|are) finished", text, re.I):
                    deaths[unit] += 1
        for unit, number in said.items():
            if number > lost[root, unit]:
                yield f"{tale.names[unit]} loses {number} in the words and {lost[root, unit]} in the record: {lines[0].text}"
        for unit, number in deaths.items():
            if number > 1:
                yield f"{tale.names[unit]} is lost {number} times: {lines[0].text}"


def losses_untold(tale: Tale) -> Iterator[str]:
    """Every loss is told, by its own line or by one that says the unit is lost."""
    told = {line.event for line in tale.lines}
    for number, event in enumerate(tale.events):
        if not isinstance(event, ModelsLost) or number in told:
            continue
        name = re.escape(tale.names[event.unit])
        root = tale.roots[number]
        words = [line.text for line in tale.lines if line.root == root]
        if event.left or not any(
            re.search(rf"{name}\b.*{DEATH.pattern}|{name} abandons it; it is lost", w, re.I) for w in words
        ):
            yield f"{tale.names[event.unit]} loses {event.lost} and nobody says so"


def sentences_about_nothing(tale: Tale) -> Iterator[str]:
    """No count of nought but in scores; a range may be nought, where two stand wall to wall."""
    for line in tale.lines:
        if tale.parts(line.event)[0] in SCORES:
            continue
        text = tale.plain_text(line.text)
        if re.search(
            r"(?<![\w.,:/])(?!(?<=at )0\")0(?![\w.])|\b(?:no|none|zero) (?!way|weapon left|fuel left|room)",
            text,
        ):
            yield f"{line.text}: a count of nothing"


def ranks_too_wide(tale: Tale) -> Iterator[str]:
    """Nobody stands in ranks wider than he has men."""
    for line in tale.lines:
        found = re.search(r"ranks? of (\d+)", line.text)
        unit = tale.parts(line.event)[1].get("unit", 0)
        if found and int(found[1]) > tale.models[line.event][unit]:
            yield f"{line.text}: of {tale.models[line.event][unit]} men"


def goals_out_of_reach(tale: Tale) -> Iterator[str]:
    """What a test needs lies within what its dice can show, and the result follows from it."""
    for line in tale.lines:
        found = re.search(r"(?:at most (-?\d+)|(-?\d+) or less|(-?\d+)) needed|any roll", line.text)
        kind, fields = tale.parts(line.event)
        if kind != "Tested" or not found or not line.dice:
            continue
        lowest, highest = sum(len(r.faces) for r in line.dice), sum(len(r.faces) * r.sides for r in line.dice)
        passed = fields["passed"] if "passed" in fields else fields["what"] == "holds"
        number = int(found[1] or found[2] or found[3] or highest)
        if not lowest <= number <= (highest if found[0] == "any roll" else highest - 1):
            yield f"{line.text}: {lowest} to {highest} can be rolled"
        elif passed != (fields["rolled"] <= number):
            yield f"{line.text}: {'passed' if passed else 'failed'} all the same"


# ---- words


def verbs_that_disagree(tale: Tale) -> Iterator[str]:
    """Verbs are in the number of the names before them."""
    names = sorted({*tale.names.values(), *tale.header.sides}, key=len, reverse=True)
    pattern = re.compile(rf"(?:[\w\-]+: )?(?P<name>{'|'.join(map(re.escape, names))})(?P<rest>.*)", re.I)
    for line in tale.lines:
        found = pattern.match(line.text)
        if found is None or not found["rest"].startswith(" "):
            continue
        rest = re.sub(r"^now ", "", found["rest"][1:])
        verb = rest.split(" ")[0].rstrip(".,:;")
        verbs = [verb] if verb.isalpha() and verb.islower() and verb not in NO_VERBS else []
        verbs += re.findall(r"\band (is|are|has|have|does|do)\b", rest)
        plural = found["name"] in SIDES or any(word in NOUNS for word in found["name"].split())
        if rest.startswith("and "):
            continue  # several names
        for word in verbs:
            is_singular = word in SINGULAR_VERBS or (word.endswith("s") and word not in PLURAL_VERBS)
            if is_singular == plural:
                yield f"{line.text}: {word} after {found['name']}"


def words_out_of_place(tale: Tale) -> Iterator[str]:
    """Nothing that only a program would say."""
    for line in tale.lines:
        if re.search(r"\bto down\b|\?|\{|_|\bnowhere\b|\bnothing for\b|\bHappened\b", line.text):
            yield line.text


def results_that_leave_units_out(tale: Tale) -> Iterator[str]:
    """The result of a combat names whoever led in it."""
    at = {line.event: line for line in tale.lines}
    fought: dict[int, set[int]] = defaultdict(set)  # by paragraph: a combat is one
    for number, event in enumerate(tale.events):
        kind, fields = _parts(event)
        if kind == "Struck":
            fought[tale.roots[number]] |= {fields.get("unit", 0), fields.get("target", 0)}
        if kind != "Result":
            continue
        text, where, alive = at[number].text.lower(), tale.places[number], tale.models[number]
        named = [unit for unit in tale.names if tale.names[unit].lower() in text]
        struck = [unit for unit in fought[tale.roots[number]] if alive[unit] > 0 and where[unit] >= 0]
        # Characters stand with the unit that they have joined, which speaks for them.
        stood = {(tale.sides[unit], where[unit]) for unit in struck}
        missing = stood - {(tale.sides[unit], where[unit]) for unit in named}
        if missing:
            yield f"{at[number].text}: nobody of {sorted(missing)}"


CHECKS = (
    dice_that_say_otherwise,
    dice_without_owner,
    shots_that_never_come,
    effects_before_causes,
    shots_in_close_combat,
    losses_told_twice,
    losses_untold,
    sentences_about_nothing,
    ranks_too_wide,
    goals_out_of_reach,
    verbs_that_disagree,
    words_out_of_place,
    results_that_leave_units_out,
)


def faults(tale: Tale) -> list[str]:
    """All objections to a story, each with its check."""
    return [f"{check.__name__}: {found}" for check in CHECKS for found in check(tale)]
