// Playing a side: the question and its answers, as a list and as marks on the map; news; the talk with the program.
const by = (id) => document.getElementById(id);
const form = by("form"), list = by("answers"), note = by("note"), choices = by("choices");
let state = { version: -1, phase: "waiting", question: null };
let told = 0; // lines of the story that are shown
let busy = false; // something was sent, and no answer has come
let failed = 0; // times in a row that the program did not answer

function make(tag, text, name) {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  if (name) element.className = name;
  return element;
}

// ---- the board

function meet(id, [side, name, kind, symbol, full]) {
  const copy = (word) => {
    const element = pattern(`${word}-${side}-${symbol}`);
    element.id = word[0] + id;
    element.setAttribute("display", "none");
    element.querySelector("title").textContent = `${name}, ${kind}`;
    element.querySelector(".name").textContent = shortName(name, data.sides[side]);
    groups.units.append(element);
    return element;
  };
  units[id] = { id, side, name, full, solid: copy("solid"), hollow: copy("hollow"), drawn: "" };
}

// A unit's name without that of its side in front, which the mark shows.
function shortName(name, side) {
  const [first, ...rest] = name.split(" ");
  return rest.length && first.toLowerCase() === side.toLowerCase() ? rest.join(" ") : name;
}

function showBoard() {
  values.clear();
  for (const [key, value] of Object.entries(state.values)) values.set(key, value);
  for (const [id, said] of Object.entries(state.units)) if (!units[id]) meet(Number(id), said);
  least = Object.keys(state.units).length > 60 ? 20 : 28;
  moments[0].effects = state.effects;
  for (const number of sections.keys()) drawSection(number);
  flagElements.forEach((_, flag) => drawFlag(flag));
  for (const [key, holder] of values) {
    const element = key[0] === "g" && by("holder" + key.slice(1));
    if (!element) continue;
    element.textContent = holder === 2 ? "both are there" : holder < 0 ? "nobody is there" : data.sides[holder];
    element.className = "holder s" + holder;
  }
  by("found").replaceChildren(...(state.goals || []).map((says) => { // about enemies that were found
    const item = make("li");
    item.append(make("b", "–", "letter"), " " + says);
    return item;
  }));
  drawAll();
}

// ---- the question

function answers() {
  return state.question ? state.question.answers : [];
}

function chosen() {
  const input = list.querySelector("input:checked");
  return input ? Number(input.dataset.number) : -1;
}

function showQuestion() {
  const asked = state.question, inside = form.contains(document.activeElement);
  by("question").textContent = asked ? asked.says : { waiting: "The other side is thinking.", over: "The battle is over.", left: "You have left the game." }[state.phase];
  list.replaceChildren(...answers().map((answer, number) => {
    const label = make("label"), input = make("input");
    input.type = "radio";
    input.name = "answer";
    input.value = answer.form;
    input.dataset.number = number;
    label.append(input, make("span", number + 1, "n"), make("span", answer.says));
    return label;
  }));
  by("form").classList.toggle("idle", !asked);
  for (const id of ["give", "odds", "best"]) by(id).disabled = !asked;
  by("leave").disabled = ["over", "left"].includes(state.phase);
  by("told-odds").replaceChildren();
  by("result").textContent = state.result;
  by("result").hidden = !state.result;
  list.scrollTop = 0;
  if (asked && inside) list.querySelector("input").focus({ preventScroll: true });
}

function choose(number, focus = true) {
  const input = list.querySelector(`input[data-number="${number}"]`);
  if (!input) return;
  input.checked = true;
  input.closest("label").scrollIntoView({ block: "nearest" });
  if (focus) input.focus({ preventScroll: true });
  note.textContent = "";
  drawChoices();
}

