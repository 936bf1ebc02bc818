// Paper: word sensitivity against the length of the text, beside what the paper proves.
import { choice, field, h, short, slider } from "./dom.js";
import { ask, worker } from "./api.js";
import { curve, lines } from "./chart.js";
import { figure } from "./figure.js";
import { set, state } from "./state.js";

const kLengths = [10, 20, 40, 80, 160, 250];
const kTrials = 4;  // of quick maps, after one that is drawn at once: of rf a draft

/** @type {{map: string, name: string, colour: string, quick?: boolean, draft?: object, more?: object, place: string, says: string, why: string}[]} */
const kMaps = [
  { map: "raf", name: "softmax attention", colour: "blue", quick: true, place: "Theorem 3, Figure 3", says: "One word is felt however long the text is: S stays of constant order as n grows, while n is at most of the order of d.",
    why: "One direction of length √d draws the attention of all other words." },
  { map: "raf-relu", name: "ReLU attention", colour: "orange", quick: true, place: "Figure 3", says: "Put ReLU in the place of the softmax and the word drowns again.", why: "Scores add up instead of competing exponentially." },
  { map: "rf", name: "random features", colour: "green", quick: true, draft: { starts: 1, tolerance: 1e-3 }, place: "Theorem 1, Figure 2", says: "A layer without attention loses the word: S is of order 1/√n.", why: "One word among n moves the features by about 1/√n of their norm. A draft by one ascent comes first." },
  { map: "drf", name: "deep random features", colour: "pink", more: { depth: 2 }, place: "Theorem 2, Figure 2", says: "More layers do not help: deep random features of any depth fall as 1/√n.", why: "Here two layers; they take some seconds." },
];

/** @type {(points: Point[]) => number} the exponent of S in n, by least squares */
const slope = (points) => {
  const x = points.map((one) => Math.log(one.x)), y = points.map((one) => Math.log(one.y)), mean = x.reduce((sum, one) => sum + one, 0) / x.length;
  return x.reduce((sum, one, k) => sum + (one - mean) * y[k], 0) / x.reduce((sum, one) => sum + (one - mean) ** 2, 0);
};

/** @type {(rows: {n: number, sensitivity: number}[]) => Point[]} means over trials */
const points_of = (rows) => kLengths.filter((x) => rows.some(({ n }) => n === x)).map((x) => {
  const values = rows.filter(({ n }) => n === x).map(({ sensitivity }) => sensitivity), y = values.reduce((sum, one) => sum + one, 0) / values.length;
  return { x, y, spread: Math.sqrt(values.reduce((sum, one) => sum + (one - y) ** 2, 0) / Math.max(1, values.length - 1)) };
});

