// The story in step with the board, what led to an event, and the tables of forces. Texts from files are set as text only.
const lines = data.told.map((_, number) => document.getElementById("t" + number));
const pane = document.getElementById("pane-story");
const why = document.getElementById("why");
const unasked = [...why.childNodes]; // what stands there before anything is asked
let marked = -1; // the line that stands for now
let asked = -1; // the line that the panel explains

function make(tag, text, name) {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  if (name) element.className = name;
  return element;
}

const originals = Object.fromEntries(Object.keys(data.altered).map((line) => [line, textOf(line)])); // before a side's words stand there

// What a line says: its text, its dice in words, and its throws. A side may have heard otherwise, or not learned the dice.
function saysOf(line) {
  return (seer >= 0 && data.altered[line] && data.altered[line][seer]) || [originals[line] ?? textOf(line), data.shown[line], data.told[line][4]];
}

function textOf(line) {
  return lines[line].querySelector("a").textContent;
}

// The last line told by now that this side heard.
function lineNow() {
  let low = 0, high = data.told.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (data.told[middle][1] < at) low = middle + 1; else high = middle;
  }
  for (let line = low - 1; line >= 0; line--) if (heard(data.told[line][2])) return line;
  return -1;
}

function unmarkLine() {
  if (marked >= 0) { lines[marked].classList.remove("now"); lines[marked].querySelector("a").removeAttribute("aria-current"); }
  marked = -1;
}

function markLine() {
  const now = lineNow();
  if (now === marked) return;
  unmarkLine();
  marked = now;
  if (now < 0) { pane.scrollTop = 0; return; }
  lines[now].classList.add("now");
  lines[now].querySelector("a").setAttribute("aria-current", "step");
  const line = lines[now];
  const above = line.offsetTop - pane.offsetTop;
  if (above < pane.scrollTop + 40 || above + line.offsetHeight > pane.scrollTop + pane.clientHeight - 40) pane.scrollTop = above - pane.clientHeight / 3;
}

function hideUnheard() {
  data.told.forEach(([, , mask], line) => { lines[line].hidden = !heard(mask); });
  for (const line of Object.keys(data.altered)) {
    const [text, shown] = saysOf(line), dice = lines[line].querySelector("small");
    lines[line].querySelector("a").textContent = text;
    if (dice) dice.textContent = shown && `[${shown}]`;
  }
  document.body.classList.toggle("sided", seer >= 0);
  unmarkLine();
}

// ---- why

function dieFaces(dice) {
  const row = make("p", undefined, "dice");
  for (const [need, sides, faces, low] of dice) {
    for (const face of faces) {
      const die = make("span", face, need && face >= need !== Boolean(low) ? "die good" : "die");
      die.title = !need ? `d${sides}` : low ? `d${sides}, ${need - 1} or less counts` : `d${sides}, ${need} or more counts`;
      row.append(die);
    }
    row.append(" ");
  }
  return row;
}

function link(line, text) {
  const anchor = make("a", text === undefined ? textOf(line) : text);
  anchor.href = "#event=" + data.told[line][0];
  return anchor;
}

function questionSays(number) {
  const [, side, question, words, of, note] = data.questions[number];
  const by = note ? `the referee for ${data.sides[side]} (${note})` : data.sides[side];
  return `${question[0].toUpperCase()}${question.slice(1)} ${by}: ${words} (of ${of} legal answers).`;
}

// What led to a line: sentences and questions, the nearest first.
function chain(line) {
  const found = [];
  for (let up = data.told[line][5]; up !== -1 && found.length < 40;) {
    found.push(up);
    up = up >= 0 ? data.told[up][5] : data.questions[-2 - up][6];
  }
  return found;
}

function explain(line) {
  asked = line;
  const rules = data.told[line][3], [, shown, dice] = saysOf(line);
  why.replaceChildren(make("h2", "Why?"));
  const first = make("p", undefined, "asked");
  first.append(link(line));
  why.append(first);
  const end = seer < 0 ? data.ends[line] : undefined;
  if (end) why.append(make("p", end[0], "summary"));
  if (shown) why.append(make("p", "Dice: " + shown, "soft"), dieFaces(dice));
  const led = chain(line).filter((up) => up >= 0 ? heard(data.told[up][2]) : seer < 0 || data.questions[-2 - up][1] === seer);
  if (led.length) {
    why.append(make("h3", "Because"));
    const list = make("ol", undefined, "because");
    for (const up of led) {
      const item = make("li");
      if (up >= 0) {
        item.append(link(up));
        const thrown = saysOf(up)[1];
        if (thrown) item.append(make("small", ` [${thrown}]`));
      } else {
        item.textContent = questionSays(-2 - up);
        item.className = "question";
        thoughts(item, data.questions[-2 - up][7]);
        worth(item, data.worth[-2 - up]);
      }
      list.append(item);
    }
    why.append(list);
  }
  if (end && end[1].length) {
    why.append(make("h3", end[2] ? `Before that (and ${end[2] === 1 ? "once" : end[2] + " times"} earlier)` : "Before that"));
    const list = make("ul", undefined, "because");
    for (const [event, turn, text] of end[1]) {
      const item = make("li", `Turn ${turn}: `), anchor = make("a", text);
      anchor.href = "#event=" + event;
      item.append(anchor);
      list.append(item);
    }
    why.append(list);
  }
  if (rules.length) {
    why.append(make("h3", "Rules"));
    const list = make("dl");
    for (const rule of rules) list.append(make("dt", data.clauses[rule][0]), make("dd", data.clauses[rule][1]));
    why.append(list);
  }
  why.scrollTop = 0;
}

