"""Random battles under any rulebook, steered towards clauses not used yet, with all laws checked. Read `fuzz_ruleset`.

Cases are lists of choices (`fuzz_choices.py`) that make a scenario and its answers. Half of them are new; the others are changed
copies of cases that used a rare clause, until every clause of the book has been used often enough. A failing case is shrunk, and
kept as a file that repeats it.
"""

from __future__ import annotations

import os
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from battlesim.board.load import loaded_boards
from battlesim.board.memory import relieve_when_due
from battlesim.core.dice import KeyedDice, derive_seed
from battlesim.core.errors import Fault, InputError
from battlesim.core.version import VERSION
from battlesim.rules.registry import read_clauses
from battlesim.rulesets.finder import find_ruleset
from battlesim.stress.fuzz_checks import CasePlayed, play_case
from battlesim.stress.fuzz_choices import Choices, mutated, shrunk
from battlesim.stress.fuzz_dice import unfair_dice
from battlesim.stress.fuzz_laws import BrokenLaw, demand
from battlesim.stress.fuzz_scenarios import Vocabulary, vocabulary_of
from battlesim.viewer.report_words import plural

ENOUGH = 10
"""A clause that was used this often is no longer sought."""
KEPT = 6
"""Cases that are kept for each rare clause."""
TRIES = 150
"""How many smaller cases are tried to shrink a failure."""
FAILURES = 20
"""A session ends after this many different failures."""
FAIR = "every face comes as often as any other"
"""The law of fair dice, which a session checks before its first case."""
SAMPLES = 64
"""About how often memory is measured in a session."""


class Failure(Struct, frozen=True):
    """A case that failed. `law`: what is broken, or the kind of error and where it was raised; `what`: the details. `choices`
    repeat it (for unfair dice: the seed of the session alone); `first`: how many choices it had before it was shrunk, `case`: its
    number in the session, `seconds`: the time until it was found. `scenario`: of the smallest case, as canonical JSON, "" if none
    was made."""

    ruleset: str
    law: str
    what: str
    choices: tuple[int, ...]
    first: int
    case: int
    seconds: float
    scenario: str = ""
    version: str = VERSION


class Session(Struct, frozen=True):
    """The results of a session. `void`: cases that made no scenario; `ended`: battles that came to their end; `uses`: of clauses.
    `memory`: megabytes of the process, sampled evenly."""

    ruleset: str
    seed: int
    cases: int
    void: int
    ended: int
    questions: int
    events: int
    seconds: float
    uses: dict[str, int]
    failures: tuple[Failure, ...]
    memory: tuple[float, ...] = ()


class SessionAsked(Struct, frozen=True):
    """The settings of a session: `cases` at most, `seconds` at most (0: no limit). `covered`: it may end as soon as every clause
    of the book was used often enough."""

    ruleset: str
    seed: int = 1
    cases: int = 500
    seconds: float = 0.0
    covered: bool = False


Progress = Callable[[Session], None]
"""Called with the session so far: after each case, and as soon as a case has failed, before it is made smaller."""


