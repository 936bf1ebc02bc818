// The text that Words, Attention and Layers look at: its tokens, its words, and the one that is chosen.
import { button, h } from "./dom.js";
import { ask } from "./api.js";
import { heat, ink } from "./chart.js";
import { set, state } from "./state.js";


/** @type {Texts["units_of"]} */
export const units_of = (text) => {
  const starts = [0];
  for (const letter of text) starts.push(starts[starts.length - 1] + letter.length);
  return (character) => starts[character] ?? text.length;
};

/** @type {Texts["tokens_of"]} */
export const tokens_of = async (model, text) => {
  const found = await ask("tokenize", { model, text }, "Tokens"), units = units_of(text);
  /** @type {Word[]} */
  const words = [];
  found.words.forEach((/** @type {number | null} */ id, k = 0) => {
    if (id === null) return;
    const [begin, end] = found.offsets[k].map(units), last = words[words.length - 1];
    if (k > 0 && id === found.words[k - 1]) Object.assign(last, { tokens: k - last.token + 1, end: Math.max(last.end, end) });
    else words.push({ token: k, tokens: 1, begin, end });
  });
  for (const word of words) {  // tokens of bytes begin with the space before a word
    const inside = text.slice(word.begin, word.end);
    if (inside.trim()) word.begin += inside.length - inside.trimStart().length;
  }
  return { pieces: found.pieces, words: words.slice(0, 2048), count: words.length };  // no more are ever measured
};

let guess = { of: "", token: 1 };

/** @type {Texts["suggest"]} */
export const suggest = (token) => { guess = { of: state().t, token }; };

/** The chosen token: that of the state, else the suggested one, else the first that is a word. */
export const chosen_token = () => (state().token >= 0 ? state().token : guess.of === state().t ? guess.token : 1);

/** @type {Texts["is_chosen"]} */
export const is_chosen = ({ token, tokens }) => token <= chosen_token() && chosen_token() < token + tokens;

/** @type {Texts["readable"]} */
export const readable = (piece) => piece.replace(/^[Ġ▁]/, "").replace(/^Ċ+$/, "⏎") || "␣";

/** @type {Texts["word_buttons"]} */
export const word_buttons = (open = () => {}) => {
  const element = h("div.words", { role: "group", "aria-label": "The words of the text" });
  /** @type {HTMLElement[]} */
  let spans = [];
  /** @type {Word[]} */
  let words = [];
  let written = "";
  const choose = (k = 0) => {
    const word = words[k];
    if (word) set({ token: word.token, ...(is_chosen(word) ? {} : { to: "" }) });
  };
  element.addEventListener("click", (e) => choose(spans.indexOf(/** @type {any} */ (e.target))));
  element.addEventListener("keydown", (e) => {
    const at = spans.indexOf(/** @type {any} */ (e.target)), last = spans.length - 1;
    /** @type {Record<string, number>} */
    const places = { ArrowRight: Math.min(at + 1, last), ArrowDown: Math.min(at + 1, last), ArrowLeft: Math.max(at - 1, 0), ArrowUp: Math.max(at - 1, 0), Home: 0, End: last, Enter: at, " ": at };
    const to = places[e.key];
    if (to === undefined) return;
    e.preventDefault();
    choose(to);
    spans[to]?.focus();
    if (to === at) open();
  });
  return {
    element, focus: () => (spans.find((span) => span.tabIndex === 0) ?? spans[0])?.focus(),
    show(text, next, value) {
      const key = text + next.map(({ begin, end }) => `\n${begin} ${end}`);
      words = next;
      if (key !== written) {
        const focus = spans.indexOf(/** @type {any} */ (document.activeElement));
        written = key;
        spans = next.map(({ begin, end }) => h("span", { role: "button" }, text.slice(begin, end)));
        element.replaceChildren(...next.flatMap(({ begin }, k) => [text.slice(next[k - 1]?.end ?? 0, begin), spans[k]]), text.slice(next[next.length - 1]?.end ?? 0));
        if (focus >= 0) spans[Math.min(focus, spans.length - 1)]?.focus();
      }
      const first = Math.max(0, next.findIndex(is_chosen));
      next.forEach((word, k) => {
        const span = spans[k], found = value(word), share = found?.share ?? null, says = found?.says ?? "", chosen = is_chosen(word);
        span.style.background = share === null ? "" : heat(0.8 * share);
        span.style.color = share === null ? "" : ink(0.8 * share);
        span.className = (found ? "" : "waits ") + (chosen ? "chosen" : "");
        span.tabIndex = k === first ? 0 : -1;
        span.title = says;
        span.setAttribute("aria-pressed", String(chosen));
        span.setAttribute("aria-label", `${text.slice(word.begin, word.end)}${says && ": "}${says}`);
      });
    },
  };
};

/** @type {Texts["difference"]} */
export const difference = (a, b) => {
  const inside = /[\p{L}\p{N}_'’\ud800-\udfff-]/u, short = Math.min(a.length, b.length);
  let begin = 0, end = 0;
  while (begin < short && a[begin] === b[begin]) ++begin;
  while (begin > 0 && inside.test(a[begin - 1])) --begin;
  while (end < short - begin && a[a.length - 1 - end] === b[b.length - 1 - end]) ++end;
  while (end > 0 && inside.test(a[a.length - end])) --end;
  return { begin, end: a.length - end };
};

/** @type {Texts["marked"]} */
export const marked = (text, other) => {
  const { begin, end } = difference(text, other);
  return h("p.quote", text.slice(0, begin), begin < end && h("mark", text.slice(begin, end)), text.slice(Math.max(begin, end)));
};

/** @type {Texts["causal_note"]} */
export const causal_note = (decoder) => (decoder ? "A causal decoder: a token sees itself and what comes before it, never what comes after. So nothing before a changed word moves." : "");

/** @type {Texts["text_card"]} */
export const text_card = (page, lead, rest) => {
  const words = word_buttons(), against = h("div.against"), about = h("p.note");
  return {
    focus: words.focus, element: h("section.card.hero", h("p.explains", h("strong", lead), rest), words.element, against, about),
    async show(next, changed) {
      about.textContent = causal_note(page.decoder(next.m));
      against.replaceChildren(...(changed ? [h("span.soft", "compared with"), marked(next.to, next.t), button("Leave it out", () => set({ to: "" }), "quiet")] : []));
      if (!next.t.trim()) words.show("", [], () => null);
      const tokens = next.t.trim() ? await tokens_of(next.m, next.t) : null;
      if (!tokens || state() !== next) return null;
      page.count(tokens);
      words.show(next.t, tokens.words, () => ({ share: null, says: "" }));
      return tokens;
    },
  };
};
