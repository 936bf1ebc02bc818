// What is shown: one flat object, kept in the address behind the # (which never leaves the browser), with undo.

/**
 * @typedef {object} State
 * @property {string} v the view
 * @property {string} m the model
 * @property {string} t the text
 * @property {string} layer whose output counts in Words: last, pooled, logits or a number
 * @property {string} show what colours the words: typical, worst, dropped or move
 * @property {number} token the chosen word, by its first token; −1 for none
 * @property {string} to the text with a word replaced; empty for none
 * @property {number} al the layer of Attention, from 1
 * @property {string} ah its head: mean or a number
 * @property {string} move what happens in Attention: none, attract, noise, ascent or word
 * @property {string} draw matrix or lines
 * @property {number} special whether special tokens are shown
 * @property {string} a the first text of Pairs
 * @property {string} b the second
 * @property {number} cut the cosine from which on two texts are taken for the same
 * @property {string} set which pairs: two or builtin
 * @property {string} cls the class of pairs that is looked at
 * @property {string} qa the first prompt of Answers
 * @property {string} qb the second
 * @property {number} heat the temperature
 * @property {string} chat the chat template
 * @property {string} maps the curves of Paper
 * @property {number} d @property {number} beta @property {string} data
 */

/** @type {State} */
export const kFirst = {
  v: "words", m: "", t: "The film was not good, but the ending made me cry.", layer: "last", show: "typical", token: -1, to: "",
  al: 1, ah: "mean", move: "attract", draw: "matrix", special: 1,
  a: "Please enable dark mode.", b: "Please disable dark mode.", cut: 0.9, set: "two", cls: "all",
  qa: "", qb: "", heat: 0, chat: "none",
  maps: "raf,raf-relu,rf", d: 128, beta: 1, data: "builtin",
};

const kLongestLink = 8000;  // characters; a longer text stays in this tab
const kMostSteps = 200;     // that can be undone

/** @type {State} */
let now = { ...kFirst };
/** @type {State[]} */
let before = [];
/** @type {State[]} */
let after = [];
let typed = 0;  // when the last keystroke was recorded
/** @type {(state: State, old: State) => void} */
let listener = () => {};

export const state = () => now;
export const can_undo = () => before.length > 0;

/** @param {(state: State, old: State) => void} act called after every change */
export const listen = (act) => { listener = act; };

/**
 * What the address says, over the first state.
 * @param {string} hash @returns {State}
 */
export function read_address(hash) {
  const found = new URLSearchParams(hash.replace(/^#/, ""));
  const result = /** @type {Record<string, any>} */ ({ ...kFirst });
  for (const [key, value] of Object.entries(kFirst)) {
    const given = found.get(key);
    if (given === null) continue;
    if (typeof value === "string") result[key] = given;
    else if (Number.isFinite(Number(given))) result[key] = Number(given);
  }
  if (found.get("long")) Object.assign(result, kept());
  return /** @type {State} */ (result);
}

/** What did not fit into the address. */
function kept() {
  try {
    return JSON.parse(sessionStorage.getItem("long") ?? "{}");
  } catch {
    return {};
  }
}

/**
 * The address of this state, without the key of the server.
 * @param {State} of
 */
export function address(of) {
  const parts = new URLSearchParams({ v: of.v });
  /** @type {Record<string, any>} */
  const long = {};
  for (const [key, value] of Object.entries(of)) {
    if (key === "v" || value === /** @type {any} */ (kFirst)[key]) continue;
    if (String(value).length > kLongestLink) long[key] = value;
    else parts.set(key, String(value));
  }
  if (Object.keys(long).length) {
    parts.set("long", "1");
    try {
      sessionStorage.setItem("long", JSON.stringify(long));
    } catch { /* a full storage only costs the text after a reload */ }
  }
  return "#" + parts;
}

/**
 * Whether all of the state is in its address.
 * @param {State} of
 */
export const fits_address = (of) => !address(of).includes("&long=1");

/** @param {State} next */
function show(next) {
  const old = now;
  now = next;
  history.replaceState(null, "", address(now));
  listener(now, old);
}

/**
 * Changes the state. Keystrokes that follow each other are one step of undo; `quiet` changes, which the page makes by
 * itself, are none.
 * @param {Partial<State>} patch @param {"step" | "typing" | "quiet"} [how]
 */
export function set(patch, how = "step") {
  const next = { ...now, ...patch };
  if (Object.entries(patch).every(([key, value]) => /** @type {any} */ (now)[key] === value)) return;
  if (how !== "quiet") {
    const same_word = how === "typing" && performance.now() - typed < 700;
    typed = how === "typing" ? performance.now() : 0;
    if (!same_word) before = [...before.slice(1 - kMostSteps), now];
    after = [];
  }
  show(next);
}

/** @param {State} next the first state, or that of a pasted address */
export const start = (next) => show(next);

export function undo() {
  const last = before.pop();
  if (!last) return;
  after.push(now);
  typed = 0;
  show(last);
}

export function redo() {
  const next = after.pop();
  if (!next) return;
  before.push(now);
  typed = 0;
  show(next);
}
