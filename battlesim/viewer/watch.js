// Playing: buttons, keys, links, and the clock.
const now = document.getElementById("now");
const scrub = document.getElementById("scrub");
const play = document.getElementById("play");
const cursor = document.getElementById("cursor");
const strips = [...document.querySelectorAll(".strip svg")];
let stripWide = 0;
const still = matchMedia("(prefers-reduced-motion: reduce)");
let playing = false;
let rest = 0; // when the story was last brought into step
let since = 0; // when the present moment began
let moving = null; // the move that is shown: unit, path

function show(target, options = {}) {
  const dirty = moveTo(Math.max(0, Math.min(last, target)));
  moving = null;
  const touched = new Set();
  for (const changed of dirty) {
    const key = changed.replace(/^[01]/, ""), number = Number(key.slice(1));
    if ("umbh".includes(key[0])) touched.add(number);
    else if ("st".includes(key[0])) drawSection(key.slice(1));
    else if (key[0] === "g") { drawHolder(number); drawFlag(flagOf.indexOf(number)); }
    else if (key[0] === "f") drawFires();
    else if (key[0] === "o") drawWalls();
  }
  for (const number of touched) { drawUnit(units[number]); drawRow(units[number]); }
  const rested = !playing || performance.now() - rest > 250; // what costs layout is done now and then while it plays
  if (touched.size && rested) nameUnits(at > 0 ? moments[at - 1].effects.map((effect) => "u" + effect.unit) : []);
  drawScore();
  drawEffects();
  if (rested) { markLine(); rest = performance.now(); }
  scrub.value = at;
  scrub.setAttribute("aria-valuetext", document.getElementById("clock").textContent + (marked >= 0 ? ": " + textOf(marked) : ""));
  cursor.style.transform = `translateX(${((stripWide * Math.max(0, at - 1)) / Math.max(1, last - 1)).toFixed(1)}px)`;
  const says = marked >= 0 ? textOf(marked) : "Before the battle.";
  say(now, says);
  for (const effect of at > 0 ? moments[at - 1].effects : []) {
    if (!seen(effect)) continue;
    if (effect.kind === "move" && options.animate) moving = effect;
    follow(place(...(effect.to || effect.at || effect.path[effect.path.length - 1])));
  }
  if (!playing && marked >= 0 && marked !== asked) explain(marked);
  if (at === 0) unask();
  if (!playing && !options.quiet) remember();
}

function remember() {
  let number = at - 1;
  while (isOutcome(number)) number--;
  const hash = at > 0 ? "#event=" + moments[number].event : "";
  if (location.hash !== hash) try { history.replaceState(null, "", hash || location.pathname + location.search); } catch { /* some browsers forbid it for files */ }
}

function fromHash() {
  const found = /^#event=(\d+)$/.exec(location.hash);
  if (!found) return false;
  goToEvent(Number(found[1]));
  return true;
}

function goToEvent(event) {
  stop();
  const line = data.told.findIndex((row) => row[0] === event);
  show(outcomeOf(line >= 0 ? data.told[line][1] : momentOf(event) - 1), { quiet: true });
  if (line >= 0) explain(line);
}

// ---- the clock

function lasts(moment) {
  const usual = moment.effects.length ? Math.max(...moment.effects.map((e) => ({ shot: 700, move: 600, lost: 600, fell: 900 })[e.kind] || 300)) : 260;
  return usual / Number(document.getElementById("speed").value);
}

function along(path, share) {
  const far = path.slice(1).map((p, n) => Math.hypot(p[0] - path[n][0], p[1] - path[n][1]));
  let left = share * far.reduce((a, b) => a + b, 0);
  for (let n = 0; n < far.length; n++) {
    if (left <= far[n]) {
      const part = far[n] ? left / far[n] : 1;
      return [path[n][0] + (path[n + 1][0] - path[n][0]) * part, path[n][1] + (path[n + 1][1] - path[n][1]) * part];
    }
    left -= far[n];
  }
  return path[path.length - 1];
}

function tick(time) {
  if (!playing) return;
  let target = Math.max(1, at);
  if (at === 0) since = time;
  while (target <= last && time - since >= lasts(moments[target - 1])) {
    if (target === last) { show(last); stop(); return; }
    since += lasts(moments[target - 1]);
    if (++target - at > 40) since = time; // a slow machine does not run after the clock
  }
  if (target !== at) show(target, { animate: !still.matches });
  if (moving) {
    const share = Math.min(1, (time - since) / lasts(moments[at - 1]));
    drawUnit(units[moving.unit], share < 1 ? along(moving.path, share) : undefined);
    if (share >= 1) moving = null;
  }
  requestAnimationFrame(tick);
}

function start() {
  if (at >= last) show(0);
  playing = true;
  play.textContent = "Pause";
  now.setAttribute("aria-live", "off"); // a reader is not flooded while it plays
  since = performance.now();
  requestAnimationFrame(tick);
}

function stop() {
  if (!playing) return;
  playing = false;
  show(at, { quiet: true });
  play.textContent = "Play";
  now.setAttribute("aria-live", "polite");
  if (marked >= 0) explain(marked);
  if (moving) { const unit = moving.unit; moving = null; drawUnit(units[unit]); }
  remember();
}

// ---- controls