def fuzz_ruleset(
    asked: SessionAsked,
    words: Vocabulary | None = None,
    progress: Progress | None = None,
    stop_at: int = FAILURES,
    tries: int = TRIES,
    clock: Callable[[], float] = time.monotonic,
) -> Session:
    """Play random cases under a rulebook. `words`: the vocabulary of its scenarios, by default `vocabulary_of` it. `stop_at`: how
    many different failures end it. `tries`: smaller cases that are tried for each. `clock`: counts the seconds."""
    progress = progress or (lambda session: None)
    words = words or vocabulary_of(asked.ruleset)
    book = book_clauses(asked.ruleset)
    random = Random(derive_seed(asked.seed, "fuzz", asked.ruleset))
    begun = clock()
    uses: Counter[str] = Counter()
    kept: dict[str, list[list[int]]] = {}
    failures: dict[str, Failure] = {}
    memory: list[float] = []
    cases = void = ended = questions = events = 0

    def so_far() -> Session:
        return Session(
            asked.ruleset,
            asked.seed,
            cases,
            void,
            ended,
            questions,
            events,
            clock() - begun,
            dict(sorted(uses.items())),
            tuple(failures.values()),
            tuple(memory),
        )

    if unfair := unfair_dice(KeyedDice(derive_seed(asked.seed, "fairness"))):
        failures[FAIR] = Failure(asked.ruleset, FAIR, unfair, (asked.seed,), 0, 0, clock() - begun)
        progress(so_far())
    while cases < asked.cases and len(failures) < stop_at:
        spent = clock() - begun
        if asked.seconds and spent >= asked.seconds:
            break
        rare = [clause for clause in book if uses[clause] < ENOUGH]
        if asked.covered and not rare:
            break
        if len(memory) < SAMPLES * (spent / asked.seconds if asked.seconds else cases / asked.cases):
            memory.append(megabytes())
        relieve_when_due(loaded_boards())
        given, seed = _next(random, kept, [clause for clause in rare if kept.get(clause)], uses)
        choices, played = Choices(given, seed), CasePlayed()
        law = failed_law(choices, words, played)
        cases += 1
        void += played.scenario is None
        ended += played.ended
        questions += played.questions
        events += played.events
        uses += played.uses
        for clause in played.uses:
            if uses[clause] < 4 * ENOUGH:
                kept.setdefault(clause, []).append(choices.made)
                del kept[clause][:-KEPT]
        if law is not None and law[0] not in failures:
            failures[law[0]] = found = _as_found(law, choices, played, words, cases, clock() - begun)
            # To make a case smaller takes a while; the failure is told before that.
            progress(so_far())
            failures[law[0]] = _smaller(found, words, tries)
        progress(so_far())
    memory.append(megabytes())
    return so_far()


def _next(
    random: Random, kept: dict[str, list[list[int]]], rare: Sequence[str], uses: Counter[str]
) -> tuple[Sequence[int], int]:
    """The choices that the next case begins with, and the seed of the others: a new case, or one near to a case that used one of
    the rarest clauses."""
    if not rare or random.random() < 0.5:
        return (), random.getrandbits(62)
    clause = min(random.sample(list(rare), min(3, len(rare))), key=lambda one: uses[one])
    return mutated(random.choice(kept[clause]), random)


def book_clauses(ruleset: str) -> tuple[str, ...]:
    """The clauses of a rulebook that restate its book."""
    return tuple(
        clause.id for clause in read_clauses(find_ruleset(ruleset).folder) if clause.source == "book"
    )


# ---- a case


def failed_law(choices: Choices, words: Vocabulary, played: CasePlayed) -> tuple[str, str] | None:
    """Play a case; the law that it breaks and what happened, None if all is well or no scenario could be made. An error of the
    program is also a broken law: its kind, and where it was raised."""
    try:
        play_case(choices, words, played)
    except BrokenLaw as error:
        return error.law, error.what
    except InputError as error:
        if played.scenario is None:
            return None
        return _raised(error)
    except Exception as error:
        return _raised(error)
    return None


def _raised(error: Exception) -> tuple[str, str]:
    frames = traceback.extract_tb(error.__traceback__)
    last = next((frame for frame in reversed(frames) if "battlesim" in frame.filename), frames[-1])
    return f"{type(error).__name__} in {Path(last.filename).name}:{last.name}", str(error)[:500]


def _as_found(
    law: tuple[str, str],
    choices: Choices,
    played: CasePlayed,
    words: Vocabulary,
    case: int,
    seconds: float,
) -> Failure:
    """The failure of a case as it was played."""
    made, scenario = (
        tuple(choices.made),
        played.scenario.source.decode() if played.scenario is not None else "",
    )
    return Failure(words.ruleset, *law, made, len(made), case, seconds, scenario)


