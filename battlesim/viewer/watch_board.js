// The board: units, fire and signs drawn over the map; zoom. Every element is made by Python and only placed and filled here.
const view = document.getElementById("view");
// What passes has a layer of its own: it changes with every moment, and the marks below need not be painted again.
const layers = ["ground", "marks", "passing"].map((id) => document.getElementById(id));
const groups = Object.fromEntries(["walls", "fires", "graves", "ways", "units", "lines", "losses"].map((id) => [id, document.getElementById(id)]));
const units = data.units.map(([side, name], id) => ({ id, side, name, full: data.start["m" + id], solid: document.getElementById("u" + id), hollow: document.getElementById("h" + id), drawn: "" }));
const sections = new Map();
for (const part of document.querySelectorAll("#ground .whole, #ground .ruin, #ground .fire")) {
  const number = [...part.classList].find((name) => /^x\d+$/.test(name)).slice(1);
  if (!sections.has(number)) sections.set(number, []);
  sections.get(number).push(part);
}
const panelElements = [...document.querySelectorAll("#ground .panel")];
let least = units.length > 60 ? 20 : 28; // a mark is at least so many pixels wide on the screen
const crowded = data.size[0] > 2.2 * data.ground[0]; // so many floors that the map would be small beside them
let floors = data.panels.length && !crowded ? "beside" : "none";
let top_ = 99; // the highest floor shown in a stack
let box = [0, 0, ...data.size];
let named = true;
const shown = new Map(); // by element: x, y and width on the screen of every mark that is drawn, and the panel that it is on (-1: none)
let pixel = 1; // units of the drawing in a pixel of the screen

// ---- where things are

const TILT = [0.94, 0.17, -0.34, 0.5]; // of the stacked view

function flat(x, y) {
  const { scale, left, above, height } = data.map;
  return [left + (x * scale) / 100, above + ((height - y) * scale) / 100];
}

function lift(panel) {
  return panel[0] * (18 + 0.34 * ((panel[4] - panel[2]) * data.map.scale) / 100);
}

function panelOf(x, y, floor) {
  return data.panels.findIndex(([level, west, south, east, north]) => level === floor && x >= west && x <= east && y >= south && y <= north);
}

// A point of the map on the drawing; upstairs on the panel of its floor where that is shown.
function place(x, y, floor) {
  const [px, py] = flat(x, y);
  if (floors === "stack") {
    const number = floor > 0 && floor <= top_ ? panelOf(x, y, floor) : -1;
    const [a, b, c, d] = TILT;
    return [a * px + c * py, b * px + d * py - (number < 0 ? 0 : lift(data.panels[number]))];
  }
  return [px, py];
}

function upstairs(x, y, floor) {
  if (floors !== "beside" || floor < 1) return null;
  const number = panelOf(x, y, floor);
  if (number < 0) return null;
  const [px, py] = flat(x, y);
  return [px + data.panels[number][5], py + data.panels[number][6]];
}

// ---- units

// Set a mark down, and keep where it is on the screen for `nameUnits`.
function stand(element, [x, y], size, panel = -1) {
  put(element, [x, y], size);
  const wide = (100 * size) / pixel;
  element.classList.toggle("tiny", wide < 26);
  shown.set(element, [x / pixel, y / pixel, wide, panel]);
}

