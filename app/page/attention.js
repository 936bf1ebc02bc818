// Attention: where every token looks, before and after the chosen word moves or is replaced.
import { choice, field, h, offer, picker, pressable, s } from "./dom.js";
import { ask, worker } from "./api.js";
import { box, drawing, label, largest, matrices, picture, threads } from "./chart.js";
import { figure } from "./figure.js";
import { set, state } from "./state.js";
import { chosen_token, readable, text_card } from "./text.js";

/** @typedef {{title: string, pieces: string[], maps: number[][][]}} Side the maps of all heads */

/** @type {Record<string, string>} */
const kAfter = { attract: "after it moves to attract attention", noise: "after it moves in a random direction", ascent: "after the worst move for the last layer", word: "after it is replaced" };
const kSpecial = /^(\[(CLS|SEP|PAD)\]|<\/?s>|<\|.*\|>)$/;

/** @param {number[][][]} maps of one size */
const mean = (maps) => maps[0].map((row, j) => row.map((_, m) => maps.reduce((sum, map) => sum + map[j][m], 0) / maps.length));

/** @type {MakeView} */
export const attention_view = (page) => {
  const layer = picker("al", "Layer"), head = picker("ah", "Head");
  const move = choice("What happens to the chosen word", [["none", "Stays"], ["attract", "Attract", "It moves so that all scores on it grow"], ["noise", "Noise"],
    ["ascent", "Ascent", "It moves so that the last layer changes most"], ["word", "Replaced", "As you chose in Words"]], (value) => set({ move: value }));
  const draw = choice("How attention is drawn", [["matrix", "Matrix"], ["lines", "Lines"]], (value) => set({ draw: value }));
  const special = h("input", { type: "checkbox", change: (e) => set({ special: Number(e.target.checked) }) });
  const text = text_card(page, "Every token shares out its attention over the tokens of the text.", " Choose a word and see where the others look before and after it moves by √d.");
  const main = figure({
    title: "Attention", name: "attention",
    draw: (width) => !sides.length ? null : (state().draw === "lines" ? threads : matrices)({ looks: shown(state().ah), width,
      chosen: (k) => places(sides[0])[k] === chosen_token() && !reduced, choose: (k) => { if (!reduced) set({ token: places(sides[0])[k], to: "" }); } }),
    table: () => shown(state().ah).flatMap(({ title, pieces, cells }) => cells.flatMap((row, j) => row.map((attention, m) => ({ when: title, looks: pieces[j], at: pieces[m], attention })))),
  });
  const all = figure({ title: "All heads of the layer", name: "heads", draw: heads, note: "Each square is a head, before and after. Choose one to see it large." });
  const element = h("div.view", text.element,
    h("div.controls", field("layer", layer), field("head", head), move.element, draw.element, h("label.tick", special, "special tokens")), main.element, all.element);

  /** @type {Side[]} */
  let sides = [];
  let reduced = false;

  // Which tokens of a side are shown.
  const places = (/** @type {Side} */ { pieces }) => pieces.map((_, k) => k).filter((k) => state().special || reduced || !kSpecial.test(pieces[k]));

  /** @type {(which: string) => Look[]} of a head, or of the mean of all */
  const shown = (which) => sides.map((side) => {
    const map = side.maps[Number(which)] ?? mean(side.maps), keep = places(side);
    return { title: side.title, pieces: keep.map((k) => readable(side.pieces[k])), cells: keep.map((j) => keep.map((m) => map[j][m])) };
  });

  /** @param {number} width */
  function heads(width) {
    if (!sides.length) return null;
    const count = sides[0].maps.length, across = Math.max(1, Math.min(count, Math.floor(width / (sides.length * 96 + 24)), 6));
    const cell = Math.min(130, (width / across - 24) / sides.length - 4), step = (cell + 4) * sides.length + 20, down = cell + 34;
    return drawing(width, Math.ceil(count / across) * down + 4, "All heads of the layer", ...sides[0].maps.map((_, k) => {
      const x = (k % across) * step + 2, y = Math.floor(k / across) * down + 20, chosen = state().ah === String(k), looks = shown(String(k)), most = Math.max(...looks.map(({ cells }) => largest(cells)));
      return s("g", pressable(`Head ${k}`, chosen, () => set({ ah: chosen ? "mean" : String(k) })), label(x, y - 6, `head ${k}`, { "font-weight": chosen ? 700 : 400 }),
        ...looks.flatMap(({ cells }, p) => [picture(cells, most, x + p * (cell + 4), y, cell),
          box(x + p * (cell + 4), y, cell, cell, { fill: "none", stroke: "currentColor", "stroke-width": chosen ? 2 : 1, "stroke-opacity": chosen ? 0.9 : 0.25 })]));
    }));
  }

  const work = worker(["attention"], 150, async () => {
    const { t, m: model, al, move: how, to } = state();
    const change = how === "none" || (how === "word" && !to) ? {} : how === "word" ? { changed: to } : { token: chosen_token(), move: how };
    const found = await ask("attention", { model, text: t, layer: al, head: "all", ...change }, `Attention of layer ${al}`);
    const side = (title = "", pieces = [""], maps = [[[0]]]) => ({ title, maps, pieces: found.reduced ? maps[0].map((_, k) => pieces[k * found.block] ?? "") : pieces });
    reduced = found.reduced;
    sides = [side("before", found.pieces, found.attention), ...(found.attention_after ? [side(kAfter[how], found.pieces_after ?? found.pieces, found.attention_after)] : [])];
    paint();
  });

  function paint() {
    const { al, ah } = state();
    main.name(`Layer ${al}, ${ah === "mean" ? "mean of all heads" : `head ${ah}`}`, reduced ? "The text is long: a cell is the largest attention within a block of tokens."
      : `${state().draw === "lines" ? "The left looks at the right" : "Rows look at columns"}. The stronger the colour, the more attention; both pictures have one scale.`);
    main.redraw();
    all.redraw();
  }

  return {
    element, focus: text.focus, leave: work.leave,
    async update(next) {
      const { layers = 1, heads: count = 1 } = page.model(next.m) ?? {}, numbers = (most = 0, first = 0) => Array.from({ length: most }, (_, k) => String(k + first));
      if (next.al > layers) return set({ al: layers }, "quiet");
      offer(layer, numbers(layers, 1).map((k) => [k, `${k} of ${layers}`]), next.al);
      offer(head, [["mean", "mean of all"], ...numbers(count, 0).map((k) => [k, k])], next.ah);
      move.show(next.move === "word" && !next.to ? "none" : next.move, next.to ? "" : "word");
      draw.show(next.draw);
      special.checked = Boolean(next.special);
      if (!await text.show(next, next.to !== "" && next.move === "word")) return;
      if (!work.want([next.t, next.m, next.al, next.move, next.to, chosen_token()])) paint();
    },
  };
};