// Ask about what was clicked: the last line so far of what happened to it. `touches` says whether a moment is about it.
function askOf(touches) {
  for (let number = Math.min(at, last) - 1; number >= 0; number--) {
    if (!touches(moments[number])) continue;
    // What is seen may be told a moment earlier, by a line of the same order.
    for (let told = number; told >= 0 && moments[told].root === moments[number].root; told--) {
      const line = data.told.findLastIndex((row) => row[1] === told && heard(row[2]));
      if (line >= 0) { explain(line); return; }
    }
  }
  asked = -1;
  why.replaceChildren(make("h2", "Why?"), make("p", "Nothing is told of it so far.", "soft"));
}

const askUnit = (number) => askOf((moment) => moment.effects.some((effect) => effect.unit === number) || ["u", "m", "b"].some((key) => key + number in moment.changes));
const askSection = (number) => askOf((moment) => "s" + number in moment.changes);

function unask() {
  asked = -1;
  why.replaceChildren(...unasked);
}

function thoughts(item, said) {
  if (!said.length) return;
  const fold = make("details");
  fold.append(make("summary", "what its agent thought"));
  for (const text of said) fold.append(make("p", text, "soft"));
  item.append(fold);
}

// What the answers to a question were worth, where that was asked.
function worth(item, said) {
  if (!said) return;
  const [heads, rows] = said, fold = make("details"), table = make("table"), head = make("tr"), body = make("tbody");
  for (const text of heads) { const cell = make("th", text); cell.scope = "col"; head.append(cell); }
  for (const row of rows) {
    const line = make("tr");
    for (const text of row) line.append(make("td", text));
    body.append(line);
  }
  const top = make("thead");
  top.append(head);
  table.append(top, body);
  fold.open = true;
  fold.append(make("summary", "what its answers were worth"), table);
  item.append(fold);
}

// ---- forces, scores

function drawRow(unit) {
  const row = document.getElementById("row" + unit.id);
  const models = values.get("m" + unit.id), known = knows(unit.id);
  row.querySelector(".left").textContent = known ? models : "?";
  row.classList.toggle("gone", models === 0 && known);
  const badges = values.get("b" + unit.id) || [];
  const spot = valueOf("u" + unit.id);
  const says = models === 0 ? ["destroyed"] : badges.map((badge) => badge[1]);
  if (models > 0 && !spot) says.push("off the map");
  if (models > 0 && spot && spot[5] > 0) says.push("floor " + spot[5]);
  row.querySelector(".state").textContent = known ? says.join(", ") : "not known";
}

// A text that is set anew is laid out anew, and much of the page with it: only what differs is set.
function say(element, text) {
  if (element.textContent !== String(text)) element.textContent = text;
}

function drawScore() {
  const points = values.get("p");
  for (const side of [0, 1]) say(document.getElementById("points" + side), points[side]);
  const turn = at === 0 ? "Before the battle" : at === last ? "The end" : "Turn " + moments[at - 1].turn;
  say(document.getElementById("clock"), turn);
}

function drawHolder(number) {
  const element = document.getElementById("holder" + number);
  const holder = valueOf("g" + number);
  if (!element || holder === undefined) return;
  element.textContent = holder === 2 ? "both are there" : holder < 0 ? "nobody is there" : data.sides[holder];
  element.className = "holder s" + holder;
}

// ---- tabs

const tabs = [...document.querySelectorAll("[role=tab]")];
function openTab(tab) {
  for (const other of tabs) {
    const open = other === tab;
    other.setAttribute("aria-selected", String(open));
    other.tabIndex = open ? 0 : -1;
    document.getElementById(other.getAttribute("aria-controls")).hidden = !open;
  }
}
tabs.forEach((tab, number) => {
  tab.addEventListener("click", () => openTab(tab));
  tab.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.stopPropagation();
    const other = tabs[(number + by + tabs.length) % tabs.length];
    openTab(other);
    other.focus();
  });
});
