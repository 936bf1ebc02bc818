// Layers: how far every layer moves when the chosen word does.
import { h, later } from "./dom.js";
import { ask, stop } from "./api.js";
import { curve, lines } from "./chart.js";
import { figure } from "./figure.js";
import { set, state } from "./state.js";
import { causal_note, chosen_token, marked, readable, tokens_of, word_buttons } from "./text.js";

/** @typedef {{direction: string, layer: number | string, change: number, deviation?: number}} Row */

/** @type {Record<string, {name: string, colour: string, says: string}>} */
const kMoves = {
  ascent: { name: "ascent", colour: "orange", says: "the direction that moves the last layer most" },
  attract: { name: "attract", colour: "blue", says: "the direction that draws the attention of the first layer to the token, as in the proof of Theorem 3" },
  noise: { name: "noise", colour: "grey", says: "random directions of the same length, the mean of ten" },
  word: { name: "replaced", colour: "green", says: "the word that you put in its place" },
};

/** @param {import("./main.js").Page} page */
export function layers_view(page) {
  const buttons = word_buttons({ label: "The words of the text", open: () => {} });
  const about = h("p", { class: "note" }), against = h("div", { class: "against" });
  const key_list = h("dl", { class: "legend-list" });
  const chart = figure({
    title: "Relative change of every layer", name: "layers",
    draw: (width) => rows.length ? lines({
      label: "Relative change of every layer", x: "layer (0 is the embedding)", y: "relative change", width,
      ticks: steps().map((layer, k) => [k, String(layer)]),
      series: Object.entries(kMoves).filter(([move]) => rows.some(({ direction }) => direction === move)).map(([move, { name, colour }]) => ({
        name, colour: curve(colour),
        points: rows.filter(({ direction }) => direction === move).map(({ layer, change, deviation }) => ({ x: steps().indexOf(layer), y: change, spread: deviation ?? 0 })) })) }) : null,
    table: () => ({ columns: ["direction", "layer", "change", "deviation"], rows: rows.map((row) => [row.direction, row.layer, row.change, row.deviation]) }),
  });
  const element = h("div", { class: "view" },
    h("section", { class: "card hero" },
      h("p", { class: "explains" }, h("strong", {}, "Choose a word: its token moves by √d in three directions."), " The curves say how much of every layer’s output changes."),
      buttons.element, against, about),
    h("div", { class: "split" }, chart.element, h("aside", { class: "card" }, h("h3", {}, "The moves"), key_list)));

  /** @type {Row[]} */
  let rows = [];
  let of = "", piece = "";
  /** @type {import("./text.js").Word[]} */
  let words = [];
  const steps = () => [...new Set(rows.map(({ layer }) => layer))];

  const start = later(150, async () => {
    const { t: text, m: model, to } = state(), token = chosen_token();
    try {
      const moved = await ask("layers", "layers", { model, text, token }, { label: `Layers when “${piece}” moves` });
      rows = [...(Array.isArray(moved) ? moved : moved.rows)];
      chart.redraw();
      if (to) {
        const changed = await ask("layers", "layers", { model, text, changed: to }, { label: "Layers of the changed text" });
        rows = [...rows, ...(Array.isArray(changed) ? changed : changed.rows).map((/** @type {Row} */ row) => ({ ...row, direction: "word" }))];
        chart.redraw();
      }
    } catch (error) {
      page.fail(error);
    }
  });

  return {
    element,
    /** @param {import("./state.js").State} next */
    async update(next) {
      about.textContent = causal_note(page.decoder(next.m));
      about.hidden = !about.textContent;
      against.replaceChildren(...(next.to ? [h("span", { class: "soft" }, "compared with"), marked(next.to, next.t),
        h("button", { type: "button", class: "quiet", click: () => set({ to: "" }) }, "Leave it out")] : []));
      key_list.replaceChildren(...Object.entries(kMoves).filter(([move]) => move !== "word" || next.to).flatMap(([, { name, colour, says }]) => {
        const term = h("dt", {}, name);
        term.style.color = curve(colour);
        return [term, h("dd", {}, says)];
      }));
      const key = JSON.stringify([next.t, next.m, chosen_token(), next.to]);
      if (!next.t.trim()) return void buttons.show(next.t, [], () => null);
      const tokens = await tokens_of(next.m, next.t).catch(page.fail);
      if (!tokens || state().t !== next.t) return;
      words = tokens.words;
      piece = readable(tokens.pieces[chosen_token()] ?? "");
      page.count(tokens);
      buttons.show(next.t, words, () => ({ share: null, says: "move this word" }));
      chart.name(`Relative change of every layer when “${piece}” moves`);
      if (key === of) return chart.redraw();
      of = key;
      stop("layers");
      start.soon();
    },
    leave() {
      stop("layers");
      start.cancel();
      of = "";
    },
    focus: () => buttons.focus(),
  };
}