// Answers that point at something are marks there; those that point at the same share one.
function drawChoices() {
  choices.replaceChildren();
  if (!state.question) return;
  const found = new Map(), mine = chosen(), about = values.get("u" + state.question.about);
  answers().forEach((answer, number) => {
    const key = answer.unit !== undefined ? "u" + answer.unit : answer.at ? "p" + answer.at.join() : answer.face !== undefined && about ? "f" + answer.face : "";
    if (key) found.set(key, [...(found.get(key) || []), number]);
  });
  if (about) for (const point of pointsOf(...standsAt(about), about[5], true)) choices.append(frame(point, about, "about"));
  const wide = (data.map.wide * data.map.scale) / 100 / pixel;
  const round = Math.max(7, Math.min(13, wide * 0.42)) * pixel;
  const taken = new Set([...values].filter(([key, spot]) => key[0] === "u" && spot).map(([, spot]) => [spot[0], spot[1], spot[5]].join()));
  const over = new Map(); // where floors lie over one another: how many answers stand there already
  for (const [key, numbers] of found) {
    const { unit, at, face } = answers()[numbers[0]];
    const spot = unit !== undefined ? values.get("u" + unit) : face !== undefined ? about : null;
    const [x, y] = spot ? standsAt(spot) : at, floor = spot ? spot[5] : at[2];
    for (const [px, py] of pointsOf(x, y, floor, Boolean(spot))) {
      let mark;
      if (unit !== undefined) mark = frame([px, py], spot, "choice");
      else {
        mark = shape("g", { class: "choice" });
        const turn = ((face || 0) * Math.PI) / 4, far = face === undefined ? 0 : 75 * sizeOf(spot[4]) + round;
        const below = at && taken.has(at.join()) ? 34 * sizeOf(data.map.wide) + 0.4 * round : 0; // the mark of a unit stays legible
        const stacked = floors === "none" && at ? at.slice(0, 2).join() : "", before = over.get(stacked) || 0;
        if (stacked) over.set(stacked, before + 1);
        const aside = stacked ? 1.5 * before * round : 0;
        mark.setAttribute("transform", `translate(${(px + aside + far * Math.cos(turn)).toFixed(1)} ${(py - aside + below - far * Math.sin(turn)).toFixed(1)})`);
        const label = shape("text", { y: 0.36 * round, "font-size": round * (numbers[0] > 98 ? 0.8 : 1.05) });
        label.textContent = (numbers.includes(mine) ? mine : numbers[0]) + 1;
        mark.append(shape("circle", { r: round }), label);
      }
      mark.classList.toggle("on", numbers.includes(mine));
      mark.dataset.numbers = numbers.join();
      const title = shape("title", {});
      title.textContent = numbers.map((number) => answers()[number].says).join(" / ");
      mark.append(title);
      choices.append(mark);
    }
  }
}

// Where something on a floor is drawn: on the panel of its floor where there is one, a unit also on the ground.
function pointsOf(x, y, floor, unit) {
  const above = upstairs(x, y, floor);
  return above && !unit ? [above] : above ? [above, place(x, y, floor)] : [place(x, y, floor)];
}

