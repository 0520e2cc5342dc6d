// Sorts tables, picks one of many standings, and filters long tables. The page says everything without it.
(() => {
  "use strict";
  const make = (tag, text) => {
    const node = document.createElement(tag);
    if (text !== undefined) node.textContent = text;
    return node;
  };

  // What a cell is sorted by: its key where it has one, else its text; null where nothing is known.
  const keyOf = (cell, numeric) => {
    const text = cell.hasAttribute("data-v") ? cell.getAttribute("data-v") : cell.textContent.trim();
    if (!numeric) return text === "" || text === "–" ? null : text;
    const value = parseFloat(text.replace(/,/g, "").replace("\u2212", "-"));
    return Number.isNaN(value) ? null : value;
  };

  const moreOf = (row) => {
    const next = row.nextElementSibling;
    return next && next.classList.contains("more") ? [next] : [];
  };

  const sort = (table, head, index, descending) => {
    const numeric = head.dataset.s === "n";
    const body = table.tBodies[0];
    const heads = Array.from(body.rows).filter((row) => !row.classList.contains("more")); // a second line goes with its row
    const rows = heads.map((row, place) => ({ row, place, more: moreOf(row), key: keyOf(row.cells[index], numeric) }));
    rows.sort((one, two) => {
      if (one.key === null || two.key === null) {
        return (one.key === null) - (two.key === null) || one.place - two.place; // the unknown stay last
      }
      const order = numeric ? one.key - two.key : one.key.localeCompare(two.key, "en", { numeric: true });
      return (descending ? -order : order) || one.place - two.place;
    });
    body.append(...rows.flatMap((entry) => [entry.row, ...entry.more]));
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", descending ? "descending" : "ascending");
  };

  for (const table of document.querySelectorAll("table.sortable")) {
    Array.from(table.tHead.rows[0].cells).forEach((head, index) => {
      if (head.dataset.s === "-" || table.tBodies[0].rows.length < 2) return;
      const button = make("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const before = head.getAttribute("aria-sort");
        sort(table, head, index, before ? before === "ascending" : head.dataset.s === "n");
      });
    });
  }

  const choose = (name, choices, changed) => {
    const label = make("label", name + " ");
    const select = make("select");
    select.append(...choices);
    select.addEventListener("change", () => changed(select.value));
    label.append(select);
    return { label, select };
  };
  const option = (text, value) => {
    const node = make("option", text);
    node.value = value;
    return node;
  };

  const scopes = Array.from(document.querySelectorAll(".scope"));
  if (scopes.length > 1) {
    const groups = new Map();
    const choices = [];
    scopes.forEach((scope, index) => {
      const kind = scope.dataset.kind;
      const node = option(scope.dataset.of || "All games", String(index));
      if (kind === "overall") return choices.push(node);
      if (!groups.has(kind)) {
        const group = make("optgroup");
        group.label = kind === "ruleset" ? "One ruleset" : kind === "scenario" ? "One scenario" : kind;
        groups.set(kind, group);
        choices.push(group);
      }
      groups.get(kind).append(node);
    });
    const show = (chosen) => scopes.forEach((scope, index) => { scope.hidden = String(index) !== chosen; });
    const { label } = choose("Standings of", choices, show);
    label.className = "tool";
    scopes[0].before(label);
    show("0");
  }

  for (const table of document.querySelectorAll("table[data-filter]")) {
    const body = table.tBodies[0];
    const state = new Map();
    const tools = make("div");
    tools.className = "tool";
    const said = make("span");
    said.setAttribute("role", "status");
    const apply = () => {
      let shown = 0;
      for (const row of body.rows) {
        row.hidden = Array.from(state.values()).some(({ columns, value }) =>
          value !== "" && !columns.some((column) => row.cells[column].textContent === value));
        shown += row.hidden ? 0 : 1;
      }
      said.textContent = shown === body.rows.length ? "" : shown + " of " + body.rows.length + " rows";
    };
    for (const part of table.dataset.filter.split(";")) {
      const [name, list] = part.split(":");
      const columns = list.split(",").map(Number);
      const values = new Set();
      for (const row of body.rows) columns.forEach((column) => values.add(row.cells[column].textContent));
      if (values.size < columns.length + 1) continue; // nothing to choose between
      state.set(name, { columns, value: "" });
      const choices = [option("all", ""), ...Array.from(values).sort().map((value) => option(value, value))];
      tools.append(choose(name, choices, (value) => { state.get(name).value = value; apply(); }).label);
    }
    if (state.size) {
      tools.append(said);
      table.parentNode.before(tools);
    }
  }
})();
