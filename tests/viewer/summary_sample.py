"""Summaries of made-up tournaments, the same ones every time."""

from __future__ import annotations

import math
import random
from typing import Any

AGENTS = ("greedy", "planner", "rush", "turtle", "careful", "sniper", "mixer", "echo", "random", "broken")
RULESETS = ("orderdice", "squadhex", "armorclass", "regiment")
PLACES = (
    "skirmish", "crossroads", "stairwell", "townhall", "bridge", "farmyard", "station", "chapel", "brickworks",
    "mill", "warehouse", "school", "harbour", "barracks", "market", "quarry", "tenement", "sawmill",
    "manor", "depot", "cellar", "arcade", "tower", "hospital", "foundry",
)  # fmt: skip
SIDES = (("South", "North"), ("Attacker", "Defender"), ("Blue", "Red"))
WORDS = ("length", "annihilation", "objective held", "broken morale", "forfeit")


def share(elo: float) -> float:
    return 1 / (1 + 10 ** (-elo / 400))


def sample(agents: int = 4, scenarios: int = 5, pairs: int = 50, state: str = "finished") -> dict[str, Any]:
    """A tournament as the driver would sum it up. The second scenario favours its first side."""
    chance = random.Random(f"{agents} {scenarios} {pairs}")
    names, places = AGENTS[:agents], PLACES[:scenarios]
    strength = {name: 150.0 - 300.0 * n / max(agents - 1, 1) for n, name in enumerate(names)}
    if agents > 2:
        strength[names[1]] = strength[names[0]] - 6
    rulesets = [RULESETS[n * min(len(RULESETS), scenarios) // scenarios] for n in range(scenarios)]
    couples = [(a, b) for n, a in enumerate(names) for b in names[n + 1 :]]

    pairings = []
    for place in places:
        for a, b in couples:
            expected = share(strength[a] - strength[b] + chance.uniform(-40, 40))
            five = [0] * 5
            for _ in range(pairs):
                first, second = (2 * (chance.random() < expected) for _ in range(2))
                if chance.random() < 0.1:
                    first = 1
                five[first + second] += 1
            score = sum(n * count for n, count in enumerate(five)) / (4 * pairs)
            half = 1.96 * math.sqrt(max(score * (1 - score), 0.01) / (2 * pairs))
            draws = five[1] + five[3]
            wins = round(2 * pairs * score - draws / 2)
            pairings.append(
                {
                    "scenario": place, "a": a, "b": b, "pairs": pairs, "pentanomial": five, "wins": wins, "draws": draws,
                    "losses": 2 * pairs - draws - wins, "score": score, "low": max(score - half, 0.0),
                    "high": min(score + half, 1.0), "margin": 20 * (score - 0.5) * chance.uniform(0.8, 1.2),
                    "nelo": 90.0, "margin_low": -1.5, "margin_high": 9.5,
                }
            )  # fmt: skip

    def standing(scope: str, of: str, where: list[str]) -> dict[str, Any]:
        rows = []
        for name in names:
            wins = draws = losses = 0
            for row in pairings:
                if row["scenario"] in where and name in (row["a"], row["b"]):
                    mine, yours = ("wins", "losses") if row["a"] == name else ("losses", "wins")
                    wins, draws, losses = wins + row[mine], draws + row["draws"], losses + row[yours]
            games = wins + draws + losses
            score = (wins + draws / 2) / games if games else None
            elo = strength[name] + (chance.uniform(-20, 20) if len(where) < len(places) else 0)
            half = 900 / math.sqrt(games) if games else None
            margin = 2 * score - 1 if games else None
            rows.append(
                {
                    "agent": name, "elo": elo if games else None, "low": elo - half if half else None,
                    "high": elo + half if half else None, "bound": "", "games": games, "wins": wins, "draws": draws,
                    "losses": losses, "score": score, "margin": margin, "margin_low": margin - 0.04 if games else None,
                    "margin_high": margin + 0.04 if games else None,
                }
            )  # fmt: skip
        rows.sort(key=lambda row: -(row["elo"] or 0))
        ranked = [{"rank": n, **row} for n, row in enumerate(rows, 1)]
        return {"scope": scope, "of": of, "withheld": "", "notes": [], "rows": ranked}

    standings = [standing("overall", "", places)]
    standings += [
        standing("ruleset", rules, [p for p, r in zip(places, rulesets, strict=True) if r == rules])
        for rules in dict.fromkeys(rulesets)
    ]
    standings += [standing("scenario", place, [place]) for place in places]
    if scenarios > 3:
        standings[-1]["withheld"] = "31% of its games stalled (limit 20%)"
        for row in standings[-1]["rows"]:
            row["elo"] = row["low"] = row["high"] = None
    if agents > 5:
        standings[2]["rows"][0]["bound"], standings[2]["rows"][-1]["bound"] = "at least", "at most"
        standings[0]["notes"] = ["broken forfeited 3 games; they count as lost"]

    order = [row["agent"] for row in standings[0]["rows"]]
    rating = {row["agent"]: row["elo"] or 0.0 for row in standings[0]["rows"]}
    superiority = []
    for n, a in enumerate(order):
        for b in order[n + 1 :]:
            gap, half = rating[a] - rating[b], 300 / math.sqrt(max(len(places) * pairs, 1))
            z = gap / (half / 1.96)
            superiority.append(
                {
                    "a": a, "b": b, "elo": gap, "low": gap - half, "high": gap + half,
                    "p": 1 - math.erf(abs(z) / math.sqrt(2)), "nelo": gap, "nelo_low": gap - half, "nelo_high": gap + half,
                }
            )  # fmt: skip

    def between(a: str, b: str) -> float | None:
        if a == b:
            return None
        found = [
            r["score"] if r["a"] == a else 1 - r["score"] for r in pairings if {r["a"], r["b"]} == {a, b}
        ]
        return sum(found) / len(found) if found else None

    sides = []
    for n, place in enumerate(places):
        bias = 110.0 if n == 1 else chance.uniform(-25, 25)
        first = share(bias)
        won = [round(92 * first), 92 - round(92 * first)]
        many = [round(276 * first), 276 - round(276 * first)]
        control = (won[0] + 4) / 100
        sides.append(
            {
                "scenario": place, "sides": list(SIDES[n % 3]),
                "control": {"games": 100, "wins": won, "draws": 8, "share": control, "low": max(control - 0.098, 0),
                            "high": min(control + 0.098, 1)},
                "all": {"games": 300, "wins": many, "draws": 24}, "elo": bias, "low": bias - 24, "high": bias + 24,
                "verdict": f"favours {SIDES[n % 3][0]}" if n == 1 else "no bias above 60:40",
                "kind": "favours" if n == 1 else "fair", "bound": 0.6, "needed": 196, "unseen": 0.59 if n != 1 else 0.74,
                "agents": [{"agent": name, "games": 25, "wins": [13, 10], "draws": 2, "share": 0.56, "low": 0.37,
                            "high": 0.73, "p": 0.68, "unseen": 0.73} for name in names],
            }
        )  # fmt: skip

    games = len(couples) * len(places) * pairs * 2 + 100 * len(places)
    played = games if state == "finished" else round(games * 0.617)
    each = max(games // max(len(places), 1), 1)
    step = max(played // 40, 1)
    ends = "broken" in names
    return {
        "format": 2, "name": "first", "run": "20261122-first", "state": state,
        "games": {"planned": games, "played": played, "counted": played - (0 if state == "finished" else 12)},
        "seed": 1, "started": "2026-11-22T06:00:00Z", "seconds": played * 0.11,
        "config": {
            "name": "first", "seed": 1, "format": "round robin", "agents": [{"name": name} for name in names],
            "scenarios": list(places), "pairs": pairs, "control": 100, "limits": {"seconds": None, "memory": "1 GB"},
            "stop": {"elo0": 0, "elo1": 10, "alpha": 0.05, "beta": 0.05},
        },
        "environment": {"battlesim": "0.1.0", "code": "8d1f03ab52c7", "python": "3.11.7",
                        "platform": "Linux-6.1-x86_64", "workers": 2},
        "agents": [{"name": name, "digest": f"{chance.getrandbits(64):016x}"} for name in names],
        "scenarios": [
            {"name": place, "ruleset": rules, "map": PLACES[-1 - n % 7], "digest": f"{chance.getrandbits(64):016x}",
             "sides": list(SIDES[n % 3]), "turns": 6 + n % 3, "units": [6 + n % 4, 5 + n % 5]}
            for n, (place, rules) in enumerate(zip(places, rulesets, strict=True))
        ],
        "standings": standings, "superiority": superiority,
        "matrix": {
            "agents": order, "score": [[between(a, b) for b in order] for a in order],
            "games": [[0 if a == b else 2 * pairs * len(places) for b in order] for a in order],
            "mix": [{"agent": name, "weight": 1.0 if agents < 4 else weight, "low": 0.1, "high": 1.0} for name, weight in
                    zip(order, (0.62, 0.38) if agents >= 4 else (1.0,), strict=False)],
            "value": 0.487, "unsafe": False, "cycles": [["greedy", "rush", "turtle"]] if agents > 7 else [], "fit_p": 0.4,
        },
        "scale": {"100": 0.61, "200": 0.71}, "differs": None, "courses": [],
        "pairing": {"pairs": 100, "correlation": -0.04, "low": -0.1, "high": 0.02, "saved": 0.04},
        "pairings": pairings, "sides": sides,
        "sprt": {
            "elo0": 0, "elo1": 10, "alpha": 0.05, "beta": 0.05, "llr": 2.97 if state == "decided" else 1.2,
            "lower": -2.94, "upper": 2.94, "decision": "H1" if state == "decided" else None, "pairs": 120,
            "pentanomial": [5, 20, 50, 25, 20],
            "path": [[n, (2.97 if state == "decided" else 1.2) * n / 120 + math.sin(n / 7) * 0.5 * (1 - n / 120)]
                     for n in range(1, 121)],
        } if agents == 2 else None,
        "verdicts": [
            {"scenario": place, "games": each, "decided": each - each // 3 - (5 if ends else 0), "length": each // 3,
             "stalled": 3 if ends else 0, "forfeit": 1 if ends else 0, "crash": 1 if ends else 0, "fault": 0}
            for place in places
        ],
        "blame": [{"agent": "broken", "forfeit": 3, "crash": 1, "faults": 30,
                   "what": "raised ValueError: no such unit (broken.py:12)"}] if ends else [],
        "lengths": [
            {"scenario": place, "turns": [[t, round(each * w)] for t, w in
             ((3 + n % 2, 0.04), (4 + n % 2, 0.15), (5 + n % 2, 0.3), (6 + n % 3, 0.51))],
             "median": 6 + n % 3, "seconds": 0.08 + 0.01 * n}
            for n, place in enumerate(places)
        ],
        "terminations": [
            {"scenario": place, "words": {word: each // (2 + n) for n, word in enumerate(WORDS[: 5 if ends else 4])}}
            for place in places
        ],
        "progress": [
            {"games": done, "ratings": [
                {"agent": name,
                 "elo": rating[name] + 900 / math.sqrt(done) * math.sin(done / 97) * (1 - 2 * n / max(agents - 1, 1)),
                 "low": rating[name] - 2500 / math.sqrt(done), "high": rating[name] + 2500 / math.sqrt(done)}
                for n, name in enumerate(order)]}
            for done in range(step, played + 1, step)
        ],
        "clauses": [
            {"ruleset": rules, "games": each, "clauses": [
                {"id": f"{rules[:2].upper()}-{chapter}-{n}", "title": f"what {chapter.lower()} does, rule {n}",
                 "games": 0 if n == 5 else each // n}
                for chapter in ("HE", "MV", "FI", "BU", "MO", "AS") for n in range(1, 9)]}
            for rules in dict.fromkeys(rulesets)
        ],
        "records": [
            {"file": f"records/{n:06d}-1.jsonl.gz", "what": f"median game of {a} : {b} on {places[0]}",
             "scenario": places[0], "agents": [a, b], "outcome": "victory: South (length, turn 6)"}
            for n, (a, b) in enumerate(couples[:20], 123)
        ],
    }  # fmt: skip


EMPTY: dict[str, Any] = {
    "format": 2, "name": "nothing", "run": "20261122-nothing", "state": "interrupted",
    "games": {"planned": 10, "played": 0, "counted": 0}, "seed": 1, "started": None, "seconds": None, "config": {},
    "environment": {}, "agents": [], "scenarios": [], "standings": [], "superiority": [],
    "matrix": {"agents": [], "score": [], "games": [], "mix": [], "value": None, "cycles": [], "fit_p": None},
    "pairings": [], "sides": [], "sprt": None, "verdicts": [], "blame": [], "lengths": [], "terminations": [],
    "progress": [], "clauses": [], "records": [],
}  # fmt: skip
