// Answers: two prompts that differ in a word, what a decoder writes after each, and how far apart it is at every token.
import { fill_select, h, later, short, shorten } from "./dom.js";
import { ask, stop } from "./api.js";
import { curve, lines } from "./chart.js";
import { figure } from "./figure.js";
import { set, state } from "./state.js";
import { difference, marked } from "./text.js";

/** @typedef {{a: {text: string, finished: boolean}, b: {text: string, finished: boolean}, first_difference: number | null, divergence: number[], pieces?: string[]}} Found */

/** @param {import("./main.js").Page} page */
export function answers_view(page) {
  const model = h("select", { "aria-label": "The decoder", change: () => set({ m: model.value }) });
  const template = h("select", { "aria-label": "Chat template", change: () => set({ chat: template.value }) });
  const warmth = h("input", { type: "range", min: 0, max: 1.5, step: 0.05, "aria-label": "Temperature", input: () => set({ heat: Number(warmth.value) }, "typing") });
  const warmth_value = h("output", { class: "number" });
  const sides = { a: side("qa", "First prompt"), b: side("qb", "Second prompt") };
  const verdict = h("p", { class: "verdict" });
  const chart = figure({
    title: "How far apart the next words are", name: "answers",
    draw: (width) => found?.divergence.length ? lines({
      label: "Divergence at every token of the first answer", x: "token of the first answer", y: "divergence (bits)", width, height: 280, low: 0, high: 1.05,
      ticks: found.divergence.map((_, k) => [k, shorten((found?.pieces?.[k] ?? String(k)).trim() || "⏎", 9)]),
      series: [{ name: "", colour: curve("orange"), points: found.divergence.map((y, x) => ({ x, y })) }] }) : null,
    table: () => found && ({ columns: ["step", "token", "divergence"], rows: found.divergence.map((value, k) => [k, found?.pieces?.[k] ?? "", value]) }),
    note: "The Jensen–Shannon divergence between the distributions of the next token after the two prompts, when the tokens before it follow both: 0 for the same, 1 for nothing in common.",
  });
  const element = h("div", { class: "view answers-view" },
    h("p", { class: "explains lead" }, h("strong", {}, "Two prompts that differ in a word."), " What does the model answer to each, and where do the answers part?"),
    h("div", { class: "controls" }, h("label", { class: "field" }, h("span", {}, "decoder"), model), h("label", { class: "field" }, h("span", {}, "template"), template),
      h("label", { class: "field grow" }, h("span", {}, "temperature"), warmth, warmth_value),
      h("button", { type: "button", class: "main", click: () => compute(true) }, "Ask both")),
    h("div", { class: "two" }, sides.a.element, sides.b.element),
    h("section", { class: "card" }, verdict), chart.element);

  /** @type {Found | null} */
  let found = null;
  let of = "";
  const start = later(600, () => compute(false));

  /** @param {"qa" | "qb"} key @param {string} label */
  function side(key, label) {
    const prompt = h("textarea", { rows: 5, spellcheck: "false", "aria-label": label,
      input: () => set({ [key]: prompt.value }, "typing"),
      keydown: (/** @type {KeyboardEvent} */ e) => { if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) compute(true); } });
    const diff = h("div", { class: "prompt" }), answer = h("p", { class: "answer", "aria-live": "polite" });
    return { prompt, diff, answer, element: h("div", { class: "card side" }, h("span", { class: "label" }, label), prompt, diff, h("span", { class: "label" }, "Answer"), answer) };
  }

  /** @param {boolean} fresh */
  async function compute(fresh) {
    const { qa: a, qb: b, heat, chat, m } = state();
    start.cancel();
    if (!a.trim() || !b.trim()) return void verdict.replaceChildren("Write two prompts.");
    /** @type {{a: string[], b: string[]}} */
    const written = { a: [], b: [] };
    found = null;
    for (const one of [sides.a, sides.b]) one.answer.replaceChildren(h("span", { class: "caret" }));
    verdict.textContent = "The model is writing …";
    chart.redraw();
    try {
      /** @type {Found} */
      const result = await ask("answers", "answers", { model: m, a, b, max_new_tokens: 64, temperature: heat, template: chat },
        { label: "Two answers", fresh, token: ({ side: which, text }) => {
          written[/** @type {"a" | "b"} */ (which)].push(text);
          sides[/** @type {"a" | "b"} */ (which)].answer.replaceChildren(written[/** @type {"a" | "b"} */ (which)].join(""), h("span", { class: "caret" }));
        } });
      if (written.a.length) result.pieces = written.a;
      found = result;
      show_answers(result);
    } catch (error) {
      for (const one of [sides.a, sides.b]) one.answer.replaceChildren();
      verdict.textContent = "";
      of = "";
      page.fail(error);
    }
  }

  /** @param {Found} result */
  function show_answers(result) {
    const { begin } = difference(result.a.text, result.b.text);
    for (const [one, text] of /** @type {const} */ ([[sides.a, result.a.text], [sides.b, result.b.text]]))
      one.answer.replaceChildren(text.slice(0, begin), h("mark", {}, text.slice(begin)));
    const most = Math.max(...result.divergence, 0);
    verdict.replaceChildren(...(result.first_difference === null || result.first_difference === undefined
      ? ["The two answers are ", h("strong", {}, "the same"), `. The largest divergence on the way is ${short(most)} bits.`]
      : ["The answers part at ", h("strong", {}, `token ${result.first_difference}`), `, counted from 0. The largest divergence is ${short(most)} bits of at most 1.`]));
    chart.redraw();
  }

  return {
    element,
    /** @param {import("./state.js").State} next */
    update(next) {
      const decoders = page.decoders();
      if (!decoders.length) return;
      if (!decoders.includes(next.m)) return set({ m: page.first_decoder() }, "quiet");
      if (!next.qa && !next.qb && page.prompts()) return set({ qa: page.prompts()?.[0] ?? "", qb: page.prompts()?.[1] ?? "" }, "quiet");
      fill_select(model, decoders.map((name) => [name, name]), next.m);
      fill_select(template, page.templates().map((name) => [name, name]), next.chat);
      warmth.value = String(next.heat);
      warmth_value.textContent = next.heat ? next.heat.toFixed(2) : "0, the likeliest";
      for (const [one, value, other] of /** @type {const} */ ([[sides.a, next.qa, next.qb], [sides.b, next.qb, next.qa]])) {
        if (one.prompt.value !== value) one.prompt.value = value;
        one.diff.replaceChildren(marked(value, other));
      }
      const key = JSON.stringify([next.qa, next.qb, next.heat, next.chat, next.m]);
      if (key === of) return chart.redraw();
      const first = of === "";
      of = key;
      stop("answers");
      if (first) compute(false);
      else start.soon();
    },
    leave() {
      stop("answers");
      start.cancel();
      if (!found) of = "";
    },
    focus: () => sides.a.prompt.focus(),
  };
}
