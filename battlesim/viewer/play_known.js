"use strict";
// What a side knows of a battle, as `watch_board.js` draws it: one moment, with the values and effects that the program sent last.
const data = JSON.parse(document.getElementById("data").textContent);
data.units = []; // nobody is known before the first answer of the program
data.start = {};
const values = new Map(); // by key, as viewer/film.py lists them
const valueOf = (key) => values.get(key); // they are the side's own
const moments = [{ effects: [] }];
const at = 1;
const knows = (unit) => values.has("m" + unit);
const seen = (effect) => Boolean(units[effect.unit]);
const asSeen = (effect) => effect; // it is the side's own
const orderStart = () => 0;
