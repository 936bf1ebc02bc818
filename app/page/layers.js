// Layers: how far every layer moves when the chosen word does.
import { h, later } from "./dom.js";
import { ask, stop } from "./api.js";
import { curve, lines } from "./chart.js";
import { figure } from "./figure.js";
import { state } from "./state.js";
import { chosen_token, readable, text_card } from "./text.js";

/** @type {Record<string, {name: string, colour: string, says: string}>} */
const kMoves = {
  ascent: { name: "ascent", colour: "orange", says: "the direction that changes the last layer most" },
  attract: { name: "attract", colour: "blue", says: "the direction that draws the attention of the first layer to the token, the proof idea of Theorem 3" },
  noise: { name: "noise", colour: "grey", says: "random directions of the same length: the mean of ten, with their deviation" },
  changed: { name: "replaced", colour: "green", says: "the word that you put in its place" },
};

/** @type {MakeView} */
export const layers_view = (page) => {
  const text = text_card(page, "Choose a word: its token moves by √d, in three directions.", " The curves say how much of every layer’s output changes."), moves = h("dl", { class: "moves" });
  const chart = figure({
    title: "Relative change of every layer", name: "layers",
    draw: (width) => rows.length ? lines({
      says: "Relative change of every layer", x: "layer (0 is the embedding)", y: "relative change", width,
      ticks: [...new Set(rows.map(({ layer }) => layer))].map((layer) => [layer, String(layer)]),
      series: Object.entries(kMoves).map(([move, { name, colour }]) => ({ name, colour: curve(colour),
        points: rows.filter(({ direction }) => direction === move).map(({ layer, change, deviation }) => ({ x: layer, y: change, spread: deviation ?? 0 })) })) }) : null,
    table: () => ({ columns: ["direction", "layer", "change", "deviation"], rows: rows.map((row) => [row.direction, row.layer, row.change, row.deviation]) }),
  });
  const element = h("div", { class: "view" }, text.element, h("div", { class: "split" }, chart.element, h("aside", { class: "card" }, h("h3", {}, "The moves"), moves)));

  /** @type {{direction: string, layer: number, change: number, deviation?: number}[]} */
  let rows = [];
  let of = "";

  const start = later(150, async () => {
    const { t, m: model, to } = state();
    try {
      const moved = await ask("layers", { model, text: t, token: chosen_token() }, "Layers when the word moves");
      rows = moved;
      chart.redraw();
      if (!to) return;
      const changed = await ask("layers", { model, text: t, changed: to }, "Layers of the changed text");
      rows = [...moved, ...changed];
      chart.redraw();
    } catch (error) {
      page.fail(error);
    }
  });

  return {
    element, focus: text.focus,
    async update(next) {
      moves.replaceChildren(...Object.entries(kMoves).filter(([move]) => move !== "changed" || next.to).flatMap(([, { name, colour, says }]) => {
        const term = h("dt", {}, name);
        term.style.color = curve(colour);
        return [term, h("dd", {}, says)];
      }));
      const tokens = await text.show(next, next.to !== "");
      if (!tokens) return;
      chart.name(`Relative change of every layer when “${readable(tokens.pieces[chosen_token()] ?? "")}” moves`);
      chart.redraw();
      const key = JSON.stringify([next.t, next.m, chosen_token(), next.to]);
      if (key === of) return;
      of = key;
      stop("layers");
      start.soon();
    },
    leave() {
      stop("layers");
      start.cancel();
      of = "";
    },
  };
};
