"""A study of tactics: mined from many games, tried in fresh ones, confirmed in others. Read `study_asked.PHASES`, then `advance`.

Each phase is a list of games in a folder of its own; the first is the run's folder itself. The games of the next phase follow
from the rows of those before, so a study that was stopped continues to the same end. Dice are split from the start: no seed of
one phase is used in another.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from random import Random

import msgspec
from msgspec.structs import replace

from battlesim.batch.driver import drive
from battlesim.batch.lists import GameList, begin, plan_of, resolve_games
from battlesim.batch.missing import missing_words
from battlesim.core.dice import derive_seed
from battlesim.core.errors import Fault, InputError
from battlesim.core.files import write_file
from battlesim.discovery.contrasts import Contrast, Listed, with_tactics
from battlesim.discovery.intervention import FEWEST, FEWEST_TRIED, Effect, effect_of, is_confirmed, judged
from battlesim.discovery.mining import mine
from battlesim.discovery.study_asked import Asked, Candidate, Pairs, check, phases
from battlesim.discovery.study_folder import STUDY
from battlesim.discovery.tactic import Tactic, parse_tactic
from battlesim.discovery.varied import characters, players_of, scouted, varied_pair
from battlesim.discovery.watching import watched_rows
from battlesim.engine.roster import agent_named
from battlesim.jobs.executor import Executor
from battlesim.jobs.folder import RunFolder
from battlesim.scenario.load import load_scenario

PAIRS = "pairs.json"
HOPEFUL = 0.2
"""Candidates whose corrected p-value in the trials is at most this are tried again."""


Shown = Callable[[str, int, int, int], None]
"""Called as games end: phase, games played, all games of the phase, and how many are new."""
Players = Callable[[GameList], Executor]
"""Makes the executor that plays the games of a phase."""


# ---- a run


def begin_study(path: Path, asked: Asked) -> RunFolder:
    """The folder of a new study, with nothing played but a few scouting games. Raises InputError if the request names something
    that does not exist, or the folder exists."""
    check(asked)
    # A card's player itself: its run may change, or be deleted.
    asked = replace(asked, base=agent_named(asked.base))
    if path.exists():
        raise InputError(Fault("the folder exists", "give another --out, or --resume it", str(path)))
    listed, phase = Listed(), phases(asked)[0]
    if asked.tactics:
        every = [parse_tactic(text) for text in asked.tactics]
        found = [Candidate(tactic, scenario) for scenario in asked.scenarios for tactic in every]
        _add_trials(asked, found, asked.confirmed, phase, listed)
        return _made(path, phase, listed, Pairs(tuple(listed.contrasts), tuple(found)), asked)
    for scenario in asked.scenarios:
        _add_mining(asked, scenario, listed)
    return _made(path, phase, listed, Pairs(tuple(listed.contrasts)), asked)


def asked_of(run: RunFolder) -> Asked:
    """The settings of a run. Raises InputError if it is not a study of tactics."""
    return run.kept(STUDY, Asked, "a study of tactics", "battlesim tactics")


def advance(run: RunFolder, players: Players, shown: Shown | None = None) -> None:
    """Play every phase that is not yet played, to its end. What was played stays, whatever is raised."""
    asked = asked_of(run)
    for phase in phases(asked):
        folder = phase_folder(run, phase) or _next(run, asked, phase)
        if folder is None:
            continue
        plan = plan_of(folder)
        executor = players(plan)

        def told(games: int, new: int, phase: str = phase, whole: int = plan.games) -> None:
            if shown is not None:
                shown(phase, games, whole, new)

        try:
            drive(folder, plan, executor, shown=told)
        finally:
            executor.close()


def phase_folder(run: RunFolder, phase: str) -> RunFolder | None:
    """The folder of a phase; None if it was not begun, or this study has no such phase."""
    known = phases(asked_of(run))
    path = run.path if phase == known[0] else run.path / phase
    return RunFolder(path) if phase in known and path.is_dir() else None


def is_played(folder: RunFolder | None) -> bool:
    """Whether every game of a phase is there."""
    if folder is None:
        return False
    with closing(folder.store(read_only=True)) as store:
        return len(store) >= plan_of(folder).games


def unplayed(run: RunFolder) -> str:
    """The message about a study that was stopped: how far it came, and how to continue; "" if it is complete."""
    asked = asked_of(run)
    known = phases(asked)
    how = f"battlesim tactics --resume {run.path}"
    for number, phase in enumerate(known, 1):
        of = f" of the {phase}, step {number} of {len(known)},"
        folder = phase_folder(run, phase)
        if folder is None:
            whole = len(_wanted(run, asked, phase)[0].requests)
            if whole:
                return missing_words(0, whole, how, of)
        else:
            with closing(folder.store(read_only=True)) as store:
                if words := missing_words(len(store), plan_of(folder).games, how, of):
                    return words
    return ""


def pairs_of(folder: RunFolder) -> Pairs:
    """The pairs of a phase. Raises InputError if they cannot be read."""
    file = folder.path / PAIRS
    try:
        return msgspec.json.decode(file.read_bytes(), type=Pairs)
    except (OSError, msgspec.DecodeError) as error:
        what = f"the pairs of the run cannot be read: {error}"
        raise InputError(Fault(what, "restore them from a copy, or begin a new run", str(file))) from None


def _made(path: Path, phase: str, listed: Listed, pairs: Pairs, asked: Asked | None = None) -> RunFolder:
    """The folder of a phase, whole or not at all."""
    name = path.name if asked else f"{path.parent.name} {phase}"
    resolved = resolve_games(name, listed.requests, measures=phase == "mining")
    scratch = path.with_name(f".new-{path.name}")
    shutil.rmtree(scratch, ignore_errors=True)  # a session that was killed may have left one
    folder = begin(scratch, resolved)
    if asked is not None:
        write_file(scratch / STUDY, msgspec.json.encode(asked), "the study")
    write_file(folder.path / PAIRS, msgspec.json.encode(pairs), "the pairs")
    scratch.rename(path)
    return RunFolder(path)


def _next(run: RunFolder, asked: Asked, phase: str) -> RunFolder | None:
    """Begin a phase; None if there is nothing to play in it. Raises InputError if the program, an agent or a scenario has changed
    since the study was begun: its phases would not be comparable."""
    plan_of(run).check()
    listed, pairs = _wanted(run, asked, phase)
    return _made(run.path / phase, phase, listed, pairs) if listed.requests else None


def _wanted(run: RunFolder, asked: Asked, phase: str) -> tuple[Listed, Pairs]:
    """The games and pairs of a phase, from the results of those before it."""
    listed, looked = Listed(), 0
    rivals: tuple[str, ...] = ()
    if phase == "trials":
        found, looked = mined(run)
        _add_trials(asked, found, asked.tried, phase, listed)
    elif phase == "confirmation":
        found = hopeful(run)
        _add_trials(asked, found, asked.confirmed, phase, listed)
    elif phase == "responses":
        found = confirmed(run)
        rivals = _add_responses(asked, found, listed)
    else:
        found = confirmed(run)
        rivals = _add_transfer(run, asked, found, listed)
    return listed, Pairs(tuple(listed.contrasts), tuple(found), rivals, looked)


# ---- what each phase plays


def _add_mining(asked: Asked, scenario: str, listed: Listed) -> None:
    """Add the pairs of varied players of a scenario."""
    atoms = scouted(asked.base, scenario, asked.seed)
    draw = players_of(asked.base, load_scenario(scenario).ruleset)
    for number in range(asked.pairs):
        random = Random(derive_seed(asked.seed, "mining", scenario, number))
        pair, opponent = varied_pair(asked.base, atoms, draw, random)
        seed = derive_seed(asked.seed, "mining dice", scenario, number)
        listed.contrast(number, scenario, number % 2, seed, pair, opponent)


def _add_trials(asked: Asked, found: Sequence[Candidate], seeds: int, phase: str, listed: Listed) -> None:
    """Add pairs that keep to each candidate and to its opposite, on either side."""
    for subject, one in enumerate(found):
        _add_trial(asked, one.tactic, one.scenario, seeds, phase, subject, listed)


def _add_trial(
    asked: Asked, tactic: Tactic, scenario: str, seeds: int, phase: str, subject: int, listed: Listed
) -> None:
    base = asked.base
    players = with_tactics(base, [tactic]), with_tactics(base, [tactic.opposite])
    for number in range(seeds):
        seed = derive_seed(asked.seed, phase, scenario, number)
        for side in (0, 1):
            listed.contrast(subject, scenario, side, seed, players, base, base)


def _add_responses(asked: Asked, found: Sequence[Candidate], listed: Listed) -> tuple[str, ...]:
    """Add the games of possible responses against each confirmed tactic: the subject is tactic * responses + response. Returns
    the players that respond: characters, and the other confirmed tactics of the rulebook."""
    ruleset = {one.scenario: load_scenario(one.scenario).ruleset for one in found}
    with_each = [with_tactics(asked.base, [one.tactic]) for one in found]
    rivals = tuple(dict.fromkeys([*characters(), *with_each]))
    for subject, (one, own) in enumerate(zip(found, with_each, strict=True)):
        same = {
            player
            for other, player in zip(found, with_each, strict=True)
            if ruleset[other.scenario] == ruleset[one.scenario] and player != own
        }
        for place, rival in enumerate(rivals):
            if rival in characters() or rival in same:
                number = subject * len(rivals) + place
                _add_response(asked, one.scenario, own, rival, asked.answered, "responses", number, listed)
    return rivals


def _add_response(
    asked: Asked, scenario: str, own: str, rival: str, seeds: int, phase: str, subject: int, listed: Listed
) -> None:
    for number in range(seeds):
        seed = derive_seed(asked.seed, phase, scenario, number)
        for side in (0, 1):
            listed.contrast(subject, scenario, side, seed, (rival, asked.base), own)


def _add_transfer(
    run: RunFolder, asked: Asked, found: Sequence[Candidate], listed: Listed
) -> tuple[str, ...]:
    """Add the games of each confirmed tactic in every other place, and of the best response again. The subject of tactic n in
    place m is n * (places + 1) + m, that of the response to it n * (places + 1) + places. Returns the responses."""
    width = len(asked.places) + 1
    best = best_responses(run)
    for number, one in enumerate(found):
        for place, scenario in enumerate(asked.places):
            if scenario != one.scenario:
                subject = number * width + place
                _add_trial(asked, one.tactic, scenario, asked.moved, "transfer", subject, listed)
        if number in best:
            own = with_tactics(asked.base, [one.tactic])
            subject = number * width + width - 1
            _add_response(asked, one.scenario, own, best[number], asked.confirmed, "answers", subject, listed)
    return tuple(best.get(number, "") for number in range(len(found)))


# ---- what the phases say


def mined(run: RunFolder) -> tuple[list[Candidate], int]:
    """The candidates from the varied players' games, and how many patterns were examined."""
    asked, rows, pairs = asked_of(run), watched_rows(run), pairs_of(run).contrasts
    found: list[Candidate] = []
    looked = 0
    for scenario in asked.scenarios:
        here = [pair for pair in pairs if pair.scenario == scenario]
        heads, patterns = mine(rows, here, asked.candidates, asked.buildings)
        found += [Candidate(one.tactic, scenario, one) for one in heads]
        looked += patterns
    return found, looked