/** @type {MakeView} */
export const paper_view = () => {
  const on = (map = "") => state().maps.split(",").includes(map);
  const d = slider("d", "d", "Dimension d of a word’s vector", [16, 32, 64, 128, 256]), beta = slider("beta", "β", "Inverse temperature β of the softmax", [0.25, 0.5, 1, 2, 4, 8]);
  const data = choice("Where the texts come from", [["builtin", "film reviews"], ["sphere", "random words"], ["spiked:0.3", "random, alike", "Words that share a direction of weight 0.3"]], (value) => set({ data: value }));
  const cards = kMaps.map(({ map, name, place, says, why }) => {
    const box = h("input", { type: "checkbox", "aria-label": `Show the curve of ${name}`, change: (e) => set({ maps: kMaps.map((one) => one.map).filter((one) => (one === map ? e.target.checked : on(one))).join() }) });
    const here = h("span.here");
    return { map, box, here, element: h("label.card.theorem", h("span.head", box, h("strong", name), h("span.label", place)), h("span.claim", says), h("span.soft", why), here) };
  });
  const chart = figure({
    title: "How far one word sways a text of n words", name: "word-sensitivity",
    draw: (width) => {
      const series = kMaps.filter(({ map }) => on(map) && curves.has(map)).map(({ map, colour }) => ({ name: map, colour: curve(colour), points: curves.get(map)?.points ?? [], pale: curves.get(map)?.of !== name_of(map) }));
      const top = Math.max(0.4, ...series.filter(({ name }) => name !== "raf").map(({ points }) => points[0].y));
      return lines({ says: "Word sensitivity against the number of words", x: "n, words in the text", y: "S, word sensitivity", width, log: true, height: Math.max(320, Math.min(620, width * 0.88)), ticks: kLengths.map((n) => [n, String(n)]),
        series: [...series, { name: "1/√n", colour: curve("grey"), dashed: true, points: kLengths.map((n) => ({ x: n, y: top * Math.sqrt(10 / n) })) }] });
    },
    table: () => [...curves].flatMap(([map, { points }]) => points.map(({ x, y, spread }) => ({ map, n: x, d: state().d, beta: state().beta, data: state().data, sensitivity: y, deviation: spread }))),
  });
  const element = h("div.view",
    h("section.card.story", h("p.big", "A text of n words is n vectors of length √d. Move ", h("em", "one"), " of them by √d, in the worst direction. How much of what a layer says about the text changes?"),
      h("div", h("p.formula", "S  =  max ‖φ(X + Δ in one row) − φ(X)‖ / ‖φ(X)‖   over ‖Δ‖ ≤ √d"), h("p.soft", "S is the word sensitivity. Where it stays near 1 or above, one word can turn the whole representation. Where it falls with n, the word drowns in a long text."))),
    h("div.controls", d.element, beta.element, field("texts", data.element)), h("div.split.even", chart.element, h("div.theorems", ...cards.map((one) => one.element))),
    h("p.note", "S is the worst case over directions of the embedding space, as an optimiser finds it. It attributes nothing to words and says nothing about how often a label flips on real text. The layers have random weights, for which the theorems hold (arXiv 2402.02969)."));

  /** @type {Map<string, {points: Point[], of: string, whole: string}>} */
  const curves = new Map();
  const name_of = (map = "") => [map, state().d, map === "raf" ? state().beta : "", state().data].join();

  const work = worker(["measure"], 30, async (live) => {
    const wanted = kMaps.filter(({ map }) => on(map) && curves.get(map)?.whole !== name_of(map)), quick = wanted.filter((one) => one.quick);
    for (const { map, name, more, trials, last } of [...quick.map((one) => ({ ...one, trials: 1, more: one.draft, last: false })), ...wanted.reverse().map((one) => ({ ...one, trials: one.quick ? kTrials : 1, last: true }))]) {
      /** @type {any[]} */
      const rows = [];
      const old = curves.get(map)?.points ?? [];
      const result = await ask("measure", { map, n: kLengths, d: state().d, data: state().data, trials, ...(map === "raf" ? { beta: state().beta } : {}), ...more }, `The curve of ${name}`, { row: (row) => {
          rows.push(row);
          if (!live() || trials > 1) return;
          const fresh = points_of(rows);  // in front of what was there
          curves.set(map, { points: [...fresh, ...old.filter(({ x }) => !fresh.some((one) => one.x === x))].sort((p, q) => p.x - q.x), of: "", whole: "" });
          paint();
        } });
      if (!live()) return;
      curves.set(map, { points: points_of(result.rows), of: name_of(map), whole: last ? name_of(map) : "" });
      paint();
    }
  });

  function paint() {
    chart.name("How far one word sways a text of n words", state().d < 64 && on("raf") ? "d is small: Theorem 3 speaks of n up to the order of d, and beyond that the curve of the softmax may bend." : "");
    chart.redraw();
    cards.forEach(({ map, box, here, element: card }, k) => {
      const points = curves.get(map)?.points ?? [];
      box.checked = on(map);
      card.classList.toggle("off", !on(map));
      card.style.borderLeftColor = curve(kMaps[k].colour);
      here.replaceChildren(...(!on(map) ? [] : points.length < 4 ? ["computing …"] : ["S ∝ n", h("sup", slope(points).toFixed(2).replace("-", "−")), ` here: ${short(points[0].y)} at n = 10, ${short(points[points.length - 1].y)} at n = 250`]));
    });
  }

  return {
    element, focus: () => element.querySelector("input")?.focus(), leave: work.leave,
    update(next) {
      d.show(next.d);
      beta.show(next.beta);
      data.show(next.data);
      paint();
      work.want([next.d, next.beta, next.data, next.maps]);
    },
  };
};
