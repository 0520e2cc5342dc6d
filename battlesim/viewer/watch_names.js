// The names of units on the board: which of them have room, and where each stands. Read `nameUnits`.
const LETTER = 6.6, HIGH = 13; // of a name, in pixels of the screen: about how wide a letter is, and how high a line

// Where a panel is on the screen, and above it its title.
function panelBoxes() {
  if (floors !== "beside") return [];
  return data.panels.map(([, west, south, east, north, dx, dy]) => {
    const [left, up] = flat(west, north), [right, down] = flat(east, south);
    const [l, u, r, d] = [left + dx, up + dy, right + dx, down + dy].map((n) => n / pixel);
    return { whole: [l, u, r, d], title: [l, u - 18 / pixel, r, u] };
  });
}

// From where to where a name may stand: of a unit on a panel within it, where that is wide enough, else beside the map; of others on the map.
function roomOf(panel, wide, panels) {
  if (floors !== "beside") { const [left, , width] = whole(); return [left / pixel, (left + width) / pixel]; }
  if (panel < 0) return [0, data.ground[0] / pixel];
  const [left, , right] = panels[panel].whole;
  return right - left >= wide ? [left, right] : [data.ground[0] / pixel, data.size[0] / pixel];
}

let signs = [], signsFor = ""; // where the map's own words are on the screen, and the view that this is true of

// The boxes of the map's own words and numbers. They are measured anew only when the view is another.
function signBoxes() {
  const now = [pixel, floors, top_].join(" ");
  if (now === signsFor) return signs;
  signsFor = now;
  const rect = layers[0].getBoundingClientRect();
  const right = (box[0] + box[2] / 2) / pixel - rect.left - rect.width / 2, down = (box[1] + box[3] / 2) / pixel - rect.top - rect.height / 2;
  signs = [...document.querySelectorAll("#ground text")].map((element) => element.getBoundingClientRect())
    .filter((one) => one.width > 0)
    .map((one) => [one.left + right, one.top + down, one.right + right, one.bottom + down]);
  return signs;
}

const RAISED = [0, 12, 24, 36].flatMap((high) => [[high, 1], [high, -1]]); // by how much longer a pole may be, and to which side its flag flies
const ENLARGED = 1.5; // by how much the style enlarges flags

// Each flag flies where it covers no mark and no other flag: on a longer pole or to the other side, if need be; as drawn where nothing is free. Its pole
// stands where it stood. Returns the boxes of the flags.
function flyFlags(marks) {
  const taken = [...marks];
  return [...document.querySelectorAll("#flags .pole")].map((pole) => {
    const [x, y] = pole.dataset.at.split(" ").map(Number), [a, b, c, d] = TILT;
    const [footX, footY] = floors === "stack" ? [a * x + c * y, b * x + d * y] : [x, y];
    const boxOf = ([high, side]) => {
      const far = footX + 16 * ENLARGED * side, up = footY - (16 + high) * ENLARGED;
      return [Math.min(footX, far), up, Math.max(footX, far), up + 10 * ENLARGED].map((one) => one / pixel);
    };
    const isFree = (box) => box[1] >= 0 && taken.every((other) => box[0] >= other[2] || box[2] <= other[0] || box[1] >= other[3] || box[3] <= other[1]);
    const place = RAISED.find((one) => isFree(boxOf(one))) || RAISED[0], [high, side] = place;
    taken.push(boxOf(place));
    if (pole.dataset.place !== String(place)) { // what is set anew is laid out anew
      pole.dataset.place = String(place);
      pole.querySelector(".flag").style.transformOrigin = side > 0 ? "left bottom" : "right bottom";
      pole.querySelector("path").setAttribute("d", `M${x} ${y}v${-16 - high}h${16 * side}l${-4 * side} 5l${4 * side} 5h${-16 * side}`);
      pole.querySelector("text").setAttribute("x", x + 6 * side);
      pole.querySelector("text").setAttribute("y", y - 7.5 - high);
    }
    return boxOf(place);
  });
}

// Show the names that have room, below or above their mark: none over another mark, name, flag, word of the map or floor. Those of units that act now go first.
function nameUnits(first = []) {
  const panels = panelBoxes(), [, up, , tall] = whole();
  const taken = [...shown.values()].map(([x, y, wide]) => [x - wide / 2, y - wide / 3, x + wide / 2, y + wide / 3]);
  taken.push(...flyFlags(taken));
  if (named) taken.push(...signBoxes());
  const order = [...shown.entries()].sort(([a], [b]) => first.includes(b.id) - first.includes(a.id));
  for (const [element, [x, y, wide, panel]] of order) {
    const text = nameOf(element), half = (text.textContent.length * LETTER) / 2;
    const [left, right] = roomOf(panel, 2 * half, panels);
    const shift = Math.max(left - (x - half), 0) + Math.min(right - (x + half), 0);
    const others = panels.flatMap((one, number) => (number === panel ? [one.title] : [one.title, one.whole]));
    const at = [y + wide * 0.37, y - wide * 0.37 - HIGH].find((top) => {
      const box = [x + shift - half, top, x + shift + half, top + HIGH];
      const inside = top * pixel >= up && (top + HIGH) * pixel <= up + tall;
      return inside && [...taken, ...(panel < 0 ? [] : others)].every((other) => box[0] >= other[2] || box[2] <= other[0] || box[1] >= other[3] || box[3] <= other[1]);
    });
    const free = named && wide > 26 && at !== undefined;
    if (free !== element.classList.contains("called")) element.classList.toggle("called", free);
    if (!free) continue;
    taken.push([x + shift - half - 3, at, x + shift + half + 3, at + HIGH]); // a blank between two names
    const place = [wide, shift.toFixed(1), at < y].join(" ");
    if (text.dataset.place === place) continue; // what is set anew is laid out anew
    text.dataset.place = place;
    text.setAttribute("font-size", (1150 / wide).toFixed(1));
    text.setAttribute("x", ((100 * shift) / wide).toFixed(1));
    text.setAttribute("y", (at < y ? -37 - 300 / wide : 37 + 1050 / wide).toFixed(1));
  }
}

const namesOf = new Map(); // by mark: the text of its name
function nameOf(element) {
  if (!namesOf.has(element)) namesOf.set(element, element.querySelector(".name"));
  return namesOf.get(element);
}