def effects(
    folder: RunFolder, fewest: int = FEWEST, family: Callable[[int], object] = lambda subject: None
) -> dict[int, Effect | None]:
    """The effect of each subject of a phase, corrected over all of them, or over those of its `family`."""
    rows = watched_rows(folder)
    found = {subject: effect_of(rows, pairs) for subject, pairs in subjects(folder).items()}
    for one in {family(subject) for subject in found}:
        members = [subject for subject in found if family(subject) == one]
        found |= zip(members, judged([found[subject] for subject in members], fewest), strict=True)
    return found


def subjects(folder: RunFolder) -> dict[int, list[Contrast]]:
    """The pairs of each subject of a phase."""
    found: dict[int, list[Contrast]] = {}
    for pair in pairs_of(folder).contrasts:
        found.setdefault(pair.subject, []).append(pair)
    return dict(sorted(found.items()))


def tried(run: RunFolder) -> list[Candidate]:
    """Every candidate with the results of its trials; none before these are played."""
    folder = phase_folder(run, "trials")
    if folder is None or not is_played(folder):
        return []
    found = effects(folder, FEWEST_TRIED)
    return [replace(one, tried=found.get(n)) for n, one in enumerate(pairs_of(folder).candidates)]


def hopeful(run: RunFolder) -> list[Candidate]:
    """The candidates that are tried again: the best of each scenario, with the opposite in place of a tactic that did harm."""
    asked = asked_of(run)
    kept: list[Candidate] = []
    good = [(one.tried, one) for one in tried(run) if one.tried is not None and one.tried.q <= HOPEFUL]
    for scenario in asked.scenarios:
        here = sorted(
            [row for row in good if row[1].scenario == scenario], key=lambda row: (row[0].p, row[1].tactic)
        )
        for effect, one in here[: asked.keep]:
            tactic = one.tactic if effect.score.value > 0 else one.tactic.opposite
            kept.append(replace(one, tactic=tactic))
    return kept