// A frame about a unit's mark.
function frame([x, y], spot, name) {
  const mark = shape("g", { class: name, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` });
  const half = 58 * sizeOf(spot[4]), high = 42 * sizeOf(spot[4]);
  mark.append(shape("rect", { x: -half, y: -high, width: 2 * half, height: 2 * high, rx: 6 * pixel }));
  return mark;
}
drawMore = drawChoices;

function shape(tag, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, typeof value === "number" ? value.toFixed(1) : value);
  return element;
}

let pressed = null;
view.addEventListener("pointerdown", (event) => { pressed = [event.clientX, event.clientY]; }, true);
view.addEventListener("click", (event) => {
  if (!pressed || Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) > 6) return; // the map was moved
  const hit = document.elementsFromPoint(event.clientX, event.clientY).map((element) => element.closest(".choice")).filter(Boolean);
  const numbers = [...new Set(hit.flatMap((mark) => mark.dataset.numbers.split(",").map(Number)))];
  if (!numbers.length) return;
  const old = numbers.indexOf(chosen());
  if (old >= 0 && numbers.length === 1) give(); else choose(numbers[(old + 1) % numbers.length]);
});

// ---- news

function showStory() {
  const story = by("story");
  for (const line of story.querySelectorAll(".now")) line.classList.remove("now");
  if (state.story.length < told) { story.replaceChildren(); told = 0; }
  const fresh = [];
  for (; told < state.story.length; told++) {
    const [turn, depth, text] = state.story[told];
    if (story.dataset.turn !== String(turn)) {
      story.dataset.turn = turn;
      const head = make("li", undefined, "turn");
      head.append(make("h2", "Turn " + turn));
      story.append(head);
    }
    const line = make("li", text, `d${depth} now`);
    story.append(line);
    fresh.push(line);
  }
  if (fresh.length) by("pane-story").scrollTop = fresh[0].offsetTop - 60;
  by("now").textContent = state.phase === "asked" ? state.question.says : fresh.length ? fresh[fresh.length - 1].textContent : by("now").textContent;
}

function showUnits() {
  const body = by("forces");
  body.replaceChildren(...state.rows.flatMap((rows, side) => {
    const table = make("table", undefined, "forces"), caption = make("caption", data.sides[side], "s" + side);
    table.append(caption);
    for (const [name, left, where, says] of rows) {
      const row = make("tr"), head = make("th", name);
      head.scope = "row";
      row.append(head, make("td", left), make("td", where), make("td", says));
      table.append(row);
    }
    return rows.length ? [table] : [make("p", `${data.sides[side]}: nobody that you know of`)];
  }));
}

function show(next) {
  if (next.version === state.version) return;
  const asked = state.question && state.question.number;
  state = next;
  document.title = `${state.phase === "asked" ? "Your turn" : "Turn " + state.turn} · ${document.querySelector("h1").textContent}`;
  by("clock").textContent = state.phase === "over" ? "The end" : `Turn ${state.turn} of ${data.turns}`;
  state.points.forEach((points, side) => { by("points" + side).textContent = points; });
  if (!state.question || state.question.number !== asked) note.textContent = "";
  showQuestion();
  showBoard();
  showStory();
  showUnits();
}

// ---- the talk with the program

async function send(what, body) {
  busy = true;
  form.setAttribute("aria-busy", "true");
  try {
    const found = await fetch(what, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), cache: "no-store" });
    const said = await found.json();
    failed = 0;
    return said;
  } catch {
    return { error: "The program that serves this page does not answer." };
  } finally {
    busy = false;
    form.removeAttribute("aria-busy");
  }
}

function take(said) {
  if (said.state) show(said.state);
  if (said.error) note.textContent = said.error;
}

async function give() {
  if (busy || !state.question) return;
  const number = chosen();
  if (number < 0) { note.textContent = "Choose an answer first."; return; }
  take(await send("answer", { question: state.question.number, answer: answers()[number].form }));
}

async function askOdds(all) {
  if (busy || !state.question) return;
  const number = chosen();
  if (!all && number < 0) { note.textContent = "Choose an answer first."; return; }
  note.textContent = "";
  by("told-odds").replaceChildren(make("p", "Imagining battles …", "soft"));
  const { number: question, answers: listed } = state.question;
  const said = await send("odds", { question, answer: all ? null : listed[number].form });
  by("told-odds").replaceChildren();
  take(said);
  if (state.question?.number !== question) return; // the game went on meanwhile
  for (const [which, text] of said.odds || []) {
    const line = make("p");
    line.append(make("b", `${which + 1}  ${listed[which].says}: `), text);
    by("told-odds").append(line);
  }
}

async function look() {
  if (!busy && !["over", "left"].includes(state.phase)) {
    try {
      const found = await fetch("version.json", { cache: "no-store" });
      if (!found.ok) throw new Error(found.status);
      const said = await found.json();
      if (said.version !== state.version && !busy) {
        const all = await fetch("state.json", { cache: "no-store" });
        if (!all.ok) throw new Error(all.status);
        const fresh = await all.json();
        if (!busy) {
          const late = state.question && fresh.question?.number !== state.question.number;
          show(fresh);
          if (late) note.textContent = "The game went on from another page.";
        }
      }
      if (failed) note.textContent = "";
      failed = 0;
    } catch {
      if (++failed > 2) note.textContent = "The program that serves this page does not answer; trying again.";
    }
  }
  setTimeout(look, state.phase === "waiting" ? 250 : Math.min(10000, 1500 * (1 + failed)));
}

form.addEventListener("submit", (event) => { event.preventDefault(); give(); });
list.addEventListener("change", () => { note.textContent = ""; drawChoices(); });
list.addEventListener("dblclick", (event) => { if (event.target.closest("label")) give(); });
by("odds").addEventListener("click", () => askOdds(false));
by("best").addEventListener("click", () => askOdds(true));
by("leave").addEventListener("click", async () => { if (!busy) take(await send("leave", {})); });
by("floors").addEventListener("change", (event) => {
  floors = event.target.value;
  by("top-label").hidden = floors !== "stack";
  drawPanels();
  zoomTo(whole());
});
by("top").addEventListener("change", (event) => { top_ = Number(event.target.value); drawPanels(); drawAll(); });
by("names").addEventListener("change", () => zoomTo(box));
by("zones").addEventListener("change", (event) => layers[0].classList.toggle("zoned", event.target.checked));

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("select, [role=tab]")) return;
  if (/^[1-9]$/.test(event.key) && state.question) choose(Number(event.key) - 1);
  else if (event.key === "Enter" && event.target.closest("#answers")) { event.preventDefault(); give(); }
  else if (event.key === "o" && !event.target.closest("button")) askOdds(false);
  else if ("+=".includes(event.key)) zoomBy(1.5);
  else if (event.key === "-") zoomBy(1 / 1.5);
  else if (event.key === "0") zoomTo(whole());
  else return;
});

const tabs = [...document.querySelectorAll("[role=tab]")];
function openTab(tab) {
  for (const other of tabs) {
    const open = other === tab;
    other.setAttribute("aria-selected", String(open));
    other.tabIndex = open ? 0 : -1;
    by(other.getAttribute("aria-controls")).hidden = !open;
  }
}
tabs.forEach((tab, number) => {
  tab.addEventListener("click", () => openTab(tab));
  tab.addEventListener("keydown", (event) => {
    const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!way) return;
    const other = tabs[(number + way + tabs.length) % tabs.length];
    openTab(other);
    other.focus();
  });
});

const highest = Math.max(0, ...data.panels.map((panel) => panel[0]));
for (let floor = highest; floor >= 0; floor--) {
  const option = make("option", floor === highest ? "the roof" : floor === 0 ? "the ground" : "floor " + floor);
  option.value = floor;
  by("top").append(option);
}
top_ = highest;
if (matchMedia("(max-width: 44rem)").matches && data.panels.length) floors = "none";
by("floors").value = data.panels.length ? floors : "beside";
drawPanels();
new ResizeObserver(() => zoomTo(view.classList.contains("zoomed") ? box : whole())).observe(view);
zoomTo(whole());
look();
