"""Made-up games for the search for ways of fighting, whose truth is known.

python -m tests.discovery.made_up --searches 400      # how often it claims what is not so, and finds what is
python -m tests.discovery.made_up --plans             # how often a planted tactic is found
python -m tests.discovery.made_up --begun             # how often a climb claims more than the player that it began from
python -m tests.discovery.made_up --large             # an archive of 10,000 cells and 1,000,000 cases: saved and resumed
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from math import exp, sqrt
from pathlib import Path
from random import Random
from statistics import fmean
from tempfile import TemporaryDirectory

from battlesim.core.dice import derive_seed
from battlesim.discovery.genome import Gene, Genome, SearchSpace
from battlesim.discovery.run import candidates
from battlesim.discovery.search import Search
from battlesim.discovery.search_cases import Played, Wanted
from battlesim.discovery.search_judge import SELECTION, Judged, Jury, judge
from battlesim.discovery.situations import FEATURES
from battlesim.discovery.tactic import Tactic, parse_tactic

SPACE = SearchSpace([Gene(name, 0.0, 10.0, 1.0) for name in ("boldness", "patience", "colour", "shade")])
WIDE = SearchSpace([Gene(f"gene{n}", 0.0, 10.0, 1.0) for n in range(40)])


class MadeUp:
    """Games whose chance to win hangs on the boldness by so much; behaviour is the colour and the shade."""

    def __init__(self, seed: int, effect: float) -> None:
        self.seed, self.effect = seed, effect
        self.asked: list[Wanted] = []

    def chance(self, genome: Genome) -> float:
        return 0.5 + self.effect * (SPACE.genes[0].scaled(genome.values[0]) - 0.5)

    def play(self, wanted: Sequence[Wanted]) -> list[list[Played]]:
        self.asked += wanted
        return [[self._case(each, each.first + n) for n in range(each.count)] for each in wanted]

    def _case(self, wanted: Wanted, number: int) -> Played:
        dice = Random(derive_seed(self.seed, wanted.part, number, *wanted.genome.values))
        wins = [dice.random() < self.chance(wanted.genome) for _ in range(2)]
        behaviour = tuple(g.scaled(v) for g, v in zip(SPACE.genes[2:], wanted.genome.values[2:], strict=True))
        return Played(sum(wins) / 2, behaviour, "plain", ("ann", "bob")[number % 2])


def found_in(seed: int, effect: float, games: int = 4000) -> tuple[Judged, MadeUp, Search]:
    """What a search comes to."""
    field = MadeUp(seed, effect)
    search = Search(SPACE, field, 2, games, seed=seed, bins=4)
    elites = candidates(search.run())
    return judge(SPACE, field, elites, {"doctrine": SPACE.usual}, Jury()), field, search


def rates(searches: int, first: int, effect: float) -> None:
    """Print how often searches claim what is not so. Seeds are counted from `first`."""
    noise = sqrt(0.125 / SELECTION)  # a case of two even games has a variance of an eighth
    raw, corrected, far, confirmed, claims, held, bold = [], [], 0, 0, 0, 0, []
    for seed in range(first, first + searches):
        found, field, _ = found_in(seed, effect, 3000)
        best = found.elites[0]
        truth = field.chance(SPACE.parse(best.agent))
        raw.append(max(one.value.value for one in found.elites) - 0.5)
        corrected.append(best.corrected - truth)
        far += corrected[-1] > noise
        bold.append(truth)
        sure = [one.confirmed for one in found.elites if one.confirmed is not None]
        confirmed += bool(sure)
        claims += any(one.low > 0.5 for one in sure)
        truths = [field.chance(SPACE.parse(o.agent)) for o in found.elites if o.confirmed is not None]
        held += all(one.low <= true <= one.high for one, true in zip(sure, truths, strict=True))
    print(
        f"{searches} searches, seeds from {first}, effect {effect:g}: best value seen {fmean(raw):+.3f} above even"
    )
    print(f"  corrected value of the best minus its truth: {fmean(corrected):+.3f}; above one error: {far}")
    print(
        f"  best is truly {fmean(bold):.3f}; with something to confirm {confirmed}; claimed better than even: {claims}"
    )
    print(f"  all confirmed intervals hold the truth: {held}")


class Wide:
    """Quick cases for an archive of many cells: behaviour is four genes, nothing decides."""

    def play(self, wanted: Sequence[Wanted]) -> list[list[Played]]:
        return [self._cases(each) for each in wanted]

    def _cases(self, wanted: Wanted) -> list[Played]:
        dice = Random(derive_seed(1, wanted.first, wanted.genome.values[0], wanted.genome.values[1]))
        behaviour = tuple(g.scaled(v) for g, v in zip(WIDE.genes[:4], wanted.genome.values[:4], strict=True))
        return [Played(dice.choice((0.0, 0.5, 1.0)), behaviour) for _ in range(wanted.count)]


def large(cases: int) -> None:
    """Print how long a large search takes beside its cases, and how long it takes to be saved and gone on with."""
    from battlesim.discovery.search_keep import Keeper

    begun = time.process_time()
    search = Search(WIDE, Wide(), 4, 2 * cases, bins=10)
    while not search.is_over:
        search.generation()
    spent = time.process_time() - begun
    elites = len(search.archive.elites)
    print(f"{search.played // 2:,} cases, {search.generations} generations, {elites:,} elites: {spent:.0f} s")
    with TemporaryDirectory() as folder:
        keeper = Keeper(Path(folder), "made up")
        begun = time.process_time()
        keeper.keep(search.save(), always=True)
        saved = time.process_time()
        again = Search(WIDE, Wide(), 4, 2 * cases, bins=10, saved=Keeper(Path(folder), "made up").load())
        resumed = time.process_time()
        size = sum(file.stat().st_size for file in Path(folder).iterdir())
        same = again.archive.corrected() == search.archive.corrected()
        print(
            f"saved in {saved - begun:.1f} s ({size:,} bytes), resumed in {resumed - saved:.1f} s, same: {same}"
        )


class Valley:
    """Games of 35 genes, of which twelve decide: each costs by the square of its distance from a point near the usual one. The
    usual player wins a third of its games, the best there is five of eight."""

    SPACE = SearchSpace([Gene(f"gene{n}", 0.0, 10.0, 1.0) for n in range(35)])

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def chance(self, genome: Genome) -> float:
        usual = self.SPACE.genes[0].scaled(1.0)
        off = [
            (self.SPACE.genes[n].scaled(genome.values[n]) - usual - (0.15 if n % 2 else -0.1)) ** 2
            for n in range(2, 14)
        ]
        return 1 / (1 + exp(6 * sum(off) - 0.5))

    def best(self) -> Genome:
        """The best player there is."""
        usual = self.SPACE.genes[0].scaled(1.0)
        places = [usual + (0.15 if n % 2 else -0.1) if 2 <= n < 14 else usual for n in range(35)]
        return Genome(tuple(gene.value(at) for gene, at in zip(self.SPACE.genes, places, strict=True)))

    def play(self, wanted: Sequence[Wanted]) -> list[list[Played]]:
        return [[self._case(each.genome, each.first + n) for n in range(each.count)] for each in wanted]

    def _case(self, genome: Genome, number: int) -> Played:
        dice = Random(derive_seed(self.seed, number, *genome.values))
        behaviour = (
            self.SPACE.genes[0].scaled(genome.values[0]),
            self.SPACE.genes[1].scaled(genome.values[1]),
        )
        return Played(sum(dice.random() < self.chance(genome) for _ in range(2)) / 2, behaviour)


class Planted(MadeUp):
    """Games that are won more often by who keeps to one tactic in one situation; half as much where it is kept to in all, for it
    does harm in others. The opposite costs as much. Behaviour as usual."""

    TACTIC = parse_tactic("never go:outside when where=upper")

    def chance(self, genome: Genome) -> float:
        """Who keeps to both has what the narrower brings."""
        gain = 0.0
        for one in genome.plan:
            same = 1 if one.rule == self.TACTIC.rule else -1
            if one.act == self.TACTIC.act and one.when in ((), self.TACTIC.when):
                gain = max(gain, same * (1.0 if one.when else 0.5), key=abs)
        return 0.5 + self.effect * gain


def atoms() -> list[Tactic]:
    """Tactics that plans may be made of: 20 acts in 28 situations and in all."""
    acts = [
        f"go:{choice}"
        for choice in ("outside", "inside", "upstairs", "nearer", "back", "goal", "stay", "cover")
    ]
    acts += [f"order:{choice}" for choice in ("fire", "move", "run", "wait", "rally", "down")]
    acts += [f"at:{choice}" for choice in ("inside", "upper", "outdoors", "nearest", "weak", "building")]
    features = ("where", "enemy", "range", "goal", "way", "time", "state")
    when = [(), *(((name, value),) for name in features for value in FEATURES[name])]
    return [Tactic("always", act, one) for act in acts for one in when]


def planted(searches: int, effect: float, games: int = 8000) -> tuple[int, int]:
    """Of so many searches, in how many an elite that was confirmed keeps to the planted tactic or to the same in all situations,
    and in how many to the very tactic."""
    near = exact = 0
    for seed in range(searches):
        field, space = Planted(seed, effect), SPACE.with_plans(atoms(), 2)
        search = Search(space, field, 2, games, seed=seed, bins=4)
        judged = judge(space, field, candidates(search.run()), {"doctrine": space.usual}, Jury())
        sure = [space.parse(one.agent) for one in judged.elites if one.confirmed is not None]
        near += any(field.chance(one) > 0.5 for one in sure)
        exact += any(Planted.TACTIC in one.plan for one in sure)
    return near, exact


def proposers(searches: int) -> None:
    """Print what several proposers come to at the same cost, by what is true."""
    from battlesim.discovery.search import Emitter, Mutation
    from battlesim.discovery.search_cma import CmaMae, CmaMe
    from battlesim.discovery.search_win import Climb

    space = Valley.SPACE
    print("| proposed by | games | sum over the cells of what is true | best, truly |")
    print("| --- | --- | --- | --- |")
    for games in (4000, 20_000):
        for name in ("mutation", "cma", "cma-mae", "mutation,cma", "--aim win"):
            sums, best = [], []
            for seed in range(searches):
                field = Valley(seed)
                if name == "--aim win":
                    best.append(field.chance(Climb(space, field, 2, games, seed=seed).run()[0]))
                    continue
                made: dict[str, Emitter] = {
                    "mutation": Mutation(space),
                    "cma": CmaMe(space, seed),
                    "cma-mae": CmaMae(space, seed),
                }
                emitters = [made[word] for word in name.split(",")]
                archive = Search(space, field, 2, games, seed=seed, emitters=emitters).run()
                truths = [field.chance(elite.genome) for elite in archive.elites.values()]
                sums.append(sum(truths))
                best.append(max(truths))
            told = f"{fmean(sums):.1f}" if sums else "-"
            print(f"| {name} | {games:,} | {told} | {fmean(best):.0%} |")


def begun(searches: int) -> None:
    """Print how often a climb that begins from the best or the usual player says that it found a better one."""
    from battlesim.discovery.search_win import Climb, numbered

    space = Valley.SPACE
    for name in ("best", "usual"):
        worse = claims = 0
        for seed in range(searches):
            field = Valley(seed)
            begin = field.best() if name == "best" else space.usual
            answers = Climb(space, field, 2, 4000, seed=seed, begin=begin).run()
            elites = judge(space, field, numbered(answers), {}, Jury()).elites
            first = next(one for one in elites if one.confirmed is not None)
            worse += field.chance(space.parse(first.agent)) < field.chance(begin)
            claims += any(one.gain is not None and one.gain.low > 0 for one in elites)
        print(
            f"{searches} climbs from the {name} player: the best of the selection is truly worse in {worse}; "
            f"{claims} say that they found a better one"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--searches", type=int, default=400, metavar="N")
    parser.add_argument("--first", type=int, default=100_000, metavar="SEED")
    parser.add_argument("--effect", type=float, default=0.0, metavar="SHARE")
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--proposers", action="store_true")
    parser.add_argument("--plans", action="store_true")
    parser.add_argument("--begun", action="store_true")
    parser.add_argument("--cases", type=int, default=1_000_000, metavar="N")
    args = parser.parse_args()
    if args.large:
        large(args.cases)
    elif args.plans:
        count, effect = min(args.searches, 40), args.effect or 0.2
        print(
            f"one tactic of {2 * len(atoms())} wins {effect:+.0%}; of {count} searches, one that was confirmed keeps"
        )
        for games in (8_000, 20_000):
            near, exact = planted(count, effect, games)
            print(
                f"  with {games:,} games to it, or to it in all situations, in {near}; to it itself in {exact}"
            )
    elif args.begun:
        begun(min(args.searches, 100))
    elif args.proposers:
        proposers(min(args.searches, 20))
    else:
        rates(args.searches, args.first, args.effect)


if __name__ == "__main__":
    main()
