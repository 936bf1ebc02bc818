// The page itself: views, models, keys, what is being done, and what went wrong.
import { byId, counted, fill_select, h, icon, later, time } from "./dom.js";
import * as api from "./api.js";
import { is_dark, on_system_theme } from "./chart.js";
import { can_undo, fits_address, kFirst, listen, read_address, redo, set, start, state, undo } from "./state.js";
import { words_view } from "./words.js";
import { attention_view } from "./attention.js";
import { layers_view } from "./layers.js";
import { pairs_view } from "./pairs.js";
import { answers_view } from "./answers.js";
import { paper_view } from "./paper.js";

/** @typedef {{name: string, loaded: boolean, layers?: number, heads?: number, decoder?: boolean, pooled?: any, max_length?: number}} Model */
/** @typedef {{element: HTMLElement, update: (state: import("./state.js").State) => void, leave: () => void, focus: () => void}} View */

/**
 * What views may ask of the page.
 * @typedef {object} Page
 * @property {(error: unknown, quiet?: boolean) => void} fail shows what went wrong
 * @property {(sentence: string) => void} done shows for a moment what was done
 * @property {(tokens: import("./text.js").Tokens) => void} count shows how long the text is
 * @property {(name: string) => Model | undefined} model
 * @property {(name: string) => boolean} decoder whether it is one
 * @property {(name: string) => [string, string][]} outputs what `layer` can be
 * @property {(name: string) => object} ball how the worst move is searched
 * @property {() => string[]} decoders those that may be one
 * @property {() => string} first_decoder
 * @property {() => string[] | null} prompts the example of Answers
 * @property {() => string[]} templates
 * @property {() => {preset: string, cosine: number}[]} presets
 */

/** @type {Record<string, (page: Page) => View>} */
const kMakers = { words: words_view, attention: attention_view, layers: layers_view, pairs: pairs_view, answers: answers_view, paper: paper_view };
const kViews = Object.keys(kMakers);
const kOfText = ["words", "attention", "layers"];
const kExamples = [
  "The film was not good, but the ending made me cry.",
  "Please turn off the dark mode before you leave the office.",
  "Nobody left the cinema before the last scene.",
  "I would watch this again, unlike most of what came out this year.",
  "It is safe to disable the firewall while the update is running.",
];
const kKeys = [["1 – 6", "the six views"], ["/", "write"], ["← →", "from word to word"], ["Enter", "replacements of the word"], ["Ctrl Z", "undo"], ["Ctrl Shift Z", "redo"], ["Esc", "stop what is computed"], ["?", "these keys"]];
const kSecondsBetweenTries = 1.5;

/** @type {any} */
let facts = null;
/** @type {Map<string, View>} */
const views = new Map();
/** @type {View | null} */
let shown = null;

/** @param {{threshold: number, unit: string}} preset */
const cosine_of = ({ threshold, unit }) => ({ cosine: threshold, distance: 1 - threshold, score01: 2 * threshold - 1, l2sq: 1 - threshold / 2 }[unit] ?? threshold);

/** @type {Page} */
const page = {
  fail,
  done: (sentence) => say(sentence),
  count: ({ words, pieces }) => { byId("counts").textContent = `${counted(words.length, "word")} · ${counted(pieces.length, "token")}`; },
  model: (name) => facts?.models.find((/** @type {Model} */ one) => one.name === name),
  decoder: (name) => Boolean(page.model(name)?.decoder),
  outputs: (name) => {
    const model = page.model(name);
    return [["last", "last layer"], ...(model?.decoder ? [] : [["pooled", "vector of the text"]]), ...(model?.decoder ? [["logits", "next word"]] : []),
      ...Array.from({ length: model?.layers ?? 0 }, (_, k) => [String(k), k === 0 ? "embedding" : `layer ${k}`])].map(([key = "", text = ""]) => [key, text]);
  },
  ball: (name) => (name === "builtin" ? {} : { ball: "fast" }),
  decoders: () => (facts?.models ?? []).filter((/** @type {Model} */ one) => one.decoder ?? one.name !== "builtin").map((/** @type {Model} */ one) => one.name),
  first_decoder: () => page.decoders().find((name) => page.decoder(name)) ?? page.decoders().find((name) => name === "builtin-decoder") ?? page.decoders()[0] ?? "",
  prompts: () => facts?.examples?.prompts ?? null,
  templates: () => facts?.templates ?? ["none", "chatml", "llama2", "llama3", "mistral"],
  presets: () => (facts?.presets ?? []).map((/** @type {any} */ one) => ({ preset: one.name, cosine: Number(cosine_of(one).toFixed(4)) })),
};

// What is being done.

/** @type {api.Job[]} */
let jobs = [];
let said = "";
const quiet_again = later(2500, () => { said = ""; show_status(); });

/** @param {string} sentence */
function say(sentence) {
  said = sentence;
  quiet_again.soon();
  show_status();
}

