// Attention: where every token looks, in every head of a layer, before and after the chosen word moves or is replaced.
import { choice, fill_select, h, later, s } from "./dom.js";
import { ask, stop } from "./api.js";
import { matrices, picture, threads } from "./chart.js";
import { figure } from "./figure.js";
import { set, state } from "./state.js";
import { causal_note, chosen_token, marked, readable, tokens_of, word_buttons } from "./text.js";

/** @typedef {{pieces: string[], maps: number[][][]}} Side the maps of all heads */

/** @type {Record<string, string>} */
const kAfter = {
  attract: "after it moves to attract attention", noise: "after it moves in a random direction",
  ascent: "after the worst move for the last layer", word: "after it is replaced",
};

/**
 * The mean of matrices of one size.
 * @param {number[][][]} maps
 */
function mean(maps) {
  const n = maps[0]?.length ?? 0;
  return Array.from({ length: n }, (_, j) => Array.from({ length: n }, (_, m) => maps.reduce((sum, map) => sum + (map[j]?.[m] ?? 0), 0) / maps.length));
}

/** @param {import("./main.js").Page} page */
export function attention_view(page) {
  const layer = h("select", { "aria-label": "Layer", change: () => set({ al: Number(layer.value) }) });
  const head = h("select", { "aria-label": "Head", change: () => set({ ah: head.value }) });
  const move = choice("What happens to the chosen word", [["none", "Stays"], ["attract", "Attract", "It moves so that all scores on it grow"], ["noise", "Noise", "It moves in a random direction"],
    ["ascent", "Ascent", "It moves so that the last layer changes most"], ["word", "Replaced", "The word that you chose in Words stands there"]], (value) => set({ move: value }));
  const draw = choice("How attention is drawn", [["matrix", "Matrix"], ["lines", "Lines"]], (value) => set({ draw: value }));
  const special = h("input", { type: "checkbox", change: () => set({ special: special.checked ? 1 : 0 }) });
  const buttons = word_buttons({ label: "The words of the text", open: () => {} });
  const against = h("div", { class: "against" }), about = h("p", { class: "note" });

  const main = figure({
    title: "Attention", name: "attention",
    draw: (width) => {
      const looks = shown(state().ah);
      if (!looks.length) return null;
      const of = { label: "Attention: rows look at columns", looks, width,
        chosen: (/** @type {number} */ p, /** @type {number} */ k) => { const token = place_to_token(p, k); return token >= 0 && token === chosen_place(p); },
        choose: (/** @type {number} */ p, /** @type {number} */ k) => { const token = place_to_token(p, k); if (token >= 0 && p === 0) set({ token, to: "" }); } };
      return state().draw === "lines" ? threads(of) : matrices(of);
    },
    table: () => {
      const looks = shown(state().ah);
      return { columns: ["when", "looks", "at", "attention"], rows: looks.flatMap(({ title, pieces, cells }) => cells.flatMap((row, j) => row.map((value, m) => [title, pieces[j], pieces[m], value]))) };
    },
  });
  const all = figure({
    title: "All heads of the layer", name: "heads", draw: (width) => thumbnails(width),
    note: "Each square is one head; rows look at columns. Choose one to see it large.",
  });
  const element = h("div", { class: "view" },
    h("section", { class: "card hero" },
      h("p", { class: "explains" }, h("strong", {}, "Every token shares out its attention over the tokens of the text."), " Choose a word and see where the others look before and after it moves by √d."),
      buttons.element, against, about),
    h("div", { class: "controls" }, h("label", { class: "field" }, h("span", {}, "layer"), layer), h("label", { class: "field" }, h("span", {}, "head"), head), move.element, draw.element,
      h("label", { class: "tick" }, special, "special tokens")),
    main.element, all.element);

  /** @type {Side | null} */
  let before = null;
  /** @type {Side | null} */
  let after = null;
  /** @type {import("./text.js").Tokens | null} */
  let tokens = null;
  let of = "", reduced = false;

  /**
   * Which tokens are shown, of the text before and after.
   * @param {number} p
   */
  const places = (p) => {
    const side = p === 0 ? before : after;
    const count = side?.pieces.length ?? 0;
    return Array.from({ length: count }, (_, k) => k).filter((k) => state().special || reduced || !(is_special(p, k)));
  };
  const is_special = (/** @type {number} */ p, /** @type {number} */ k) => {
    const piece = (p === 0 ? before : after)?.pieces[k] ?? "";
    return p === 0 && tokens?.pieces.length === before?.pieces.length ? Boolean(tokens?.special[k]) : /^(\[(CLS|SEP|PAD)\]|<\/?s>|<\|[^|]*\|>)$/.test(piece);
  };
  const place_to_token = (/** @type {number} */ p, /** @type {number} */ k) => (reduced ? -1 : places(p)[k] ?? -1);
  const chosen_place = (/** @type {number} */ _) => chosen_token();

  /** @param {string} which @returns {import("./chart.js").Look[]} */
  function shown(which) {
    return [before, after].flatMap((side, p) => {
      if (!side) return [];
      const map = which === "mean" ? mean(side.maps) : side.maps[Number(which)] ?? mean(side.maps), keep = places(p);
      return [{ title: p === 0 ? "before" : kAfter[state().move] ?? "after", pieces: keep.map((k) => readable(side.pieces[k] ?? "")), cells: keep.map((j) => keep.map((m) => map[j]?.[m] ?? 0)) }];
    });
  }

  /** @param {number} width */
  function thumbnails(width) {
    const heads = before?.maps.length ?? 0;
    if (!heads) return null;
    const sides = after ? 2 : 1, across = Math.max(1, Math.min(heads, Math.floor(width / (sides * 96 + 24)), 6));
    const cell = Math.min(sides === 2 ? 118 : 150, (width / across - 24) / sides - 4), step = cell * sides + 4 * (sides - 1) + 24, down = cell + 34;
    const parts = Array.from({ length: heads }, (_, k) => {
      const x = (k % across) * step + 4, y = Math.floor(k / across) * down + 20, chosen = state().ah === String(k);
      const looks = shown(String(k)), most = Math.max(1e-9, ...looks.flatMap(({ cells }) => cells.map((row) => Math.max(...row, 0))));
      return s("g", { class: "pick", tabindex: 0, role: "button", "aria-label": `Head ${k}`, "aria-pressed": chosen, click: () => set({ ah: chosen ? "mean" : String(k) }),
        keydown: (/** @type {KeyboardEvent} */ e) => { if (e.key === "Enter" || e.key === " ") { e.preventDefault(); set({ ah: chosen ? "mean" : String(k) }); } } },
        s("text", { x, y: y - 6, fill: "currentColor", "font-weight": chosen ? 700 : 400, "fill-opacity": chosen ? 1 : 0.75 }, `head ${k}`),
        ...looks.map(({ cells }, p) => s("image", { href: picture(cells, most), x: x + p * (cell + 4), y, width: cell, height: cell, class: "grain", "image-rendering": "pixelated" })),
        ...looks.map((_, p) => s("rect", { x: x + p * (cell + 4), y, width: cell, height: cell, fill: "none", stroke: "currentColor", "stroke-width": chosen ? 2 : 1, "stroke-opacity": chosen ? 0.9 : 0.25 })));
    });
    return s("svg", { viewBox: `0 0 ${width} ${Math.ceil(heads / across) * down + 4}`, width, height: Math.ceil(heads / across) * down + 4, role: "group", "aria-label": "All heads of the layer",
      "font-size": 12.5, "font-family": "system-ui, sans-serif" }, ...parts);
  }

  const start = later(150, async () => {
    const { t: text, m: model, al, move: how, to } = state();
    const change = how === "none" || (how === "word" && !to) ? {} : how === "word" ? { changed: to } : { token: chosen_token(), move: how };
    try {
      const found = await ask("attention", "attention", { model, text, layer: al, head: "all", ...change }, { label: `Attention of layer ${al}` });
      [before, after, reduced] = read(found);
      show();
    } catch (error) {
      [before, after] = [null, null];
      show();
      page.fail(error);
    }
  });

  /** @param {any} found @returns {[Side, Side | null, boolean]} */
  function read(found) {
    const heads = (/** @type {any} */ maps) => (typeof maps?.[0]?.[0] === "number" ? [maps] : maps);
    return [{ pieces: found.pieces, maps: heads(found.attention) },
      found.attention_after ? { pieces: found.pieces_after ?? found.pieces, maps: heads(found.attention_after) } : null, Boolean(found.reduced)];
  }

  function show() {
    const { al, ah } = state();
    main.name(`Layer ${al}, ${ah === "mean" ? "mean of all heads" : `head ${ah}`}`);
    main.say(reduced ? "The text is long: a cell is the largest attention within a block of tokens." : "Rows look at columns. The stronger the colour, the more attention; both pictures have one scale.");
    main.redraw();
    all.redraw();
  }

  return {
    element,
    /** @param {import("./state.js").State} next */
    async update(next) {
      const model = page.model(next.m), layers = model?.layers ?? 1, heads = model?.heads ?? 1;
      fill_select(layer, Array.from({ length: layers }, (_, k) => [String(k + 1), `${k + 1} of ${layers}`]), String(Math.min(next.al, layers)));
      fill_select(head, [["mean", "mean of all"], ...Array.from({ length: heads }, (_, k) => /** @type {[string, string]} */ ([String(k), String(k)]))], next.ah);
      move.show(next.move === "word" && !next.to ? "none" : next.move, (value) => value !== "word" || next.to !== "");
      draw.show(next.draw);
      special.checked = Boolean(next.special);
      about.textContent = causal_note(page.decoder(next.m));
      about.hidden = !about.textContent;
      against.replaceChildren(...(next.to && next.move === "word" ? [h("span", { class: "soft" }, "compared with"), marked(next.to, next.t)] : []));
      if (!next.t.trim()) return void buttons.show(next.t, [], () => null);
      if (model && next.al > layers) return set({ al: layers }, "quiet");
      const found = await tokens_of(next.m, next.t).catch(page.fail);
      if (!found || state().t !== next.t) return;
      tokens = found;
      page.count(found);
      buttons.show(next.t, found.words, () => ({ share: null, says: "move this word" }));
      const key = JSON.stringify([next.t, next.m, next.al, next.move, next.move === "word" ? next.to : next.move === "none" ? "" : chosen_token()]);
      if (key === of) return show();
      of = key;
      stop("attention");
      start.soon();
    },
    leave() {
      stop("attention");
      start.cancel();
      of = "";
    },
    focus: () => buttons.focus(),
  };
}
