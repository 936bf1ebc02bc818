// The text that Words, Attention and Layers look at: its tokens, its words, and the one that is chosen.
import { h, short } from "./dom.js";
import { ask } from "./api.js";
import { heat, ink } from "./chart.js";
import { set, state } from "./state.js";

/** @typedef {{token: number, tokens: number, begin: number, end: number}} Word begin and end in UTF-16 units of the text */
/** @typedef {{pieces: string[], special: boolean[], words: Word[]}} Tokens */

/**
 * The server counts characters, JavaScript UTF-16 units.
 * @param {string} text @returns {(character: number) => number}
 */
export function units_of(text) {
  if (!/[\ud800-\udbff]/.test(text)) return (character) => character;
  /** @type {number[]} */
  const starts = [];
  let unit = 0;
  for (const letter of text) {
    starts.push(unit);
    unit += letter.length;
  }
  return (character) => starts[character] ?? text.length;
}

/** @param {string} model @param {string} text @returns {Promise<Tokens>} */
export async function tokens_of(model, text) {
  const found = await ask("tokenize", "tokenize", { model, text }, { label: "Tokens" });
  const units = units_of(text);
  /** @type {Word[]} */
  const words = [];
  /** @type {number | null} */
  let last = null;
  found.words.forEach((/** @type {number | null} */ id, /** @type {number} */ k) => {
    if (id !== null) {
      const [begin, end] = found.offsets[k].map(units);
      const word = words[words.length - 1];
      if (id === last && word) {
        word.tokens = k - word.token + 1;
        word.end = Math.max(word.end, end);
      } else words.push({ token: k, tokens: 1, begin, end });
    }
    last = id;
  });
  for (const word of words) {  // byte-level tokens begin with the space before a word
    const inside = text.slice(word.begin, word.end), spaces = inside.length - inside.trimStart().length;
    if (spaces < inside.length) word.begin += spaces;
  }
  return { pieces: found.pieces, special: found.words.map((/** @type {number | null} */ id) => id === null), words };
}

let guess = { of: "", token: 1 };

/**
 * What is chosen while nobody has chosen.
 * @param {number} token
 */
export const suggest = (token) => { guess = { of: state().t, token }; };

/** The chosen token: that of the state, else the suggested one, else the first that is a word. */
export const chosen_token = () => (state().token >= 0 ? state().token : guess.of === state().t ? guess.token : 1);

/** @param {Word} word */
export const is_chosen = (word) => word.token <= chosen_token() && chosen_token() < word.token + word.tokens;

/**
 * A token as people read it: byte-level and SentencePiece marks for spaces are left out.
 * @param {string} piece
 */
export const readable = (piece) => piece.replace(/^[Ġ▁]/, "").replace(/^Ċ+$/, "⏎") || "␣";

/**
 * The text with its words as buttons: arrow keys go from one to the next, Enter opens.
 * @param {{label: string, open: () => void}} of
 */