def _smaller(failure: Failure, words: Vocabulary, tries: int) -> Failure:
    """The smallest case found in `tries` tries that breaks the same law."""
    law = failure.law

    def fails(candidate: list[int]) -> list[int] | None:
        again = Choices(candidate)
        found = failed_law(again, words, CasePlayed())
        return again.made if found is not None and found[0] == law else None

    best = shrunk(failure.choices, fails, tries)
    again, played = Choices(best), CasePlayed()
    found = failed_law(again, words, played)
    what = found[1] if found is not None else "it does not fail again: something outside the case has a say"
    scenario = played.scenario.source.decode() if played.scenario is not None else ""
    return replace(failure, what=what, choices=tuple(best), scenario=scenario)


def read_failure(path: Path) -> Failure:
    """A failure from its file. Raises InputError if the file holds none."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Failure)
    except OSError as error:
        raise InputError(
            Fault(f"the file cannot be read: {error.strerror}", "name a failure's file", str(path))
        ) from None
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        raise InputError(
            Fault(f"it holds no failure: {error}", "name a file that fuzz wrote", str(path))
        ) from None


def repeat(failure: Failure) -> None:
    """Play the case of a failure again. Raises the same error if it still fails; returns if all is well now."""
    if failure.law == FAIR:
        seed = failure.choices[0] if failure.choices else 1  # older files do not say
        unfair = unfair_dice(KeyedDice(derive_seed(seed, "fairness")))
        demand(not unfair, FAIR, "{}", unfair)
        return
    play_case(Choices(failure.choices), vocabulary_of(failure.ruleset), CasePlayed())


# ---- results


def unreached(session: Session) -> list[tuple[str, int, str]]:
    """The clauses of the book that a session used less than `ENOUGH` times: (clause, uses, text)."""
    return [
        (clause.id, session.uses.get(clause.id, 0), clause.text)
        for clause in read_clauses(find_ruleset(session.ruleset).folder)
        if clause.source == "book" and session.uses.get(clause.id, 0) < ENOUGH
    ]


def megabytes() -> float:
    """Memory of this process now; 0 if the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except (OSError, ValueError, IndexError):
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def growth(samples: Sequence[float]) -> float:
    """How many megabytes memory grew from the second quarter of a session, when all is loaded, to the last."""
    quarter = len(samples) // 4
    if not quarter:
        return 0.0
    early, late = samples[quarter : 2 * quarter], samples[-quarter:]
    return sum(late) / len(late) - sum(early) / len(early)


def lines(sessions: Sequence[Session], paths: Sequence[Path] = ()) -> Iterator[str]:
    """The results, line by line."""
    for one in sessions:
        rate = one.cases / one.seconds if one.seconds else 0.0
        yield (
            f"{one.ruleset}: {plural(one.cases, 'case')} in {one.seconds:.0f} s ({rate:.1f} a second), "
            f"{one.questions:,} answers, {one.events:,} events; {one.ended:,} battles ended, {one.void} cases made no scenario"
        )
        missing, book = unreached(one), book_clauses(one.ruleset)
        yield f"  {len(book) - len(missing)} of {len(book)} clauses of the book were used {ENOUGH} times or more"
        for clause, count, text in missing:
            yield f"    {clause}, {plural(count, 'time')}: {text}"
        if one.memory and len(one.memory) >= 4:
            yield f"  memory: {one.memory[-1]:.0f} MB at the end, {growth(one.memory):+.0f} MB since its second quarter"
    failures = [failure for one in sessions for failure in one.failures]
    yield ""
    yield plural(len(failures), "failure") if failures else "no failure"
    for number, failure in enumerate(failures):
        yield f"{failure.ruleset}: {failure.law}"
        yield f"  {failure.what}"
        if failure.law == FAIR:
            yield "  found before the first case"
        else:
            yield (
                f"  found in case {failure.case} after {failure.seconds:.1f} s; {failure.first} choices made smaller to "
                f"{len(failure.choices)}"
            )
        if number < len(paths):
            yield f"  battlesim fuzz --repeat {paths[number]}"