const status = byId("status"), status_text = h("span"), status_bar = h("progress", { max: 1, "aria-label": "Progress" });
const status_stop = h("button", { type: "button", class: "quiet", click: () => api.stop_all() }, "Stop");
status.append(h("span", { class: "spinner", "aria-hidden": "true" }), status_text, status_bar, status_stop);

function show_status() {
  const job = jobs.reduce((/** @type {api.Job | null} */ longest, one) => (!longest || one.since < longest.since ? one : longest), null);
  const seconds = job ? (performance.now() - job.since) / 1000 : 0;
  status.hidden = job ? seconds < 0.15 : !said;
  status.classList.toggle("busy", Boolean(job));
  status_stop.hidden = status_bar.hidden = !job;
  if (!job) status_text.textContent = said;
  else if (job.before) status_text.textContent = `${job.label}: waits for ${counted(job.before, "job")} of other tabs · ${time(seconds)}`;
  else status_text.textContent = `${job.label}${job.what && job.what !== job.label ? `: ${job.what}` : ""} · ${time(seconds)}`;
  if (job?.total) status_bar.value = job.done / job.total;
  else status_bar.removeAttribute("value");
}
api.watch_jobs((now) => {
  jobs = now;
  show_status();
});
setInterval(() => { if (jobs.length) show_status(); }, 100);

// What went wrong.

let trying = 0;

/** @param {unknown} error @param {boolean} [quiet] that the view has said it already */
function fail(error, quiet = false) {
  const kind = error instanceof api.ServerError ? error.kind : "internal";
  const sentence = error instanceof Error ? error.message : String(error);
  if (kind === "gone" || kind === "key") {
    const port = location.port || "80";
    trouble(kind === "gone" ? "The server does not answer." : "This page does not have the key of the server.",
      kind === "gone" ? h("span", {}, "It was ended, or it is busy. Start it again with ", h("code", {}, `wordsway serve --port ${port}`), "; this page goes on by itself.")
        : h("span", {}, "Open the address that ", h("code", {}, "wordsway serve"), " printed when it was started; this page then goes on by itself."));
    if (!trying) trying = setInterval(try_again, 1000 * kSecondsBetweenTries);
  } else if (!quiet) trouble(sentence[0]?.toUpperCase() + sentence.slice(1) + (/[.!?]$/.test(sentence) ? "" : "."));
}

/** @param {string} sentence @param {Node} [more] */
function trouble(sentence, more) {
  byId("trouble").hidden = false;
  byId("trouble").replaceChildren(h("strong", {}, sentence), more ? " " : "", more ?? "",
    h("button", { type: "button", class: "quiet", "aria-label": "Close this message", click: () => { byId("trouble").hidden = true; } }, icon("close")));
}

async function try_again() {
  try {
    facts = await api.models();
  } catch (error) {
    if (error instanceof api.ServerError && error.kind === "key") fail(error);
    return;
  }
  clearInterval(trying);
  trying = 0;
  byId("trouble").hidden = true;
  say("The server is there again.");
  for (const view of views.values()) view.leave();
  views.clear();
  shown = null;
  await meet();
}

// Views.

/** @param {string} name @returns {View} */
function view(name) {
  const made = views.get(name) ?? (kMakers[name] ?? words_view)(page);
  views.set(name, made);
  return made;
}