export function word_buttons({ label, open }) {
  const element = h("div", { class: "words", role: "group", "aria-label": label });
  /** @type {HTMLElement[]} */
  let spans = [];
  /** @type {Word[]} */
  let words = [];
  let written = "";

  /** @param {number} k @param {boolean} focus */
  const choose = (k, focus) => {
    const word = words[k], span = spans[k];
    if (!word || !span) return;
    set({ token: word.token, ...(state().token === word.token ? {} : { to: "" }) });
    if (focus) span.focus();
  };
  element.addEventListener("click", (e) => choose(spans.indexOf(/** @type {HTMLElement} */ (e.target)), false));
  element.addEventListener("keydown", (e) => {
    const at = spans.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: spans.length - 1, ArrowDown: below(at, 1), ArrowUp: below(at, -1) }[e.key];
    if (to !== undefined) choose(Math.min(Math.max(to, 0), spans.length - 1), true);
    else if (e.key === "Enter" || e.key === " ") {
      choose(at, true);
      open();
    } else return;
    e.preventDefault();
  });

  /**
   * The word in the next line that is nearest.
   * @param {number} at @param {number} step
   */
  function below(at, step) {
    const from = spans[at]?.getBoundingClientRect();
    if (!from) return at;
    let best = at, least = Infinity;
    for (let k = at + step; spans[k]; k += step) {
      const box = /** @type {HTMLElement} */ (spans[k]).getBoundingClientRect();
      if (Math.abs(box.top - from.top) < 8) continue;
      if (least < Infinity && Math.abs(box.top - /** @type {HTMLElement} */ (spans[best]).getBoundingClientRect().top) > 8) break;
      const far = Math.abs(box.left - from.left);
      if (far < least) [best, least] = [k, far];
    }
    return best;
  }

  return {
    element,
    /**
     * @param {string} text @param {Word[]} next
     * @param {(word: Word) => {share: number | null, says: string} | null} value null: not known yet
     */
    show(text, next, value) {
      const key = text + "\n" + next.map(({ begin, end }) => `${begin}-${end}`).join();
      words = next;
      if (key !== written) {
        const focus = spans.indexOf(/** @type {HTMLElement} */ (document.activeElement));
        written = key;
        spans = next.map(({ begin, end }) => h("span", { role: "button", tabindex: -1 }, text.slice(begin, end)));
        const parts = next.flatMap(({ begin }, k) => [text.slice(next[k - 1]?.end ?? 0, begin), /** @type {Node} */ (spans[k])]);
        element.replaceChildren(...parts, text.slice(next[next.length - 1]?.end ?? 0));
        if (focus >= 0) spans[Math.min(focus, spans.length - 1)]?.focus();
      }
      next.forEach((word, k) => {
        const span = /** @type {HTMLElement} */ (spans[k]), found = value(word), chosen = is_chosen(word);
        const known = found !== null && found.share !== null;
        span.style.background = known ? heat(0.8 * (found.share ?? 0)) : "";
        span.style.color = known ? ink(0.8 * (found.share ?? 0)) : "";
        span.className = (found ? "" : "waits ") + (chosen ? "chosen" : "");
        span.tabIndex = chosen ? 0 : -1;
        span.title = found?.says ?? "";
        span.setAttribute("aria-pressed", String(chosen));
        span.setAttribute("aria-label", found ? `${text.slice(word.begin, word.end)}: ${found.says}` : text.slice(word.begin, word.end));
      });
      if (spans.length && !spans.some((span) => span.tabIndex === 0)) /** @type {HTMLElement} */ (spans[0]).tabIndex = 0;
    },
    focus: () => (spans.find((span) => span.tabIndex === 0) ?? spans[0])?.focus(),
  };
}

/**
 * Where two texts begin and end to differ, at borders of words.
 * @param {string} a @param {string} b
 */
export function difference(a, b) {
  const word = /[\p{L}\p{N}_'’-]/u;
  let begin = 0, end = 0;
  while (begin < Math.min(a.length, b.length) && a[begin] === b[begin]) ++begin;
  while (begin > 0 && (word.test(a[begin - 1] ?? "") || /[\udc00-\udfff]/.test(a[begin] ?? ""))) --begin;
  while (end < Math.min(a.length, b.length) - begin && a[a.length - 1 - end] === b[b.length - 1 - end]) ++end;
  while (end > 0 && (word.test(a[a.length - end] ?? "") || /[\udc00-\udfff]/.test(a[a.length - end] ?? ""))) --end;
  return { begin, end_a: a.length - end, end_b: b.length - end };
}

/**
 * A text with the part that differs from `other` marked.
 * @param {string} text @param {string} other
 */
export function marked(text, other) {
  const { begin, end_a } = difference(text, other);
  return h("p", { class: "quote" }, text.slice(0, begin), begin < end_a ? h("mark", {}, text.slice(begin, end_a)) : null, text.slice(end_a));
}

/** @param {number} value @param {number} low @param {number} high */
export const share_of = (value, low, high) => (high > low ? (value - low) / (high - low) : 0);

/**
 * The sentence that a causal decoder needs.
 * @param {boolean} decoder
 */
export const causal_note = (decoder) => decoder
  ? "This model is a causal decoder: a token sees itself and what comes before it, never what comes after. A change moves nothing before its place."
  : "";

/** @param {string} name @param {number | null | undefined} value */
export const fact = (name, value) => h("div", { class: "fact" }, h("dt", {}, name), h("dd", {}, short(value)));
