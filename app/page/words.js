// Words: which word of the text matters, what could stand in its place, and what that would change.
import { choice, fill_select, h, later, short, time } from "./dom.js";
import { ask, stop } from "./api.js";
import { bars, heat } from "./chart.js";
import { figure } from "./figure.js";
import { set, state } from "./state.js";
import { causal_note, chosen_token, fact, is_chosen, marked, share_of, suggest, tokens_of, units_of, word_buttons } from "./text.js";

/** @typedef {{word: string, token: number, tokens: number, begin: number, end: number, typical: number | null, worst_word: string | null, worst_change: number | null, dropped: number | null, sensitivity: number | null}} Row */

const kMostBars = 40;

/** @type {Record<string, {key: "typical" | "worst_change" | "dropped" | "sensitivity", name: string, when: string}>} */
const kMeasures = {
  typical: { key: "typical", name: "typical", when: "when this word becomes another one that fits its place (the mean over 64 words)." },
  worst: { key: "worst_change", name: "worst word", when: "when this word becomes the real word that changes most, as far as a short search finds it." },
  dropped: { key: "dropped", name: "left out", when: "when this word is left out." },
  move: { key: "sensitivity", name: "worst move", when: "when the vector of this word moves by √d in the worst direction. That is the paper’s measure: a vector and no word, and nearly the same for every word of a sentence." },
};