function put(element, [x, y], size) {
  element.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${size.toFixed(4)})`);
  element.removeAttribute("display");
}

function sizeOf(wide) {
  const size = (wide * data.map.scale) / 10000;
  return Math.max(size, (least * pixel) / 100);
}

function standsAt(spot) {
  const [x, y, east, north, wide] = spot;
  const size = (wide * data.map.scale) / 10000;
  const spread = sizeOf(wide) / size;
  return [x + east * spread, y + north * spread];
}

function fill(element, models, full, badges) {
  const left = element.querySelector(".models");
  if (left.textContent !== String(models)) left.textContent = models;
  element.querySelector(".bar").setAttribute("width", Math.round((76 * models) / Math.max(1, full)));
  for (let n = 0; n < 3; n++) {
    const sign = element.querySelector(".b" + n), badge = badges[n];
    if (!badge) { sign.setAttribute("display", "none"); continue; }
    sign.removeAttribute("display");
    const text = sign.querySelector("text");
    if (text.textContent !== badge[0]) text.textContent = badge[0];
    sign.querySelector("circle").setAttribute("fill", badge[2] ? "#1c6b3c" : "#7a1f6e");
  }
}

function drawUnit(unit, moving) {
  const spot = valueOf("u" + unit.id), models = values.get("m" + unit.id), known = knows(unit.id);
  drawGrave(unit, models === 0 && spot && known ? spot : null);
  shown.delete(unit.solid);
  shown.delete(unit.hollow);
  if (!spot || models === 0 || !known) {
    unit.solid.setAttribute("display", "none");
    unit.hollow.setAttribute("display", "none");
    return;
  }
  const badges = values.get("b" + unit.id) || [];
  const state = JSON.stringify([models, badges]);
  if (state !== unit.drawn) {
    fill(unit.solid, models, unit.full, badges);
    fill(unit.hollow, models, unit.full, badges);
    unit.drawn = state;
  }
  const [x, y] = moving || standsAt(spot), floor = spot[5], size = sizeOf(spot[4]);
  const above = moving ? null : upstairs(x, y, floor);
  const looksHollow = floor > 0 && !(floors === "stack" && floor <= top_ && panelOf(spot[0], spot[1], floor) >= 0);
  stand(looksHollow && !moving ? unit.hollow : unit.solid, place(x, y, floor), size);
  if (looksHollow && !moving) {
    if (above) stand(unit.solid, above, size, panelOf(x, y, floor)); else unit.solid.setAttribute("display", "none");
  } else unit.hollow.setAttribute("display", "none");
}

function pattern(name) {
  return document.getElementById("pattern-" + name).firstElementChild.cloneNode(true);
}

function drawGrave(unit, spot) {
  if (!spot) { if (unit.grave) unit.grave.setAttribute("display", "none"); return; }
  if (!unit.grave) {
    unit.grave = pattern("fell-" + unit.side);
    unit.grave.querySelector("title").textContent = unit.name + ", destroyed";
    groups.graves.append(unit.grave);
  }
  const [x, y] = standsAt(spot);
  put(unit.grave, upstairs(x, y, spot[5]) || place(x, y, spot[5]), sizeOf(spot[4]) * 0.9);
}

// ---- what passes

function line(from, to, short) {
  const [x1, y1] = place(...from), [x2, y2] = place(...to);
  const far = Math.hypot(x2 - x1, y2 - y1), cut = Math.min(short, far / 3);
  const x = x2 - ((x2 - x1) * cut) / (far || 1), y = y2 - ((y2 - y1) * cut) / (far || 1);
  return `M${x1.toFixed(1)} ${y1.toFixed(1)}L${x.toFixed(1)} ${y.toFixed(1)}`;
}

// The effects of the order that is being carried out, up to now.
function drawEffects() {
  for (const name of ["ways", "lines", "losses"]) groups[name].replaceChildren();
  if (at === 0) return;
  const first = Math.max(orderStart(at - 1), at - 200);
  const losses = new Map();
  for (let number = first; number < at; number++) {
    for (const whole of moments[number].effects) {
      if (!seen(whole)) continue;
      const effect = asSeen(whole);
      const side = effect.unit < 0 ? 0 : units[effect.unit].side;
      const old = number < at - 1;
      let element = null;
      if (effect.kind === "shot") {
        element = pattern(`shot-${side}-${effect.hit}`);
        element.setAttribute("d", line(effect.from, effect.to, 14 * pixel));
        groups.lines.append(element);
      } else if (effect.kind === "move") {
        element = pattern("move-" + side);
        element.setAttribute("d", "M" + effect.path.map((p) => place(...p).map((n) => n.toFixed(1)).join(" ")).join("L"));
        groups.ways.append(element);
      } else {
        losses.set(effect.unit, [effect, (losses.get(effect.unit) || [0, 0])[1] + effect.lost]);
      }
      if (element && old) element.classList.add("old");
    }
  }
  for (const [unit, [effect, count]] of losses) {
    const element = pattern("lost-" + units[unit].side);
    element.querySelector("text").textContent = "−" + count;
    const spot = valueOf("u" + unit);
    put(element, place(...effect.at), spot ? sizeOf(spot[4]) : (40 * pixel) / 100);
    groups.losses.append(element);
  }
}

function drawFires() {
  groups.fires.replaceChildren();
  for (const spot of values.get("f") || []) {
    const element = pattern("flames");
    put(element, upstairs(...spot) || place(...spot), sizeOf(data.map.scale > 40 ? 60 : 180));
    groups.fires.append(element);
  }
}

// Openings that were made in walls, each on the drawing of its floor.
function drawWalls() {
  groups.walls.replaceChildren();
  for (const [key, walls] of values) {
    if (key[0] !== "o") continue;
    for (const [x1, y1, x2, y2, floor, breach] of walls || []) {
      const above = upstairs(x1, y1, floor);
      if (floor > 0 && !above && (floors !== "stack" || floor > top_)) continue;
      const [from, to] = above ? [above, upstairs(x2, y2, floor)] : [place(x1, y1, floor), place(x2, y2, floor)];
      const element = pattern("wall-" + breach);
      for (const part of element.children) part.setAttribute("d", `M${from.map((n) => n.toFixed(1)).join(" ")}L${to.map((n) => n.toFixed(1)).join(" ")}`);
      groups.walls.append(element);
    }
  }
}

function drawSection(number) {
  const now = values.get("s" + number), gone = values.get("t" + number) ?? Infinity; // the lowest floor that is destroyed
  for (const part of sections.get(number) || []) {
    const panel = panelElements.indexOf(part.closest(".panel")), floor = panel < 0 ? 0 : data.panels[panel][0];
    const shown = part.classList.contains("whole") ? now !== 2 && floor < gone : part.classList.contains("ruin") ? now === 2 : now === 1;
    if (shown) part.removeAttribute("display"); else part.setAttribute("display", "none");
  }
}

const flagElements = [...document.querySelectorAll("#flags .flag")];
const flagOf = data.flags; // by flag: the number of its objective
const holders = ["#b3321f", "#1f4fb3", "#6b6b6b"];

function drawFlag(flag) {
  if (flag < 0) return;
  const holder = valueOf("g" + flagOf[flag]);
  flagElements[flag].querySelector("path").setAttribute("fill", holders[holder] || "#8a6508");
}

function drawPanels() {
  const tilt = `matrix(${TILT.join(" ")} 0 0)`;
  for (const id of ["sheet-ground", "goals"]) {
    const element = document.getElementById(id);
    if (floors === "stack") element.setAttribute("transform", tilt); else element.removeAttribute("transform");
  }
  for (const pole of document.querySelectorAll("#flags .pole")) { // a flag stands upright on tilted ground, too
    const [x, y] = pole.dataset.at.split(" ").map(Number), [a, b, c, d] = TILT;
    pole.setAttribute("transform", floors === "stack" ? `translate(${a * x + c * y - x} ${b * x + d * y - y})` : "");
  }
  panelElements.forEach((element, number) => {
    const panel = data.panels[number];
    const shown = floors === "beside" || (floors === "stack" && panel[0] <= top_);
    if (shown) element.removeAttribute("display"); else element.setAttribute("display", "none");
    const [, , , , , x, y] = panel;
    element.setAttribute("transform", floors === "stack" ? `translate(0 ${-lift(panel)}) ${tilt}` : `translate(${x} ${y})`);
    element.classList.toggle("lifted", floors === "stack");
  });
}

// ---- zoom

function whole() {
  if (floors === "beside") return [0, 0, ...data.size];
  const [wide, high] = data.ground;
  if (floors === "none") return [0, 0, wide, high];
  const [a, b, c, d] = TILT;
  const highest = Math.max(0, ...data.panels.map((p) => lift(p)));
  return [c * high, -highest / 2, a * wide - c * high, b * wide + d * high + highest / 2];
}

function zoomTo(wanted) {
  box = wanted;
  for (const layer of layers) layer.setAttribute("viewBox", box.map((n) => n.toFixed(1)).join(" "));
  shapeView();
  const rect = layers[0].getBoundingClientRect();
  pixel = Math.max(box[2] / Math.max(1, rect.width), box[3] / Math.max(1, rect.height));
  named = document.getElementById("names").checked;
  view.style.setProperty("--px", pixel.toFixed(3) + "px");
  const [, , w, h] = whole();
  view.classList.toggle("zoomed", box[2] < w * 0.98 || box[3] < h * 0.98);
  drawAll();
}

function zoomBy(factor, x, y) {
  const [, , w, h] = whole();
  const wide = Math.min(w * 1.2, Math.max(w / 30, box[2] / factor)), real = box[2] / wide;
  const cx = x === undefined ? box[0] + box[2] / 2 : x, cy = y === undefined ? box[1] + box[3] / 2 : y;
  zoomTo([cx - (cx - box[0]) / real, cy - (cy - box[1]) / real, wide, Math.min(h * 1.2, box[3] / real)]);
}

function pointAt(event) {
  const rect = layers[0].getBoundingClientRect();
  const left = box[0] + box[2] / 2 - (rect.width / 2) * pixel, up = box[1] + box[3] / 2 - (rect.height / 2) * pixel;
  return [left + (event.clientX - rect.left) * pixel, up + (event.clientY - rect.top) * pixel];
}

// Bring a point into view where the board is zoomed in.
function follow([x, y]) {
  if (!view.classList.contains("zoomed")) return;
  const [left, up, wide, high] = box;
  if (x < left + wide * 0.1 || x > left + wide * 0.9 || y < up + high * 0.1 || y > up + high * 0.9) zoomTo([x - wide / 2, y - high / 2, wide, high]);
}

let proportions = "";

// Tell the style how wide and high the drawing is, so that the board of a narrow page has no blank bands.
function shapeView() {
  const [, , wide, high] = whole(), now = `${Math.round(wide)} / ${Math.round(high)}`;
  if (now === proportions) return;
  proportions = now;
  view.style.setProperty("--shape", now);
}

let drawMore = () => {}; // what a page draws beside this

function drawAll() {
  units.forEach((unit) => drawUnit(unit)); // on the page of a side, units that it has not seen are left out
  nameUnits();
  drawWalls();
  drawFires();
  drawEffects();
  drawMore();
}

view.addEventListener("wheel", (event) => {
  event.preventDefault();
  zoomBy(event.deltaY < 0 ? 1.25 : 0.8, ...pointAt(event));
}, { passive: false });

const touches = new Map();
view.addEventListener("pointerdown", (event) => {
  if (event.target.closest("button")) return;
  touches.set(event.pointerId, [event.clientX, event.clientY]);
  view.setPointerCapture(event.pointerId);
});
view.addEventListener("pointermove", (event) => {
  const from = touches.get(event.pointerId);
  if (!from) return;
  const to = [event.clientX, event.clientY];
  if (touches.size === 1) {
    zoomTo([box[0] - (to[0] - from[0]) * pixel, box[1] - (to[1] - from[1]) * pixel, box[2], box[3]]);
  } else {
    const other = [...touches].find(([id]) => id !== event.pointerId)[1];
    const apart = (p) => Math.hypot(p[0] - other[0], p[1] - other[1]) || 1;
    zoomBy(apart(to) / apart(from), ...pointAt({ clientX: (to[0] + other[0]) / 2, clientY: (to[1] + other[1]) / 2 }));
  }
  touches.set(event.pointerId, to);
});
for (const kind of ["pointerup", "pointercancel"]) view.addEventListener(kind, (event) => touches.delete(event.pointerId));
document.getElementById("in").addEventListener("click", () => zoomBy(1.5));
document.getElementById("out").addEventListener("click", () => zoomBy(1 / 1.5));
document.getElementById("fit").addEventListener("click", () => zoomTo(whole()));