def retried(run: RunFolder) -> list[Candidate]:
    """The candidates that were tried again, with both results; none before the confirmation is played. One that did harm there is
    replaced by its opposite: the p-value is two-sided, so this is valid."""
    folder = phase_folder(run, "confirmation")
    if folder is None or not is_played(folder):
        return []
    rows, found, of = watched_rows(folder), effects(folder), subjects(folder)
    kept = []
    for number, one in enumerate(pairs_of(folder).candidates):
        effect = found.get(number)
        if effect is not None and effect.score.value < 0:
            other = effect_of(rows, turned(of[number]))
            assert other is not None
            effect = replace(other, q=effect.q, q_kept=effect.q_opposite, q_opposite=effect.q_kept)
            one = replace(one, tactic=one.tactic.opposite, turned=True)
        kept.append(replace(one, confirmed=effect, subject=number))
    return kept


def turned(pairs: Sequence[Contrast]) -> list[Contrast]:
    """Pairs with their two games swapped."""
    return [replace(one, one=one.other, other=one.one) for one in pairs]


def confirmed(run: RunFolder) -> list[Candidate]:
    """The tactics that are confirmed, the largest effect first."""
    found = [(one.confirmed, one) for one in retried(run) if is_confirmed(one.confirmed)]
    found.sort(key=lambda row: -(row[0].score.value if row[0] else 0.0))
    return [one for _, one in found]


def best_responses(run: RunFolder) -> dict[int, str]:
    """For each confirmed tactic, the player that did best against it, measured by its gain over the base player; none before
    these games are played."""
    folder = phase_folder(run, "responses")
    if folder is None or not is_played(folder):
        return {}
    rows, players = watched_rows(folder), pairs_of(folder).players
    best: dict[int, tuple[float, float, str]] = {}
    for subject, pairs in subjects(folder).items():
        effect = effect_of(rows, pairs)
        tactic, place = divmod(subject, len(players))
        if effect is not None:
            value = (effect.score.value, effect.margin.value, players[place])
            if tactic not in best or value[:2] > best[tactic][:2]:
                best[tactic] = value
    return {tactic: player for tactic, (_, _, player) in best.items()}
