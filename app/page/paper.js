// Paper: word sensitivity against the length of the text, computed as the sliders move, beside what the paper proves.
import { choice, h, later, short } from "./dom.js";
import { ask, stop } from "./api.js";
import { curve, lines } from "./chart.js";
import { figure } from "./figure.js";
import { set, state } from "./state.js";

const kLengths = [10, 20, 40, 80, 160, 250];
const kDimensions = [16, 32, 64, 128, 256];
const kBetas = [0.25, 0.5, 1, 2, 4, 8];
const kTrials = 4;  // of the attention maps, after one that is drawn at once

/**
 * `quick` maps take milliseconds; `beta`: the inverse temperature is theirs.
 * @type {{map: string, name: string, colour: string, quick: boolean, beta: boolean, more: object, place: string, says: string, why: string}[]}
 */
const kMaps = [
  { map: "raf", name: "softmax attention", colour: "blue", quick: true, beta: true, more: {}, place: "Theorem 3, Figure 3",
    says: "One word is felt however long the text is: S stays of constant order as n grows, while n is at most of the order of d.",
    why: "One direction of length √d draws the attention of all the other words to the one that moves." },
  { map: "raf-relu", name: "ReLU attention", colour: "orange", quick: true, beta: false, more: {}, place: "Figure 3",
    says: "Put ReLU in the place of the softmax and the word drowns again.",
    why: "Scores add up instead of competing exponentially." },
  { map: "rf", name: "random features", colour: "green", quick: false, beta: false, more: {}, place: "Theorem 1, Figure 2",
    says: "A layer without attention loses the word: S is of order 1/√n.",
    why: "One word among n moves the features by about 1/√n of their norm." },
  { map: "drf", name: "deep random features", colour: "pink", quick: false, beta: false, more: { depth: 2 }, place: "Theorem 2, Figure 2",
    says: "More layers do not help: deep random features of any depth fall as 1/√n.",
    why: "Here two layers; they take some seconds." },
];

