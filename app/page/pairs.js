// Pairs: does the encoder notice the word that turns the meaning? Two texts, the built-in set, or a file of one's own.
import { choice, counted, fill_select, h, later, percent, s, short, shorten } from "./dom.js";
import { ask, stop } from "./api.js";
import { curve, lines } from "./chart.js";
import { figure } from "./figure.js";
import { set, state } from "./state.js";
import { marked } from "./text.js";

/** @typedef {{class: string, anchor: string, changed: string, control: string | null, similarity: number, control_similarity: number | null}} Pair */

const kMostWorst = 8;
const kNotReversals = ["neutral", "role-swap"];  // the built-in set counts these apart

/** @param {import("./main.js").Page} page */
export function pairs_view(page) {
  const which = choice("Which pairs", [["two", "Two texts"], ["builtin", "The built-in set"], ["file", "Your file"]], (value) => {
    if (value === "file" && !file) picker.click();
    else set({ set: value });
  });
  const cut = h("input", { type: "range", min: 0, max: 1, step: 0.001, "aria-label": "Threshold: cosine", input: () => set({ cut: Number(cut.value) }, "typing") });
  const cut_value = h("output", { class: "number" });
  const preset = h("select", { "aria-label": "The threshold of a known cache", change: () => { if (preset.value) set({ cut: Number(preset.value) }); } });
  const a = area("a", "First text"), b = area("b", "Second text");
  const picker = h("input", { type: "file", accept: ".csv,.jsonl,.tsv,.txt", hidden: true, "aria-label": "A file of pairs", change: () => { const first = picker.files?.[0]; if (first) take(first); } });

  const verdict = h("p", { class: "verdict" }), quotes = h("div", { class: "compared" });
  const chart = figure({
    title: "Similarity after every step", name: "pairs-steps",
    draw: (width) => two ? lines({
      label: "Cosine of the two texts after every step", x: "step of the model", y: "cosine", width, height: Math.min(340, Math.max(260, width * 0.5)),
      ticks: two.steps.map((step, k) => [k, k === 0 ? "emb." : step.replace("layer ", "")]),
      low: Math.max(-1, Math.min(0.5, ...two.similarities, state().cut) - 0.02), high: 1.02, line: { y: state().cut, text: `merged from ${short(state().cut)} on` },
      series: [{ name: "cosine", colour: curve("orange"), points: two.similarities.map((y, x) => ({ x, y })) }] }) : null,
    table: () => two && ({ columns: ["step", "cosine"], rows: two.steps.map((step, k) => [step, two?.similarities[k]]) }),
  });
  const pair_part = h("div", { class: "stack" },
    h("div", { class: "two" }, a, b), h("section", { class: "card" }, verdict, quotes), chart.element);

  const said = h("div", { class: "said" });
  const classes = figure({
    title: "By class", name: "pairs-classes", draw: (width) => rows.length ? class_chart(width) : null,
    table: () => ({ columns: ["class", "pairs", "merged", "kept", "inverted"], rows: summary().map((one) => [one.name, one.pairs, one.merged, one.kept, one.inverted]) }),
  });
  const worst_list = h("ol", { class: "worst" });
  const worst = figure({ title: "The pairs that are taken for the same", name: "pairs-worst", body: worst_list,
    table: () => ({ columns: ["class", "similarity", "anchor", "changed"], rows: of_class().sort((p, q) => q.similarity - p.similarity).map((row) => [row.class, row.similarity, row.anchor, row.changed]) }) });
  const set_part = h("div", { class: "stack" }, h("section", { class: "card" }, said), h("div", { class: "halves" }, classes.element, worst.element));

  const drop = h("p", { class: "note drop" }, "Drop a file of pairs here (.csv or .jsonl with anchor, changed, control, class), or ",
    h("button", { type: "button", class: "inline", click: () => picker.click() }, "choose one"), ". It stays on this machine.", picker);
  const element = h("div", { class: "view pairs-view",
    dragover: (/** @type {DragEvent} */ e) => { e.preventDefault(); element.classList.add("over"); },
    dragleave: () => element.classList.remove("over"),
    drop: (/** @type {DragEvent} */ e) => { e.preventDefault(); element.classList.remove("over"); const first = e.dataTransfer?.files[0]; if (first) take(first); } },
    h("p", { class: "explains lead" }, h("strong", {}, "Semantic caches take two texts for the same when their vectors are similar enough."), " Does this encoder notice the word that turns the meaning?"),
    h("div", { class: "controls" }, which.element, h("label", { class: "field grow" }, h("span", {}, "merged from cosine"), cut, cut_value), preset),
    pair_part, set_part, drop);

  /** @type {{steps: string[], similarities: number[], similarity: number, words: string[], lost_at: string | null} | null} */
  let two = null;
  /** @type {Pair[]} */
  let rows = [];
  /** @type {{name: string, content: string, format: string} | null} */
  let file = null;
  let of = "", of_set = "";

  /** @param {"a" | "b"} key @param {string} label */
  function area(key, label) {
    return h("label", { class: "card side" }, h("span", { class: "label" }, label),
      h("textarea", { rows: 3, spellcheck: "false", "data-key": key, input: (/** @type {Event} */ e) => set({ [key]: /** @type {HTMLTextAreaElement} */ (e.target).value }, "typing") }));
  }

  /** @param {File} given */
  async function take(given) {
    const format = given.name.split(".").pop()?.toLowerCase() ?? "csv";
    file = { name: given.name, content: await given.text(), format: ["csv", "tsv", "jsonl", "txt"].includes(format) ? format : "csv" };
    of_set = "";
    picker.value = "";
    if (state().set === "file") element.dispatchEvent(new Event("again"));
    set({ set: "file", cls: "all" });
  }
  element.addEventListener("again", () => load_set());

  const compare = later(220, async () => {
    const { a: first, b: second, m: model } = state();
    try {
      const found = await ask("pairs", "pairs", { model, a: first, b: second }, { label: "Two texts" });
      two = Array.isArray(found) ? found[0] : found.rows ? found.rows[0] : found;
      show_two();
    } catch (error) {
      two = null;
      show_two();
      page.fail(error);
    }
  });

  function show_two() {
    const { a: first, b: second, cut: from, m: model } = state();
    quotes.replaceChildren(h("div", {}, marked(first, second)), h("div", {}, marked(second, first)));
    chart.redraw();
    if (!two) return void verdict.replaceChildren(first.trim() && second.trim() ? "Comparing …" : "Write two texts.");
    const merged = two.similarity >= from;
    verdict.replaceChildren("Their cosine is ", h("strong", {}, two.similarity.toFixed(3)), ". At a threshold of ", short(from), " the two are ",
      h("strong", { class: merged ? "bad" : "good" }, merged ? "taken for the same" : "kept apart"), ".",
      merged && two.lost_at ? ` From “${two.lost_at}” on they are never apart again.` : "",
      model === "builtin" ? " (The built-in encoder was trained to predict words of film reviews and not to compare texts: its vectors are all alike, and everything merges.)" : "");
  }

  async function load_set() {
    const { m: model, set: wanted } = state();
    const key = wanted + "\n" + model + "\n" + (wanted === "file" ? file?.name : "");
    if (key === of_set) return show_set();
    rows = [];
    show_set();
    of_set = key;
    const unit = { threshold: state().cut, unit: "cosine" };
    try {
      const found = await ask("pairs", "pairs", wanted === "file" && file ? { model, ...unit, content: file.content, format: file.format } : { model, ...unit, set: "builtin" },
        { label: wanted === "file" ? `Pairs of ${file?.name}` : "2,800 pairs of the built-in set" });
      rows = found.rows ?? (Array.isArray(found) ? found : [found]);
      show_set();
    } catch (error) {
      of_set = "";
      page.fail(error);
    }
  }

  const of_class = (name = state().cls) => rows.filter((row) => (name === "all" ? state().set === "file" || !kNotReversals.includes(row.class) : row.class === name));

  function summary() {
    const from = state().cut;
    return ["all", ...new Set(rows.map((row) => row.class))].map((name) => {
      const these = of_class(name), controlled = these.filter((row) => row.control_similarity !== null && row.control_similarity !== undefined);
      const part = (/** @type {number} */ count, /** @type {number} */ all) => (all ? count / all : null);
      return { name, pairs: these.length, merged: part(these.filter((row) => row.similarity >= from).length, these.length),
        kept: part(controlled.filter((row) => (row.control_similarity ?? 0) >= from).length, controlled.length),
        inverted: part(controlled.filter((row) => row.similarity > (row.control_similarity ?? 0)).length, controlled.length) };
    });
  }

  /** @param {number} width */
  function class_chart(width) {
    const found = summary(), left = 104, step = 34, room = width - left - 50;
    const [reversal, paraphrase] = [curve("orange"), curve("blue")];
    return s("svg", { viewBox: `0 0 ${width} ${found.length * step + 30}`, width, height: found.length * step + 30, role: "img", "aria-label": "Share of pairs that merge and of paraphrases that are kept, by class",
      "font-size": 12.5, "font-family": "system-ui, sans-serif" },
      s("text", { x: left, y: 14, fill: reversal, "font-weight": 600 }, "reversals that merge"),
      s("text", { x: left + 150, y: 14, fill: paraphrase, "font-weight": 600 }, "paraphrases kept"),
      ...found.map(({ name, merged, kept }, k) => {
        const y = 26 + k * step, bar = (/** @type {number | null} */ value, /** @type {number} */ at, /** @type {string} */ fill) => value === null ? null :
          s("g", {}, s("rect", { x: left, y: at, width: (room * value).toFixed(1), height: 9, rx: 2, fill }),
            s("text", { x: (left + room * value + 6).toFixed(1), y: at + 9, fill: "currentColor", "fill-opacity": 0.75, "font-size": 11.5 }, percent(value)));
        const chosen = name === state().cls;
        return s("g", { class: "pick", click: () => set({ cls: name }), tabindex: 0, role: "button", "aria-pressed": chosen, "aria-label": `${name}: ${merged === null ? "" : percent(merged) + " merge"}`,
          keydown: (/** @type {KeyboardEvent} */ e) => { if (e.key === "Enter" || e.key === " ") { e.preventDefault(); set({ cls: name }); } } },
          s("rect", { x: 0, y: y - 4, width, height: step - 3, rx: 5, fill: "currentColor", "fill-opacity": chosen ? 0.07 : 0 }),
          s("text", { x: left - 10, y: y + 14, fill: "currentColor", "text-anchor": "end", "font-weight": chosen ? 650 : 400 }, shorten(name, 14)),
          bar(merged, y, reversal), bar(kept, y + 12, paraphrase));
      }));
  }

  function show_set() {
    const all = summary()[0];
    classes.redraw();
    if (!rows.length || !all || all.merged === null) {
      said.replaceChildren(h("p", { class: "verdict" }, state().set === "file" && !file ? "Choose a file of pairs." : "Comparing …"));
      worst_list.replaceChildren();
      return;
    }
    said.replaceChildren(h("p", { class: "verdict" }, "At cosine ≥ ", short(state().cut), h("strong", { class: all.merged > 0.5 ? "bad" : "" }, ` ${percent(all.merged)} of the reversals merge`),
      all.kept === null ? "." : h("span", {}, " and ", h("strong", {}, `${percent(all.kept)} of the paraphrases`), " stay together."),
      all.inverted === null ? "" : ` In ${percent(all.inverted)} of the triplets the reversal is more similar than the paraphrase.`),
      h("p", { class: "note" }, `${counted(all.pairs, "pair")}. A reversal turns the meaning by a word; a paraphrase says the same in other words. Move the threshold: a good one has few reversals and many paraphrases.`));
    const these = of_class().sort((p, q) => q.similarity - p.similarity).slice(0, kMostWorst);
    worst.name(state().cls === "all" ? "The pairs that are most alike" : `The pairs of “${state().cls}” that are most alike`);
    worst_list.replaceChildren(...these.map((row) => h("li", {}, h("button", { type: "button", title: "Look at this pair", click: () => set({ set: "two", a: row.anchor, b: row.changed }) },
      h("span", { class: "number" }, row.similarity.toFixed(4)), h("span", {}, marked(row.anchor, row.changed), marked(row.changed, row.anchor))))));
  }

  return {
    element,
    /** @param {import("./state.js").State} next */
    update(next) {
      which.show(next.set);
      cut.value = String(next.cut);
      cut_value.textContent = next.cut.toFixed(3);
      fill_select(preset, [["", "as in …"], ...page.presets().map(({ preset: name, cosine }) => /** @type {[string, string]} */ ([String(cosine), `${name} (${short(cosine)})`]))], "");
      for (const field of /** @type {NodeListOf<HTMLTextAreaElement>} */ (pair_part.querySelectorAll("textarea"))) {
        const value = field.dataset["key"] === "a" ? next.a : next.b;
        if (field.value !== value) field.value = value;
      }
      pair_part.hidden = next.set !== "two";
      set_part.hidden = next.set === "two";
      if (next.set !== "two") return void load_set();
      const key = JSON.stringify([next.a, next.b, next.m]);
      if (key !== of) {
        of = key;
        two = null;
        stop("pairs");
        if (next.a.trim() && next.b.trim()) compare.soon();
      }
      show_two();
    },
    leave() {
      stop("pairs");
      compare.cancel();
      if (!two) of = "";
      if (!rows.length) of_set = "";
    },
    focus: () => pair_part.querySelector("textarea")?.focus(),
  };
}