/** @param {import("./state.js").State} now @param {import("./state.js").State} old */
function show(now, old) {
  const name = kViews.includes(now.v) ? now.v : "words", next = view(name);
  for (const tab of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[role=tab]"))) {
    const chosen = tab.dataset["view"] === name;
    tab.setAttribute("aria-selected", String(chosen));
    tab.tabIndex = chosen ? 0 : -1;
    if (chosen && next !== shown) tab.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
  const panel = byId("panel"), text = byId("text");
  byId("writing").hidden = !kOfText.includes(name);
  if (text.value !== now.t) text.value = now.t;
  grow();
  byId("undo").disabled = !can_undo();
  document.title = `${name[0]?.toUpperCase()}${name.slice(1)} · wordsway`;
  if (facts) fill_select(byId("model"), facts.models.map((/** @type {Model} */ one) => [one.name, one.name]), now.m);
  if (now.m !== old.m && facts) return void load(now.m);
  if (next !== shown) {
    shown?.leave();
    shown = next;
    panel.setAttribute("aria-labelledby", `tab-${name}`);
    panel.replaceChildren(next.element);
  }
  if (facts) next.update(now);
}

/**
 * Loads a model, so that its layers are known, and shows the view then.
 * @param {string} name
 */
async function load(name) {
  try {
    if (!page.model(name)?.loaded) {
      const entry = await api.ask("load", "load", { model: name }, { label: `Loading ${name}`, fresh: true });
      facts.models = facts.models.map((/** @type {Model} */ one) => (one.name === name ? entry : one));
    }
    if (!page.outputs(name).some(([output]) => output === state().layer)) set({ layer: "last" }, "quiet");
  } catch (error) {
    return fail(error);
  }
  if (state().m === name) show(state(), state());
}

function grow() {
  const text = byId("text");
  text.style.height = "auto";
  text.style.height = `${Math.min(text.scrollHeight + 2, 220)}px`;
}

// The beginning.

/** The key of the server, if the address has one: it is taken out of it at once. */
function take_key() {
  const found = /^#([0-9A-Za-z_-]{16,})(?:&(.*))?$/.exec(location.hash);
  if (!found || (found[1] ?? "").includes("=")) return false;
  api.use_key(found[1] ?? "");
  history.replaceState(null, "", location.pathname + (found[2] ? "#" + found[2] : ""));
  return true;
}

async function meet() {
  try {
    facts ??= await api.models();
  } catch (error) {
    return fail(error);
  }
  byId("version").textContent = facts.version ? `wordsway ${facts.version}.` : "";
  const names = facts.models.map((/** @type {Model} */ one) => one.name);
  if (!names.includes(state().m)) set({ m: names.find((/** @type {string} */ name) => !name.startsWith("builtin")) ?? names[0] ?? "builtin" }, "quiet");
  else load(state().m);
}

function set_up() {
  for (const name of ["undo", "link", "theme", "help"]) byId(name).append(icon(name));
  byId("undo").addEventListener("click", undo);
  byId("link").addEventListener("click", async () => {
    await navigator.clipboard.writeText(location.href).then(() => say(fits_address(state()) ? "The link is in the clipboard." : "The link is in the clipboard, without the text, which is too long for it."), () => say("The browser does not let this page copy."));
  });
  byId("theme").addEventListener("click", () => {
    const next = is_dark() ? "light" : "dark";
    document.documentElement.dataset["theme"] = next;
    localStorage.setItem("theme", next);
    show(state(), state());
  });
  on_system_theme(() => show(state(), state()));
  byId("model").addEventListener("change", () => set({ m: byId("model").value, token: -1 }));
  byId("text").addEventListener("input", () => set({ t: byId("text").value, token: -1, to: "" }, "typing"));
  byId("skip").addEventListener("click", (/** @type {Event} */ e) => { e.preventDefault(); byId("panel").focus(); shown?.focus(); });
  fill_select(byId("examples"), [["", "Examples"], ...kExamples.map((text, k) => /** @type {[string, string]} */ ([String(k), text]))], "");
  byId("examples").addEventListener("change", () => {
    const text = kExamples[Number(byId("examples").value)];
    byId("examples").value = "";
    if (text) set({ t: text, token: -1, to: "" });
  });
  byId("tabs").addEventListener("click", (/** @type {Event} */ e) => {
    const name = /** @type {HTMLElement} */ (e.target).dataset["view"];
    if (name) set({ v: name });
  });
  byId("tabs").addEventListener("keydown", (/** @type {KeyboardEvent} */ e) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
    if (!step) return;
    set({ v: kViews[(kViews.indexOf(state().v) + step + kViews.length) % kViews.length] ?? "words" });
    byId(`tab-${state().v}`).focus();
  });
  const keys = byId("keys");
  keys.append(h("h2", { id: "keys-title" }, "Keys"), h("dl", {}, ...kKeys.flatMap(([key = "", what = ""]) => [h("dt", {}, ...key.split(" ").map((one) => (one === "–" ? " – " : h("kbd", {}, one)))), h("dd", {}, what)])),
    h("form", { method: "dialog" }, h("button", {}, "Close")));
  byId("help").addEventListener("click", () => keys.showModal());
  document.addEventListener("keydown", (e) => press(e));
  addEventListener("hashchange", () => {
    if (take_key()) {
      start(location.hash ? read_address(location.hash) : state());
      api.forget_answers();
      try_again();
    } else start(read_address(location.hash));
  });
  addEventListener("storage", (e) => {
    if (e.key === "key" && e.newValue) {
      api.use_key(e.newValue);
      if (trying) try_again();
    }
  });
}

/** @param {KeyboardEvent} e */
function press(e) {
  const writing = e.target instanceof HTMLElement && (e.target.matches("input, textarea, select") || e.target.isContentEditable);
  if ((e.ctrlKey || e.metaKey) && e.key.toLowerCase() === "z") {
    e.preventDefault();
    if (e.shiftKey) redo();
    else undo();
  } else if (e.key === "Escape" && jobs.length) api.stop_all();
  else if (e.ctrlKey || e.metaKey || e.altKey || writing || byId("keys").open) return;
  else if (kViews[Number(e.key) - 1]) set({ v: kViews[Number(e.key) - 1] ?? "words" });
  else if (e.key === "/") {
    e.preventDefault();
    if (kOfText.includes(state().v)) byId("text").focus();
    else shown?.focus();
  } else if (e.key === "?") byId("keys").showModal();
}

take_key();
set_up();
listen(show);
start(location.hash.length > 1 ? read_address(location.hash) : { ...kFirst });
meet();
