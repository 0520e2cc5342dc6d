"use strict";
// The battle as data, and where in it the page stands. Values by key are as viewer/film.py says: uN, mN, bN, sN, oN, p, gN, f; and hN,
// the mask of the sides that know of unit N (none: both).
const data = JSON.parse(document.getElementById("data").textContent);
const moments = data.moments.map(([event, root, turn, changes, effects]) => ({ event, root, turn, changes, effects }));
const last = moments.length;
const values = new Map(Object.entries(data.start));
const before = []; // by moment: the values that its changes replaced
let at = 0; // how many moments have passed
let seer = -1; // the side whose knowledge is shown; -1 everything

function stepOn(dirty) {
  const old = [];
  for (const [key, value] of Object.entries(moments[at].changes)) {
    old.push([key, values.get(key)]);
    values.set(key, value);
    dirty.add(key);
  }
  before[at++] = old;
}

function stepBack(dirty) {
  for (const [key, value] of before[--at]) {
    values.set(key, value);
    dirty.add(key);
  }
}

// Go to a place in the film; returns the keys whose values changed.
function moveTo(target) {
  const dirty = new Set();
  while (at < target) stepOn(dirty);
  while (at > target) stepBack(dirty);
  return dirty;
}

// How many moments have passed once an event has happened.
function momentOf(event) {
  let low = 0, high = last;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (moments[middle].event < event) low = middle + 1; else high = middle;
  }
  return Math.min(last, low + 1);
}

const telling = new Set(data.told.map((line) => line[1]));

// Whether a moment only brings about what was just told or seen: the wall that is breached is drawn a moment after the sentence.
function isOutcome(number) {
  return number > 0 && number < last && moments[number].root === moments[number - 1].root && !moments[number].effects.length && !telling.has(number);
}

// How many moments have passed once all is there that a moment brings about.
function outcomeOf(number) {
  while (isOutcome(number + 1)) number++;
  return number + 1;
}

// The first moment of the order that a moment belongs to.
function orderStart(number) {
  while (number > 0 && moments[number - 1].root === moments[number].root) number--;
  return number;
}

function nextOrder() {
  let to = at;
  if (to >= last) return last;
  const root = moments[to].root;
  while (to < last && moments[to].root === root) to++;
  return to;
}

function lastOrder() {
  return at > 0 ? orderStart(at - 1) : 0;
}

function nextTurn() {
  const turn = moments[Math.min(at, last - 1)].turn;
  let to = at;
  while (to < last && moments[to].turn === turn) to++;
  return to;
}

function lastTurn() {
  if (at === 0) return 0;
  const turn = moments[at - 1].turn;
  let to = at - 1;
  while (to > 0 && moments[to - 1].turn === turn) to--;
  return to;
}

// A value as the chosen side knows it.
function valueOf(key) {
  return (seer < 0 ? undefined : values.get(seer + key)) ?? values.get(key);
}

function knows(unit) {
  const mask = values.get("h" + unit);
  return seer < 0 || mask === undefined || Boolean(mask & (1 << seer));
}

function heard(mask) {
  return seer < 0 || Boolean(mask & (1 << seer));
}

// An effect is seen by a side that knows of the unit, or whose own unit it befalls.
function seen(effect) {
  return effect.unit < 0 || knows(effect.unit);
}

// An effect with its ends where the side sees the marks.
function asSeen(effect) {
  return effect[seer] ? { ...effect, ...effect[seer] } : effect;
}
