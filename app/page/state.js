// What is shown: one flat object, kept in the address behind the # (which never leaves the browser), with undo.

export const kFirst = {
  v: "words",  // the view
  m: "",       // the model
  t: "The film was not good, but the ending made me cry.",
  layer: "last", show: "typical",  // Words: whose output counts, and what colours
  token: -1,  // the chosen word, by its first token; −1 while nobody has chosen
  to: "",     // the text with a word replaced
  al: 1, ah: "mean", move: "attract", draw: "matrix", special: 1,  // Attention
  a: "Please enable dark mode.", b: "Please disable dark mode.", cut: 0.9, set: "two", cls: "all",  // Pairs
  qa: "", qb: "", heat: 0, chat: "none",  // Answers: prompts, temperature, template
  maps: "raf,raf-relu,rf", d: 128, beta: 1, data: "builtin",  // Paper
};
/** @typedef {typeof kFirst} State */

const kLongestLink = 8000;  // characters of a value; longer ones stay in this tab
const kMostSteps = 200;     // that can be undone

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

/** @param {typeof listener} act called after every change */
export const listen = (act) => { listener = act; };

/** @type {(hash: string) => State} what an address says, over the first state */
export const read_address = (hash) => {
  const found = new URLSearchParams(hash.replace(/^#/, ""));
  /** @type {any} */
  const result = { ...kFirst };
  for (const [key, value] of Object.entries(kFirst)) {
    const given = found.get(key);
    if (given !== null && (typeof value === "string" || Number.isFinite(Number(given)))) result[key] = typeof value === "string" ? given : Number(given);
  }
  if (!found.get("long")) return result;
  try {
    return Object.assign(result, JSON.parse(sessionStorage.getItem("long") ?? "{}"));
  } catch {
    return result;
  }
};

/** The address of the state, without the key of the server. */
export function address() {
  const parts = new URLSearchParams({ v: now.v });
  /** @type {Record<string, any>} */
  const long = {};
  for (const [key, value] of Object.entries(now))
    if (String(value).length > kLongestLink) long[key] = value;
    else if (value !== kFirst[/** @type {keyof State} */ (key)]) parts.set(key, String(value));
  if (Object.keys(long).length) {
    parts.set("long", "1");
    sessionStorage.setItem("long", JSON.stringify(long));
  }
  return "#" + parts;
}

/** @param {State} next */
export function show(next) {
  const old = now;
  now = next;
  history.replaceState(null, "", address());
  listener(now, old);
}

// Keystrokes in a row are one step of undo; `quiet` changes, which the page makes by itself, are none.
/** @param {Partial<State>} patch @param {"step" | "typing" | "quiet"} [how] */
export function set(patch, how = "step") {
  const next = { ...now, ...patch };
  if (JSON.stringify(next) === JSON.stringify(now)) return;
  if (how !== "quiet") {
    if (how === "step" || performance.now() - typed > 700) before = [...before.slice(1 - kMostSteps), now];
    typed = how === "typing" ? performance.now() : 0;
    after = [];
  }
  show(next);
}

/** @param {State[]} from @param {State[]} to */
function step(from, to) {
  const next = from.pop();
  if (!next) return;
  to.push(now);
  typed = 0;
  show(next);
}
export const undo = () => step(before, after);
export const redo = () => step(after, before);