/** @param {import("./main.js").Page} page */
export function words_view(page) {
  const measure = choice("What colours the words", [
    ["typical", "Typical", "It becomes a word that fits"], ["worst", "Worst word", "It becomes the word that changes most"],
    ["dropped", "Left out", "It is left out"], ["move", "Worst move", "Its vector moves: the paper’s measure"]], (show) => set({ show }));
  const layer = h("select", { "aria-label": "Which output counts", change: () => set({ layer: layer.value }) });
  const explains = h("p", { class: "explains" });
  const legend = h("div", { class: "legend", "aria-hidden": "true" });
  const buttons = word_buttons({ label: "The words of the text", open: () => replacements.querySelector("button")?.focus() });
  const about = h("p", { class: "note" });

  const chosen_title = h("h3"), facts = h("dl", { class: "facts" });
  const which = choice("Which replacements", [["plausible", "that fit here"], ["all", "any word"]], (value) => { candidates = value; look(); });
  const replacements = h("ol", { class: "replacements", "aria-label": "Replacements" });
  const own = h("input", { "aria-label": "A word of your own", placeholder: "your own word", autocomplete: "off", spellcheck: "false" });
  const inspector = h("aside", { class: "card inspector", "aria-label": "The chosen word" }, chosen_title, facts,
    h("div", { class: "head small" }, h("h4", {}, "Replace it by a word"), which.element), replacements,
    h("form", { class: "own", submit: (/** @type {Event} */ e) => { e.preventDefault(); if (own.value.trim()) replace(own.value.trim()); } }, own,
      h("button", { type: "submit" }, "Try")));

  const compared = h("div", { class: "compared" }), verdict = h("p", { class: "verdict" });
  const changed = h("section", { class: "card changed", "aria-label": "The changed text", hidden: true }, verdict, compared,
    h("div", { class: "row" }, h("button", { type: "button", click: () => set({ t: state().to, to: "", token: -1 }) }, "Go on with the changed text"),
      h("button", { type: "button", class: "quiet", click: () => set({ v: "layers" }) }, "See every layer"),
      h("button", { type: "button", class: "quiet", click: () => set({ v: "attention", move: "word" }) }, "See the attention"),
      h("button", { type: "button", class: "quiet", click: () => set({ to: "" }) }, "Back to the original")));

  const chart = figure({
    title: "Every word", name: "words", draw: (width) => {
      const known = best_rows();
      return known.length ? bars({ label: `Change by word, ${now().name}`, width, rows: known.map((row) => ({
        name: row.word, value: row[now().key], share: share(row) ?? 0, note: state().show === "worst" ? `as “${row.worst_word}”` : "",
        chosen: is_chosen(placed(row)), choose: () => set({ token: row.token, to: "" }) })) }) : null;
    },
    table: () => ({ columns: ["word", "token", "typical", "worst_word", "worst_change", "dropped", "sensitivity"],
      rows: rows.map((row) => [row.word, row.token, row.typical, row.worst_word, row.worst_change, row.dropped, row.sensitivity]) }),
  });

  const element = h("div", { class: "view words-view" },
    h("div", { class: "controls" }, measure.element, h("label", { class: "field" }, h("span", {}, "output"), layer)),
    h("div", { class: "split" },
      h("div", { class: "stack" }, h("section", { class: "card hero" }, explains, buttons.element, legend, about), changed, chart.element),
      inspector));

  /** @type {Row[]} */
  let rows = [];
  /** @type {import("./text.js").Word[]} */
  let words = [];
  /** @type {string[]} */
  let remarked = [];
  let of = "", whole = false, candidates = "plausible", units = (/** @type {number} */ k) => k, looked = "", compared_of = "";

  const now = () => kMeasures[state().show] ?? /** @type {typeof kMeasures[string]} */ (kMeasures["typical"]);
  const placed = (/** @type {Row} */ row) => ({ token: row.token, tokens: row.tokens, begin: units(row.begin), end: units(row.end) });
  const ends = () => {
    const values = rows.map((row) => row[now().key]).filter((value) => value !== null);
    return { low: Math.min(.../** @type {number[]} */ (values)), high: Math.max(.../** @type {number[]} */ (values)) };
  };
  const share = (/** @type {Row} */ row) => {
    const value = row[now().key], { low, high } = ends();
    return value === null ? null : share_of(value, low, high);
  };
  const best_rows = () => {
    const known = rows.filter((row) => row[now().key] !== null);
    if (known.length <= kMostBars) return known;
    return [...known].sort((a, b) => (b[now().key] ?? 0) - (a[now().key] ?? 0)).slice(0, kMostBars);
  };

  const start = later(200, () => compute());

  async function compute() {
    const { t: text, m: model, layer: output, show } = state();
    const ball = show === "move" ? page.ball(model) : { ball: "none" };
    /** @type {Row[]} */
    const found = [];
    /** @type {string[]} */
    const remarks = [];
    const since = performance.now();
    tokens_of(model, text).then((tokens) => {
      if (state().t !== text || state().m !== model || found.length) return;
      words = tokens.words;
      page.count(tokens);
      paint();
    }, page.fail);
    try {
      const result = await ask("words", "words", { model, text, layer: output, ...ball }, { label: "Words", row: (row) => {
        if (state().t !== text) return;
        const at = found.findIndex((one) => one.token === row.token);  // a row comes again when more of it is known
        if (at < 0) found.push(row);
        else found[at] = row;
        rows = found;
        paint();
      }, remark: (sentence) => { remarks.push(sentence); } });
      rows = Array.isArray(result) ? result : result.rows;
      whole = true;
      remarked = remarks.length ? remarks : remarked;
      words = rows.length ? rows.map(placed) : words;
      page.done(`Words in ${time((performance.now() - since) / 1000)}`);
      const top = [...rows].sort((a, b) => (b.typical ?? b.dropped ?? 0) - (a.typical ?? a.dropped ?? 0))[0];
      if (top) suggest(top.token);
      paint();
      look();
    } catch (error) {
      page.fail(error);
    }
  }

  /** What is known of the rows is shown. */
  function paint() {
    const { t: text, show } = state(), { low, high } = ends();
    const by_token = new Map(rows.map((row) => [row.token, row]));
    const shown = whole ? words : words.map((word) => {
      const row = rows.find((one) => units(one.begin) <= word.begin && word.begin < units(one.end));
      return row ? { ...word, token: row.token } : word;
    });
    buttons.show(text, shown, (word) => {
      const row = by_token.get(word.token);
      if (!row) return null;
      const value = row[now().key];
      return { share: share(row), says: value === null ? "no word could be put here" : `${now().name} ${short(value)}${show === "worst" ? `, as “${row.worst_word}”` : ""}` };
    });
    legend.replaceChildren(...(rows.length && high >= low ? [h("span", {}, short(low)), scale(), h("span", {}, short(high)),
      h("span", { class: "soft" }, "relative change of the model’s output")] : []));
    chart.name(rows.length > kMostBars ? `The ${kMostBars} words that matter most` : "Every word");
    chart.redraw();
    const read = words[words.length - 1]?.end ?? text.length;
    about.textContent = [...remarked.map((sentence) => sentence[0]?.toUpperCase() + sentence.slice(1) + "."), !remarked.length && whole && text.slice(read).trim() ? "The model reads no further than its longest input; what comes after has no colour." : "",
      causal_note(page.decoder(state().m))].filter(Boolean).join(" ");
    about.hidden = !about.textContent;
  }

  function scale() {
    const element = h("span", { class: "scale" });
    element.style.background = `linear-gradient(to right, ${[0, 0.2, 0.4, 0.6, 0.8].map(heat).join(",")})`;
    return element;
  }

  /** The chosen word, and what could stand there. */
  async function look() {
    const { t: text, m: model, layer: output } = state();
    which.show(candidates);
    const row = rows.find((one) => one.token <= chosen_token() && chosen_token() < one.token + one.tokens);
    inspector.classList.toggle("empty", !row);
    if (!row) {
      chosen_title.replaceChildren("Choose a word");
      return;
    }
    chosen_title.replaceChildren(h("span", { class: "soft" }, "The word "), h("q", {}, row.word));
    facts.replaceChildren(fact("typical", row.typical), fact("worst word", row.worst_change), fact("left out", row.dropped),
      ...(row.sensitivity === null ? [] : [fact("worst move", row.sensitivity)]));
    const key = JSON.stringify([text, model, output, row.token, candidates]);
    if (key === looked || !whole) return;
    replacements.replaceChildren(h("li", { class: "soft" }, "Looking for words …"));
    looked = key;
    try {
      const result = await ask("substitute", "substitute", { model, text, token: row.token, layer: output, top: 8, candidates,
        ...(candidates === "all" ? { evaluations: 256 } : {}) }, { label: `Replacements of “${row.word}”` });
      show_replacements(Array.isArray(result) ? result : result.rows, row);
    } catch (error) {
      looked = "";
      replacements.replaceChildren(h("li", { class: "soft" }, error instanceof Error ? error.message : ""));
      page.fail(error, true);
    }
  }

  /** @param {{replacement: string, change: number}[]} found @param {Row} row */
  function show_replacements(found, row) {
    const most = Math.max(...found.map(({ change }) => change), 1e-9);
    replacements.replaceChildren(...found.map(({ replacement, change }) => {
      const bar = h("span", { class: "bar" });
      bar.style.width = `${(100 * change) / most}%`;
      bar.style.background = heat(0.25 + (0.55 * change) / most);
      return h("li", {}, h("button", { type: "button", "data-word": replacement, click: () => replace(replacement), "aria-label": `${replacement}, change ${short(change)}` },
        h("span", { class: "to" }, replacement), h("span", { class: "track" }, bar), h("span", { class: "number" }, short(change))));
    }), ...(found.length ? [] : [h("li", { class: "soft" }, `No word can be put in the place of “${row.word}”.`)]));
    mark_replacement();
  }

  /** @param {string} by */
  function replace(by) {
    const row = rows.find((one) => one.token <= chosen_token() && chosen_token() < one.token + one.tokens), text = state().t;
    if (row) set({ token: row.token, to: text.slice(0, units(row.begin)) + by + text.slice(units(row.end)) });
  }

  function mark_replacement() {
    const row = rows.find((one) => one.token === state().token), { t: text, to } = state();
    const by = row && to ? to.slice(units(row.begin), to.length - (text.length - units(row.end))) : "";
    for (const button of replacements.querySelectorAll("button")) button.setAttribute("aria-pressed", String(button.dataset["word"] === by));
  }

  /** The changed text beside the original, and how far it is from it. */
  async function compare() {
    const { t: text, to, m: model } = state();
    changed.hidden = !to;
    mark_replacement();
    if (!to) return void (compared_of = "");
    compared.replaceChildren(h("div", {}, h("h4", {}, "Original"), marked(text, to)), h("div", {}, h("h4", {}, "Changed"), marked(to, text)));
    const key = JSON.stringify([text, to, model]);
    if (key === compared_of) return;
    verdict.textContent = "Comparing …";
    try {
      const result = await ask("layers", "layers", { model, text, changed: to }, { label: "The changed text" });
      compared_of = key;
      const steps = Array.isArray(result) ? result : result.rows, last = steps[steps.length - 1];
      verdict.replaceChildren("The changed text moves the model’s last output by ", h("strong", {}, short(last.change)), " of its length.");
    } catch (error) {
      verdict.textContent = "";
      page.fail(error);
    }
  }

  return {
    element,
    /** @param {import("./state.js").State} next */
    update(next) {
      measure.show(next.show);
      fill_select(layer, page.outputs(next.m), next.layer);
      explains.replaceChildren(h("strong", {}, "The stronger the colour, the more the model’s output changes"), " " + now().when);
      const key = JSON.stringify([next.t, next.m, next.layer, next.show === "move"]);
      if (key !== of) {
        const [text, model, output] = JSON.parse(of || "[]");
        stop("substitute");
        if (text !== next.t || model !== next.m || output !== next.layer) {
          rows = [];
          whole = false;
          looked = "";
          remarked = [];
          if (text !== next.t || model !== next.m) words = [];
        }
        const typing = text !== undefined && text !== next.t;
        of = key;
        units = units_of(next.t);
        stop("words");
        if (!next.t.trim()) start.cancel();
        else if (typing) start.soon();
        else compute();
      }
      paint();
      if (whole) look();
      compare();
    },
    leave() {
      for (const slot of ["words", "substitute", "layers"]) stop(slot);
      start.cancel();
      if (!whole) of = "";
    },
    focus: () => buttons.focus(),
  };
}
