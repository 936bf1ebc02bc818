// Words: which word of the text matters, what could stand in its place, and what that would change.
import { button, choice, field, h, offer, picker, sentence, short, time } from "./dom.js";
import { ask, worker } from "./api.js";
import { bars, heat } from "./chart.js";
import { figure } from "./figure.js";
import { set, state } from "./state.js";
import { causal_note, is_chosen, marked, suggest, tokens_of, units_of, word_buttons } from "./text.js";

const kMostBars = 40;
/** @type {Record<string, {key: Measured, name: string, when: string}>} */
const kMeasures = {
  typical: { key: "typical", name: "typical", when: "when this word becomes another one of its kind (mean over words alike)." },
  worst: { key: "worst_change", name: "worst word", when: "when this word becomes the word alike that changes most." },
  turned: { key: "antonym_change", name: "opposite", when: "when this word becomes its opposite." },
  dropped: { key: "dropped", name: "left out", when: "when this word is left out." },
  move: { key: "sensitivity", name: "worst move", when: "when this word’s vector moves by √d in the worst direction: the paper’s measure, nearly the same everywhere." },
};

/** @type {MakeView} */
export const words_view = (page) => {
  const measure = choice("What colours the words", [["typical", "Typical"], ["worst", "Worst word"], ["turned", "Opposite"], ["dropped", "Left out"], ["move", "Worst move"]], (show) => set({ show }));
  const layer = picker("layer", "Which output counts"), explains = h("p.explains"), legend = h("div.legend"), about = h("p.note");
  const words = word_buttons(() => replacements.querySelector("button")?.focus());
  const title = h("h3"), facts = h("dl.facts"), replacements = h("ol.replacements", { "aria-label": "Replacements" });
  const which = choice("Which replacements", [["alike", "alike"], ["plausible", "that fit"], ["all", "any"]], (value) => { candidates = value; look(); });
  const own = h("input", { "aria-label": "A word of your own", placeholder: "your own word" });
  const inspector = h("aside.card.inspector", { "aria-label": "The chosen word" }, title, facts, h("div.head", h("h4", "Replace it by words"), which.element), replacements,
    h("form.own", { submit: (e) => { e.preventDefault(); if (own.value.trim()) replace(own.value.trim()); } }, own, h("button", "Try")));
  const verdict = h("p.verdict"), compared = h("div.compared");
  const changed = h("section.card.changed", { "aria-label": "The changed text" }, verdict, compared, h("div.row",
    button("Go on with the changed text", () => set({ t: state().to, to: "", token: -1 })),
    button("See the attention", () => set({ v: "attention", move: "word" }), "quiet"), button("Back to the original", () => set({ to: "" }), "quiet")));
  const chart = figure({
    title: "Every word", name: "words",
    draw: (width) => rows.length ? bars(width, `Change by word: ${now().name}`, top_rows().map((row) => ({ name: row.word, value: value(row), share: share(row) ?? 0,
      note: as_word(row), chosen: is_chosen(row), choose: () => set({ token: row.token, to: "" }) }))) : null,
    table: () => rows,
  });
  const element = h("div.view.words-view", h("div.controls", measure.element, field("output", layer)),
    h("div.split", h("div.stack", h("section.card.hero", explains, words.element, legend, about), changed, chart.element), inspector));

  /** @type {Row[]} */
  let rows = [];
  /** @type {Word[]} */
  let places = [];
  /** @type {string[]} */
  let remarks = [];
  let whole = false, low = 0, high = 0, soon = 0, of = "", candidates = "alike", looked = "", compared_of = "", units = units_of("");

  const now = () => kMeasures[state().show] ?? kMeasures.typical;
  /** @type {(row: Row) => number | null} */
  const value = (row) => row[now().key];
  const share = (/** @type {Row} */ row) => {
    const found = value(row);
    return found === null ? null : high > low ? Math.max(0, (found - low) / (high - low)) : 0;
  };
  const as_word = (/** @type {Row} */ row) => { const word = { worst: row.worst_word, turned: row.antonym }[state().show]; return word ? `as “${word}”` : ""; };
  const chosen_row = () => rows.find(is_chosen);
  const top_rows = () => {
    const known = rows.filter((row) => value(row) !== null);
    return known.length <= kMostBars ? known : known.sort((a, b) => (value(b) ?? 0) - (value(a) ?? 0)).slice(0, kMostBars);
  };

  const work = worker(["words", "substitute", "layers"], 200, async (live) => {
    const { t: text, m: model, layer: output, show } = state(), since = performance.now();
    tokens_of(model, text).then((tokens) => {
      if (!live()) return;
      if (!whole) places = tokens.words;
      page.count(tokens);
      paint();
    });
    const answer = await ask("words", { model, text, layer: output, ...(show !== "move" ? { ball: "none" } : model === "builtin" ? {} : { ball: "fast" }) }, "Words", {
      row: (row) => {  // comes again when more of it is known
        if (!live()) return;
        rows = [...rows.filter(({ begin }) => begin !== row.begin), row].sort((a, b) => a.begin - b.begin);
        cancelAnimationFrame(soon);
        soon = requestAnimationFrame(paint);
      },
      remark: ({ message }) => remarks.push(sentence(message)) });
    rows = answer.rows;
    whole = true;
    places = rows.map((row) => ({ ...row, begin: units(row.begin), end: units(row.end) }));
    suggest([...rows].sort((a, b) => (b.typical ?? 0) - (a.typical ?? 0))[0]?.token ?? 1);
    page.say(`Words in ${time((performance.now() - since) / 1000)}`);
    paint();
    look();
  });

  /** Shows what is known. */
  function paint() {
    const { t: text } = state(), values = /** @type {number[]} */ (rows.map(value).filter((one) => one !== null)), by_begin = new Map(rows.map((row) => [units(row.begin), row])), rest = text.slice(places[places.length - 1]?.end ?? 0).trim();
    const same = rows.map((row) => row.synonym_change ?? 0).filter((one) => one > 0);
    high = Math.max(...values);
    // A change that keeps the meaning is noise.
    low = now().key === "sensitivity" ? Math.min(...values) : Math.min(high, same.reduce((sum, one) => sum + one / same.length, 0));
    words.show(text, places, (word) => {
      const row = by_begin.get(word.begin), found = row && value(row);
      if (!row || (found === null && !whole)) return null;
      return { share: share(row), says: found === null ? "no word fits here" : `${now().name} ${short(found)} ${as_word(row)}` };
    });
    const scale = h("span.scale");
    scale.style.background = `linear-gradient(to right, ${[0, 0.2, 0.4, 0.6, 0.8].map(heat)})`;
    legend.replaceChildren(...(high >= low ? [short(low), scale, short(high), h("span.soft", "relative change of the model’s output")] : []));
    chart.name(rows.length > kMostBars ? `The ${kMostBars} words that matter most` : "Every word");
    chart.redraw();
    about.textContent = [...remarks, whole && rest && !remarks.length ? "The model reads no further; what comes after has no colour." : "", causal_note(page.decoder(state().m))].join(" ").trim();
  }

  /** The chosen word, and what could stand there. */
  async function look() {
    const { t: text, m: model, layer: output } = state(), row = chosen_row();
    which.show(candidates);
    inspector.classList.toggle("empty", !row);
    title.replaceChildren(...(row ? [h("span.soft", "The word "), h("q", row.word)] : [text.trim() ? "Choose a word" : "Write a text"]));
    if (!row) return;
    facts.replaceChildren(...Object.values(kMeasures).filter(({ key }) => key !== "sensitivity" || row[key] !== null)
      .map(({ key, name }) => h("div", h("dt", name), h("dd", short(row[key])))));
    const key = JSON.stringify([text, model, output, row.token, candidates]);
    if (key === looked || !whole) return;
    looked = key;
    replacements.replaceChildren(h("li.soft", "Looking for words …"));
    const found = await ask("substitute", { model, text, token: row.token, layer: output, top: 8, candidates, ...(candidates === "all" ? { evaluations: 256 } : {}) }, `Words in the place of “${row.word}”`,
      { failed: () => { looked = ""; replacements.replaceChildren(); } });
    const most = Math.max(...found.map((/** @type {any} */ one) => one.change));
    replacements.replaceChildren(...found.map((/** @type {{replacement: string, change: number}} */ { replacement, change }) => {
      const bar = h("i");
      bar.style.width = `${(100 * change) / most}%`;
      bar.style.background = heat(0.25 + (0.55 * change) / most);
      return h("li", h("button", { value: replacement, click: () => replace(replacement), "aria-label": `${replacement}, change ${short(change)}` },
        h("span", replacement), h("span.track", bar), h("span.number.soft", short(change))));
    }), ...(found.length ? [] : [h("li.soft", "There is none.")]));
    compare();
  }

  /** @param {string} by */
  function replace(by) {
    const row = chosen_row(), { t: text } = state();
    if (row) set({ token: row.token, to: text.slice(0, units(row.begin)) + by + text.slice(units(row.end)) });
  }

  /** The changed text beside the original, and how far it is from it. */
  async function compare() {
    const { t: text, to, m: model } = state(), row = chosen_row(), key = JSON.stringify([text, to, model]);
    changed.hidden = !to;
    const by = row && to ? to.slice(units(row.begin), to.length - (text.length - units(row.end))) : "";
    for (const one of replacements.querySelectorAll("button")) one.setAttribute("aria-pressed", String(one.value === by));
    if (!to || key === compared_of) return;
    compared_of = key;
    compared.replaceChildren(h("div", h("h4", "Original"), marked(text, to)), h("div", h("h4", "Changed"), marked(to, text)));
    verdict.textContent = "Comparing …";
    const steps = await ask("layers", { model, text, changed: to }, "The changed text", { failed: () => { compared_of = verdict.textContent = ""; } });
    verdict.replaceChildren("The changed text moves the model’s last layer by ", h("strong", short(steps[steps.length - 1].change)), " of its length.");
  }

  return {
    element, focus: words.focus, leave: work.leave,
    update(next) {
      measure.show(next.show);
      offer(layer, page.outputs(next.m), next.layer);
      explains.replaceChildren(h("strong", "The stronger the colour, the more the model’s output changes"), " " + now().when);
      if (work.want(next.t.trim() ? [next.t, next.m, next.layer, next.show === "move"] : [])) {
        if (of !== next.t + next.m) places = [];
        of = next.t + next.m;
        [rows, remarks, whole, looked, compared_of, units] = [[], [], false, "", "", units_of(next.t)];
        if (!next.t.trim()) page.count({ count: 0, words: [], pieces: [] });
      }
      paint();
      look();
      compare();
    },
  };
};