const go = {
  back: () => show(at - 1),
  next: () => show(at + 1, { animate: false }),
  "order-back": () => show(lastOrder()),
  "order-next": () => show(nextOrder()),
  "turn-back": () => show(lastTurn()),
  "turn-next": () => show(nextTurn()),
};
for (const [id, act] of Object.entries(go)) document.getElementById(id).addEventListener("click", () => { stop(); act(); });
play.addEventListener("click", () => (playing ? stop() : start()));
scrub.addEventListener("input", () => { stop(); show(Number(scrub.value), { quiet: true }); });
scrub.addEventListener("change", remember);
for (const svg of strips) {
  svg.addEventListener("click", (event) => {
    const rect = svg.getBoundingClientRect();
    stop();
    show(Math.round(((event.clientX - rect.left) / rect.width) * last));
  });
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const own = event.target.closest("select, input, textarea, [role=tab]");
  if (own && own !== scrub && own.type !== "checkbox") return;
  const shift = event.shiftKey ? "order-" : "";
  const act = {
    ArrowLeft: () => go[shift + "back"](),
    ArrowRight: () => go[shift + "next"](),
    PageUp: () => go["turn-back"](),
    PageDown: () => go["turn-next"](),
    Home: () => show(0),
    End: () => show(last),
    "+": () => zoomBy(1.5), "=": () => zoomBy(1.5), "-": () => zoomBy(1 / 1.5), 0: () => zoomTo(whole()),
  }[event.key];
  const presses = event.target.closest("button, a, summary");
  if (event.key === " " && !presses && !(own && own.type === "checkbox")) { event.preventDefault(); if (playing) stop(); else start(); return; }
  if (!act) return;
  event.preventDefault();
  if (!"+=-0".includes(event.key)) stop();
  act();
});

document.addEventListener("click", (event) => {
  const anchor = event.target.closest("a[href^='#event=']");
  if (anchor) {
    event.preventDefault();
    goToEvent(Number(anchor.getAttribute("href").slice(7)));
    remember();
    return;
  }
  const named = event.target.closest("[data-unit]");
  if (named) { find(Number(named.dataset.unit)); askUnit(Number(named.dataset.unit)); }
});

// A click on a mark or a house asks what happened to it; one that moved the map does not.
let pressed = [0, 0];
view.addEventListener("pointerdown", (event) => { pressed = [event.clientX, event.clientY]; });
view.addEventListener("click", (event) => {
  if (event.target.closest("button") || Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) > 5) return;
  for (const element of document.elementsFromPoint(event.clientX, event.clientY)) {
    const mark = element.closest("#units .unit"), part = element.closest("#ground .whole, #ground .ruin");
    if (mark) askUnit(Number(mark.id.slice(1)));
    else if (part) askSection([...part.classList].find((name) => /^x\d+$/.test(name)).slice(1));
    else continue;
    return;
  }
});

function drawHolders() {
  for (const key of values.keys()) if (key[0] === "g") drawHolder(Number(key.slice(1)));
  flagElements.forEach((_, flag) => drawFlag(flag));
}

// Show a unit: zoom to it, and let its mark stand out for a while.
function find(number) {
  const spot = valueOf("u" + number);
  if (!spot || !knows(number)) return;
  const [, , w] = whole(), [x, y] = place(...standsAt(spot), spot[5]);
  const wide = Math.min(box[2], Math.max(w / 3, 300)), high = (wide * box[3]) / box[2];
  zoomTo([x - wide / 2, y - high / 2, wide, high]);
  for (const element of [units[number].solid, units[number].hollow]) {
    element.classList.add("found");
    setTimeout(() => element.classList.remove("found"), 2500);
  }
}

document.getElementById("who").addEventListener("change", (event) => {
  seer = Number(event.target.value);
  hideUnheard();
  for (const unit of units) drawRow(unit);
  drawHolders();
  drawAll();
  show(at);
});
document.getElementById("floors").addEventListener("change", (event) => {
  floors = event.target.value;
  document.getElementById("top-label").hidden = floors !== "stack";
  drawPanels();
  zoomTo(whole());
});
document.getElementById("top").addEventListener("change", (event) => { top_ = Number(event.target.value); drawPanels(); drawAll(); });
document.getElementById("names").addEventListener("change", () => zoomTo(box));
document.getElementById("zones").addEventListener("change", (event) => layers[0].classList.toggle("zoned", event.target.checked));
addEventListener("hashchange", fromHash);
new ResizeObserver(() => {
  stripWide = strips[0].getBoundingClientRect().width;
  zoomTo(view.classList.contains("zoomed") ? box : whole());
  show(at, { quiet: true });
}).observe(view);
addEventListener("beforeprint", () => zoomTo(whole()));

const highest = Math.max(0, ...data.panels.map((panel) => panel[0]));
for (let floor = highest; floor >= 0; floor--) {
  const option = make("option", floor === highest ? "the roof" : floor === 0 ? "the ground" : "floor " + floor);
  option.value = floor;
  document.getElementById("top").append(option);
}
top_ = highest;
if (matchMedia("(max-width: 44rem)").matches && data.panels.length) {
  floors = "none";
}
document.getElementById("floors").value = data.panels.length ? floors : "beside";
drawPanels();
for (const number of sections.keys()) drawSection(number);
for (const unit of units) drawRow(unit);
drawHolders();
zoomTo(whole());
if (!fromHash()) show(0, { quiet: true });
