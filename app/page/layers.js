// Layers: how far every layer moves when the chosen word does.
import { h } from "./dom.js";
import { ask, worker } from "./api.js";
import { curve, lines } from "./chart.js";
import { figure } from "./figure.js";
import { state } from "./state.js";
import { chosen_token, readable, text_card } from "./text.js";

/** @type {Record<string, string[]>} */
const kMoves = {
  ascent: ["orange", "the direction that changes the last layer most"],
  attract: ["blue", "the direction that draws the attention of the first layer to the token, the proof idea of Theorem 3"],
  noise: ["grey", "random directions of the same length: the mean of ten, with their deviation"],
  changed: ["green", "the word that you put in its place"],
};

/** @type {MakeView} */
export const layers_view = (page) => {
  const text = text_card(page, "Choose a word: its token moves by √d, in three directions.", " The curves say how much of every layer’s output changes."), moves = h("dl.moves");
  const chart = figure({
    title: "Relative change of every layer", name: "layers",
    draw: (width) => rows.length ? lines({
      says: "Relative change of every layer", x: "layer (0 is the embedding)", y: "relative change", width,
      ticks: [...new Set(rows.map(({ layer }) => layer))].map((layer) => [layer, String(layer)]),
      series: Object.entries(kMoves).map(([name, [colour]]) => ({ name, colour: curve(colour),
        points: rows.filter(({ direction }) => direction === name).map(({ layer, change, deviation }) => ({ x: layer, y: change, spread: deviation ?? 0 })) })) }) : null,
    table: () => rows,
  });
  const element = h("div.view", text.element, h("div.split", chart.element, h("aside.card", h("h3", "The moves"), moves)));

  /** @type {{direction: string, layer: number, change: number, deviation?: number}[]} */
  let rows = [];

  const work = worker(["layers"], 150, async () => {
    const { t, m: model, to } = state();
    rows = await ask("layers", { model, text: t, token: chosen_token() }, "Layers when the word moves");
    chart.redraw();
    if (!to) return;
    rows = [...rows, ...(await ask("layers", { model, text: t, changed: to }, "Layers of the changed text"))];
    chart.redraw();
  });

  return {
    element, focus: text.focus, leave: work.leave,
    async update(next) {
      moves.replaceChildren(...Object.entries(kMoves).filter(([name]) => name !== "changed" || next.to).flatMap(([name, [colour, says]]) => {
        const term = h("dt", name);
        term.style.color = curve(colour);
        return [term, h("dd", says)];
      }));
      const tokens = await text.show(next, next.to !== "");
      if (!tokens) return;
      chart.name(`Relative change of every layer when “${readable(tokens.pieces[chosen_token()] ?? "")}” moves`);
      chart.redraw();
      work.want([next.t, next.m, chosen_token(), next.to]);
    },
  };
};
