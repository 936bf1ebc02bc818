// Answers: what a decoder writes after two prompts that differ in a word.
import { button, field, h, offer, picker, short, shorten, slider } from "./dom.js";
import { ask, worker } from "./api.js";
import { curve, lines } from "./chart.js";
import { figure } from "./figure.js";
import { set, state } from "./state.js";
import { difference } from "./text.js";

const kTemperatures = Array.from({ length: 31 }, (_, k) => k / 20);

/** @type {MakeView} */
export const answers_view = (page) => {
  const model = picker("m", "The decoder"), template = picker("chat", "Chat template"), heat = slider("heat", "temperature", "Temperature", kTemperatures), verdict = h("p.verdict");
  const sides = { a: side("qa", "First prompt"), b: side("qb", "Second prompt") };
  const chart = figure({
    title: "How far apart the next words are", name: "answers",
    draw: (width) => found?.divergence.length ? lines({ says: "Divergence at every token", x: "token of the first answer", y: "divergence (bits)", width, height: 280, low: 0, high: 1.05,
      ticks: found.divergence.map((_, k) => [k, shorten((found?.tokens_a[k] ?? "").trim() || "⏎", 9)]), series: [{ name: "", colour: curve("orange"), points: found.divergence.map((y, x) => ({ x, y })) }] }) : null,
    table: () => (found?.divergence ?? []).map((divergence, step) => ({ step, token: found?.tokens_a[step], divergence })),
    note: "The Jensen–Shannon divergence of the next token after the two prompts, when the tokens before it follow both: 0 for the same, 1 for nothing in common.",
  });
  const element = h("div.view.answers-view",
    h("p.explains", h("strong", "Two prompts that differ in a word."), " What does the model answer to each, and where do the answers part?"),
    h("div.controls", field("decoder", model), field("template", template), heat.element, button("Ask both", () => compute(true), "main")),
    h("div.two", sides.a.element, sides.b.element), h("section.card", verdict), chart.element);

  /** @type {{a: {text: string}, b: {text: string}, first_difference: number | null, divergence: number[], tokens_a: string[]} | null} */
  let found = null;
  const work = worker(["answers"], 600, () => compute(false));

  /** @param {"qa" | "qb"} key @param {string} name */
  function side(key, name) {
    const prompt = h("textarea", { rows: 5, spellcheck: "false", "aria-label": name, input: (e) => set({ [key]: e.target.value }, "typing"), keydown: (e) => { if (e.key === "Enter" && e.ctrlKey) compute(true); } });
    const answer = h("p.answer", { "aria-live": "polite" });
    return { prompt, answer, element: h("div.card.side", h("span.label", name), prompt, h("span.label", "Answer"), answer) };
  }

  /** @param {boolean} fresh */
  async function compute(fresh) {
    const { qa: a, qb: b, heat: temperature, chat, m } = state();
    /** @type {Record<string, string[]>} */
    const written = { a: [], b: [] };
    const write = (/** @type {"a" | "b"} */ which) => sides[which].answer.replaceChildren(written[which].join(""), h("span.caret"));
    found = null;
    write("a");
    write("b");
    verdict.textContent = "The model is writing …";
    const result = await ask("answers", { model: m, a, b, temperature, template: chat }, "Two answers", { fresh, failed: () => { for (const one of [verdict, sides.a.answer, sides.b.answer]) one.replaceChildren(); }, token: (token) => { written[token.side].push(token.text); write(token.side); } });
    found = result;
    const [first, second] = [result.a.text.trim(), result.b.text.trim()], { begin } = difference(first, second), most = short(Math.max(0, ...result.divergence));
    for (const [{ answer }, text] of /** @type {const} */ ([[sides.a, first], [sides.b, second]])) answer.replaceChildren(text.slice(0, begin), h("mark", text.slice(begin)));
    verdict.replaceChildren(...(result.words?.length === 2 ? ["The prompts differ in ", h("q", result.words[0]), " and ", h("q", result.words[1]), ". "] : []), ...(result.first_difference === null ? ["The two answers are ", h("strong", "the same"), `. The largest divergence on the way is ${most} bits.`]
      : ["The answers part at ", h("strong", `token ${result.first_difference}`), `, counted from 0. The largest divergence is ${most} bits of at most 1.`]));
    chart.redraw();
  }

  return {
    element, focus: () => sides.a.prompt.focus(), leave: work.leave,
    update(next) {
      const decoders = page.decoders(), examples = page.facts().examples.prompts;
      if (!decoders.includes(next.m)) return set({ m: decoders[0] }, "quiet");
      if (!next.qa && !next.qb) return set({ qa: examples[0], qb: examples[1] }, "quiet");
      offer(model, decoders.map((name) => [name, name]), next.m);
      offer(template, ["none", "chatml", "llama2", "llama3", "mistral"].map((name) => [name, name]), next.chat);
      heat.show(next.heat, next.heat ? next.heat.toFixed(2) : "0, the likeliest");
      for (const [{ prompt }, value] of /** @type {const} */ ([[sides.a, next.qa], [sides.b, next.qb]])) if (prompt.value !== value) prompt.value = value;
      chart.redraw();
      work.want(next.qa.trim() && next.qb.trim() ? [next.qa, next.qb, next.heat, next.chat, next.m] : []);
    },
  };
};