/** @param {import("./main.js").Page} page */
export function paper_view(page) {
  const on = (/** @type {string} */ map) => state().maps.split(",").includes(map);
  const d = slider("d", "Dimension d of a word’s vector", kDimensions), beta = slider("beta", "Inverse temperature β of the softmax", kBetas);
  const data = choice("Where the texts come from", [["builtin", "film reviews", "Through the embedding of the built-in model"], ["sphere", "random words", "Independent directions on the sphere"],
    ["spiked:0.3", "random, alike", "Words that share a direction of weight 0.3"]], (value) => set({ data: value }));
  const theorems = new Map(kMaps.map((one) => [one.map, theorem(one)]));
  const cards = h("div", { class: "theorems" }, ...[...theorems.values()].map((one) => one.element));
  const chart = figure({
    title: "How far one word sways a text of n words", name: "word-sensitivity",
    draw: (width) => {
      const series = kMaps.filter(({ map }) => on(map) && curves.get(map)?.points.length).map(({ map, colour }) => {
        const { points, stale } = /** @type {{points: {x: number, y: number, spread: number}[], stale: boolean}} */ (curves.get(map));
        return { name: map + (slope(points) === null ? "" : ` n^${(slope(points) ?? 0).toFixed(2)}`.replace("-", "−")), colour: curve(colour), points, pale: stale };
      });
      const top = Math.max(...(curves.get("rf")?.points ?? curves.get("raf-relu")?.points ?? []).map(({ y }) => y), 0.4);
      return lines({ label: "Word sensitivity against the number of words, both logarithmic", x: "n, words in the text", y: "S, word sensitivity", width, log_x: true, log_y: true,
        height: Math.max(300, Math.min(460, width * 0.62)), ticks: kLengths.map((n) => [n, String(n)]),
        series: [...series, { name: "1/√n", colour: curve("grey"), dashed: true, points: kLengths.map((n) => ({ x: n, y: top * Math.sqrt(10 / n) })) }] });
    },
    table: () => ({ columns: ["map", "n", "d", "beta", "data", "sensitivity", "deviation"],
      rows: kMaps.flatMap(({ map }) => (curves.get(map)?.points ?? []).map(({ x, y, spread }) => [map, x, state().d, state().beta, state().data, y, spread])) }),
  });
  const element = h("div", { class: "view paper-view" },
    h("section", { class: "card story" },
      h("p", { class: "big" }, "A text of n words is n vectors of length √d. Move ", h("em", {}, "one"), " of them by √d, in the worst direction. ",
        "How much of what a layer says about the text changes?"),
      formula(),
      h("p", { class: "soft" }, "S is the word sensitivity. Where it stays near 1 or above, one word can turn the whole representation. Where it falls with n, the word drowns in a long text.")),
    h("div", { class: "controls" }, d.element, beta.element, h("div", { class: "field" }, h("span", {}, "texts"), data.element)),
    h("div", { class: "split paper-split" }, chart.element, cards),
    h("p", { class: "note" }, "S is the worst case over directions of the embedding space, as found by an optimiser: a value that is attained. It attributes nothing to words, and says nothing about how often a label flips on real text. ",
      "The layers here have random weights, for which the theorems hold. Bombari & Mondelli, ", h("cite", {}, "Towards Understanding the Word Sensitivity of Attention Layers: A Study via Random Features"), ", ICML 2024, arXiv 2402.02969."));

  /** @type {Map<string, {points: {x: number, y: number, spread: number}[], stale: boolean, of: string}>} */
  const curves = new Map();
  let round = 0;

  /** @param {typeof kMaps[number]} of */
  function theorem({ map, name, place, says, why }) {
    const box = h("input", { type: "checkbox", "aria-label": `Show the curve of ${name}`, change: () =>
      set({ maps: kMaps.map((one) => one.map).filter((one) => (one === map ? box.checked : on(one))).join(",") }) });
    const measured = h("span", { class: "measured" });
    return { box, measured, element: h("label", { class: "card theorem" }, h("span", { class: "head" }, box, h("strong", {}, name), h("span", { class: "label" }, place)),
      h("span", { class: "claim" }, says), h("span", { class: "soft" }, why), measured) };
  }

  function formula() {
    return h("p", { class: "formula", "aria-label": "S is the largest norm of phi of X with Delta added to one row, less phi of X, over the norm of phi of X, for Delta no longer than the root of d" },
      h("span", { "aria-hidden": "true" }, "S  =  max", h("sub", {}, "‖Δ‖ ≤ √d"), "  ‖φ(X + Δ in one row) − φ(X)‖ / ‖φ(X)‖"));
  }

  /** @param {"d" | "beta"} key @param {string} label @param {number[]} values */
  function slider(key, label, values) {
    const input = h("input", { type: "range", min: 0, max: values.length - 1, step: 1, "aria-label": label, input: () => set({ [key]: values[Number(input.value)] ?? 1 }, "typing") });
    const output = h("output", { class: "number" });
    return { element: h("label", { class: "field", title: label }, h("span", {}, key === "d" ? "d" : "β"), input, output),
      /** @param {number} value */
      show(value) {
        const at = values.reduce((best, one, k) => (Math.abs(one - value) < Math.abs((values[best] ?? 0) - value) ? k : best), 0);
        input.value = String(at);
        input.setAttribute("aria-valuetext", String(values[at]));
        output.textContent = String(values[at]);
      } };
  }

  /**
   * The exponent of S in n, by least squares.
   * @param {{x: number, y: number}[]} points
   */
  function slope(points) {
    if (points.length < 4) return null;
    const logs = points.map(({ x, y }) => [Math.log(x), Math.log(y)]), mean = (/** @type {number} */ k) => logs.reduce((sum, one) => sum + (one[k] ?? 0), 0) / logs.length;
    const [mx, my] = [mean(0), mean(1)];
    return logs.reduce((sum, [x = 0, y = 0]) => sum + (x - mx) * (y - my), 0) / logs.reduce((sum, [x = 0]) => sum + (x - mx) ** 2, 0);
  }

  const start = later(30, () => compute());

  async function compute() {
    const mine = ++round, { d: size, beta: b, data: from } = state();
    const wanted = kMaps.filter(({ map }) => on(map));
    const plan = [...wanted.filter(({ quick }) => quick).map((one) => ({ one, trials: 1 })), ...wanted.filter(({ quick }) => quick).map((one) => ({ one, trials: kTrials })),
      ...wanted.filter(({ quick }) => !quick).map((one) => ({ one, trials: 1 }))];
    for (const { one } of plan) {
      const old = curves.get(one.map);
      if (old && old.of !== name_of(one, size, b, from)) old.stale = true;
    }
    show();
    for (const { one, trials } of plan) {
      const name = name_of(one, size, b, from), old = curves.get(one.map);
      if (old?.of === name && !old.stale && trials === 1) continue;
      /** @type {any[]} */
      const rows = [];
      const take = (/** @type {any[]} */ all, /** @type {boolean} */ end) => {
        if (mine !== round) return;
        const fresh = kLengths.map((n) => all.filter((row) => row.n === n).map((row) => row.sensitivity)).map((values, k) => ({ x: kLengths[k] ?? 0, values })).filter(({ values }) => values.length)
          .map(({ x, values }) => ({ x, ...moments(values) }));
        const rest = end ? [] : (old?.points ?? []).filter(({ x }) => !fresh.some((point) => point.x === x));
        curves.set(one.map, { points: [...fresh, ...rest].sort((p, q) => p.x - q.x), stale: !end && rest.length > 0, of: end ? name : "" });
        show();
      };
      try {
        const result = await ask("measure", "measure", { map: one.map, n: kLengths, d: size, data: from, trials, ...(one.beta ? { beta: b } : {}), ...one.more },
          { label: `The curve of ${one.name}`, row: (row) => { rows.push(row); if (trials === 1) take(rows, false); } });
        if (mine !== round) return;
        take(Array.isArray(result) ? result : result.rows, true);
      } catch (error) {
        if (mine === round) page.fail(error);
        return;
      }
    }
  }

  const name_of = (/** @type {{map: string, beta: boolean}} */ one, /** @type {number} */ size, /** @type {number} */ b, /** @type {string} */ from) => [one.map, size, one.beta ? b : "", from].join();

  /** @param {number[]} values */
  function moments(values) {
    const y = values.reduce((sum, value) => sum + value, 0) / values.length;
    return { y, spread: values.length > 1 ? Math.sqrt(values.reduce((sum, value) => sum + (value - y) ** 2, 0) / (values.length - 1)) : 0 };
  }

  function show() {
    chart.redraw();
    chart.say(state().d < 64 && on("raf") ? "d is small here: Theorem 3 speaks of n up to the order of d, and to the right of that the curve of the softmax may bend." : "");
    for (const { map, colour } of kMaps) {
      const card = theorems.get(map), found = curves.get(map), exponent = slope(found?.points ?? []);
      if (!card) continue;
      card.box.checked = on(map);
      card.element.classList.toggle("off", !on(map));
      card.element.style.borderLeftColor = curve(colour);
      card.measured.textContent = !on(map) ? "" : exponent === null ? "computing …"
        : `here: S ~ n^${exponent.toFixed(2)}, ${short(found?.points[0]?.y)} at n = 10, ${short(found?.points[found.points.length - 1]?.y)} at n = 250`.replace("^-", "^−");
    }
  }

  return {
    element,
    /** @param {import("./state.js").State} next */
    update(next) {
      d.show(next.d);
      beta.show(next.beta);
      data.show(next.data);
      stop("measure");
      ++round;
      show();
      start.soon();
    },
    leave() {
      ++round;
      stop("measure");
      start.cancel();
    },
    focus: () => element.querySelector("input")?.focus(),
  };
}
