// Pairs: does the encoder notice the word that turns the meaning?
import { button, choice, counted, h, offer, percent, pressable, s, short, shorten, slider } from "./dom.js";
import { ask, worker } from "./api.js";
import { box, curve, drawing, label, lines } from "./chart.js";
import { figure } from "./figure.js";
import { set, state } from "./state.js";
import { marked } from "./text.js";

const kMostWorst = 8;
const kNotReversals = ["neutral", "role-swap"];  // the built-in set counts these apart
const kCosines = Array.from({ length: 501 }, (_, k) => (500 + k) / 1000);

/** @type {MakeView} */
export const pairs_view = (page) => {
  const which = choice("Which pairs", [["two", "Two texts"], ["builtin", "The built-in set"], ["file", "Your file"]], (value) => (value === "file" && !file ? input.click() : set({ set: value })));
  const cut = slider("cut", "merged from cosine", "Threshold: cosine", kCosines);
  const preset = h("select", { "aria-label": "The threshold of a known cache", change: (e) => set({ cut: Number(e.target.value) }) });
  const input = h("input", { type: "file", accept: ".csv,.jsonl,.tsv", hidden: true, change: (e) => take(e.target.files[0]) });
  const fields = /** @type {const} */ (["a", "b"]).map((key) => h("textarea", { spellcheck: "false", "aria-label": key === "a" ? "First text" : "Second text", input: (e) => set({ [key]: e.target.value }, "typing") }));
  const verdict = h("p.verdict"), note = h("p.note"), quotes = h("div.compared"), said = h("section.card"), worst_list = h("ol.worst");
  const steps = figure({
    title: "Similarity after every step", name: "pairs-steps",
    draw: (width) => two ? lines({ says: "Cosine after every step", x: "step of the model", y: "cosine", width, height: 300,
      ticks: two.steps.map((step, k) => [k, step.replace("layer ", "")]), low: Math.min(state().cut, ...two.similarities) - 0.05, high: 1.02, line: { y: state().cut, text: `merged from ${short(state().cut)} on` },
      series: [{ name: "cosine", colour: curve("orange"), points: two.similarities.map((y, x) => ({ x, y })) }] }) : null,
    table: () => (two?.steps ?? []).map((step, k) => ({ step, cosine: two?.similarities[k] })),
  });
  const classes = figure({ title: "By class", name: "pairs-classes", draw: (width) => (rows.length ? by_class(width) : null), table: () => summary() });
  const worst = figure({ title: "", name: "pairs-worst", body: worst_list, table: () => of_class() });
  const pair_part = h("div.stack", h("div.two", ...fields.map((one) => h("div.card.side", one))), h("section.card", verdict, quotes, note), steps.element);
  const set_part = h("div.stack", said, h("div.halves", classes.element, worst.element));
  const drop = h("p.note.drop", "Drop a file of pairs here (.csv or .jsonl with anchor, changed, control, class), or ", button("choose one", () => input.click(), "inline"), ". It stays on this machine.", input);
  const element = h("div.view", { dragover: (e) => e.preventDefault(), drop: (e) => { e.preventDefault(); take(e.dataTransfer.files[0]); } },
    h("p.explains", h("strong", "Semantic caches take two texts for the same when their vectors are similar enough."), " Does this encoder notice the word that turns the meaning?"),
    h("div.controls", which.element, cut.element, preset), pair_part, set_part, drop);

  /** @type {{steps: string[], similarities: number[], similarity: number} | null} */
  let two = null;
  /** @type {{class: string, anchor: string, changed: string, similarity: number, control_similarity: number | null}[]} */
  let rows = [];
  /** @type {{name: string, content: string, format: string} | null} */
  let file = null;

  /** @param {File | undefined} given */
  async function take(given) {
    if (!given) return;
    const format = given.name.split(".").pop() ?? "";
    file = { name: given.name, content: await given.text(), format };
    input.value = "";
    work.leave();
    set({ set: "two" }, "quiet");
    set({ set: "file", cls: "all" });
  }

  const work = worker(["pairs"], 220, async () => {
    const { m: model, set: wanted, cut: threshold, a, b } = state();
    if (wanted === "two") {
      two = await ask("pairs", { model, a, b }, "Two texts", { failed: () => verdict.replaceChildren() });
      return paint_two();
    }
    const found = await ask("pairs", { model, threshold, unit: "cosine", ...(wanted === "file" ? { content: file?.content, format: file?.format } : { set: "builtin" }) },
      wanted === "file" ? `Pairs of ${file?.name}` : "The built-in set", { failed: () => said.replaceChildren() });
    rows = found.rows.sort((/** @type {any} */ p, /** @type {any} */ q) => q.similarity - p.similarity);
    paint_set();
  });

  function paint_two() {
    const { a, b, cut: from, m } = state(), merged = Number(two?.similarity) >= from;
    quotes.replaceChildren(marked(a, b), marked(b, a));
    steps.redraw();
    verdict.replaceChildren(...(two ? ["Their cosine is ", h("strong", two.similarity.toFixed(3)), `. At a threshold of ${short(from)} the two are `, h("strong", { class: merged ? "bad" : "good" }, merged ? "taken for the same" : "kept apart"), "."]
      : [a.trim() && b.trim() ? "Comparing …" : "Write two texts."]));
    note.textContent = m === "builtin" ? "The built-in encoder was trained to predict words of film reviews, not to compare texts: its vectors are all alike, and everything merges." : "";
  }

  const of_class = (name = state().cls) => rows.filter((row) => (name === "all" ? state().set === "file" || !kNotReversals.includes(row.class) : row.class === name));

  /** Shares at the threshold, of all pairs and of every class. */
  const summary = () => ["all", ...new Set(rows.map((row) => row.class))].map((name) => {
    const these = of_class(name), controlled = these.filter((row) => typeof row.control_similarity === "number"), from = state().cut;
    const part = (some = rows, all = rows) => (all.length ? some.length / all.length : null);
    return { name, pairs: these.length, merged: part(these.filter((row) => row.similarity >= from), these), kept: part(controlled.filter((row) => Number(row.control_similarity) >= from), controlled),
      inverted: part(controlled.filter((row) => row.similarity > Number(row.control_similarity)), controlled) };
  });

  /** @param {number} width */
  function by_class(width) {
    const found = summary(), left = 104, step = 34, room = width - left - 50, bar = (share = /** @type {number | null} */ (0), y = 0, colour = "") => share === null ? [] :
      [box(left, y, room * share, 9, { rx: 2, fill: curve(colour) }), label(left + room * share + 6, y + 9, percent(share), { "fill-opacity": 0.75 })];
    return drawing(width, found.length * step + 30, "Merged and kept, by class",
      label(left, 14, "reversals that merge", { fill: curve("orange"), "font-weight": 600 }), label(left + 170, 14, "paraphrases kept", { fill: curve("blue"), "font-weight": 600 }),
      ...found.map(({ name, merged, kept }, k) => {
        const y = 26 + k * step, chosen = name === state().cls;
        return s("g", pressable(`${name}: ${percent(merged ?? 0)} merge`, chosen, () => set({ cls: name })), box(0, y - 4, width, step - 3, { rx: 5, fill: "currentColor", "fill-opacity": chosen ? 0.07 : 0 }),
          label(left - 10, y + 14, shorten(name, 14), { "text-anchor": "end", "font-weight": chosen ? 700 : 400 }), ...bar(merged, y, "orange"), ...bar(kept, y + 12, "blue"));
      }));
  }

  function paint_set() {
    const [{ merged, kept, inverted, pairs }] = summary(), { cls, cut: from } = state();
    classes.redraw();
    worst.name(cls === "all" ? "The pairs that are most alike" : `The pairs of “${cls}” that are most alike`);
    worst_list.replaceChildren(...of_class().slice(0, kMostWorst).map((row) => h("li", h("button", { click: () => set({ set: "two", a: row.anchor, b: row.changed }) },
      h("span.number.soft", row.similarity.toFixed(4)), h("span", marked(row.anchor, row.changed), marked(row.changed, row.anchor))))));
    said.replaceChildren(...(merged === null ? ["Comparing …"] : [h("p.verdict", `At cosine ≥ ${short(from)} `, h("strong", `${percent(merged)} of the reversals merge`), kept !== null && h("span", " and ", h("strong", `${percent(kept)} of the paraphrases`), " stay together"), ".",
      inverted !== null && ` In ${percent(inverted)} of the triplets the reversal is more similar than the paraphrase.`),
    h("p.note", `${counted(pairs, "pair")}. A reversal turns the meaning by a word; a paraphrase says the same in other words. A good threshold merges few of the first and many of the second.`)]));
  }

  return {
    element, focus: () => fields[0].focus(), leave: work.leave,
    update(next) {
      which.show(next.set);
      cut.show(next.cut, next.cut.toFixed(3));
      offer(preset, [["", "as in …"], ...page.presets().map(({ name, cosine }) => [String(cosine), `${name} (${cosine})`])], "");
      fields.forEach((one, k) => { if (one.value !== [next.a, next.b][k]) one.value = [next.a, next.b][k]; });
      pair_part.hidden = next.set !== "two";
      set_part.hidden = next.set === "two";
      const { a, b, m, set: wanted } = next;
      if (wanted === "two") {
        if (work.want(a.trim() && b.trim() ? [a, b, m] : [])) two = null;
        return paint_two();
      }
      if (work.want(wanted === "file" && !file ? [] : [wanted, m])) rows = [];
      paint_set();
    },
  };
};
