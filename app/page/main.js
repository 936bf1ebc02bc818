// The page itself: views, models, keys, what is being done, and what went wrong.
import { arrow, by_id, button, counted, h, offer, s, sentence, time } from "./dom.js";
import * as api from "./api.js";
import { is_dark, kSystemIsDark } from "./chart.js";
import { can_undo, kFirst, listen, read_address, redo, set, show, state, undo } from "./state.js";
import { words_view } from "./words.js";
import { attention_view } from "./attention.js";
import { layers_view } from "./layers.js";
import { pairs_view } from "./pairs.js";
import { answers_view } from "./answers.js";
import { paper_view } from "./paper.js";

/** @type {Record<string, MakeView>} */
const kMakers = { words: words_view, attention: attention_view, layers: layers_view, pairs: pairs_view, answers: answers_view, paper: paper_view };
const kViews = Object.keys(kMakers), kOfText = kViews.slice(0, 3);
const kKeys = [["1 – 6", "the six views"], ["/", "write"], ["← →", "from word to word"], ["Enter", "replacements of the word"], ["Ctrl+Z", "undo, with Shift redo"], ["Esc", "stop what is computed"]];
/** @type {Record<string, string>} */
const kIcons = { undo: "M4 7h8a4 4 0 0 1 0 8H8M4 7l3-3M4 7l3 3", theme: "M9.5 3a6.5 6.5 0 1 0 0 13zM9.5 3a6.5 6.5 0 1 1 0 13", help: "M3 5.5h13v8H3zM5.5 8h.01M8 8h.01M10.5 8h.01M13 8h.01M6.5 11h6" };

/** @type {any} */
let facts = null;
/** @type {() => Model[]} */
const models = () => facts.models;
/** @type {Map<string, View>} */
const views = new Map();
/** @type {View | null} */
let shown = null;

/** @type {Page} */
const page = {
  say, facts: () => facts,
  count: ({ count, pieces }) => { by_id("counts").textContent = `${counted(count, "word")} · ${counted(pieces.length, "token")}`; },
  model: (name) => models().find((one) => one.name === name),
  decoder: (name) => Boolean(page.model(name)?.decoder),
  outputs: (name) => [["last", "last layer"], page.decoder(name) ? ["logits", "next word"] : ["pooled", "vector of the text"],
    ...Array.from({ length: page.model(name)?.layers ?? 0 }, (_, k) => [String(k), k ? `layer ${k}` : "embedding"])],
  decoders: () => models().filter((one) => one.decoder ?? !one.loaded).map((one) => one.name),
  presets: () => facts.presets.map((/** @type {any} */ { name, threshold, unit }) =>
    ({ name, cosine: Number({ cosine: threshold, distance: 1 - threshold, score01: 2 * threshold - 1, l2sq: 1 - threshold / 2 }[/** @type {string} */ (unit)]?.toFixed(4)) })),
};

// What is being done.

/** @type {Job[]} */
let jobs = [];
let said = "";
const status = by_id("status"), doing = h("span"), bar = h("progress", { "aria-label": "Progress" }), halt = button("Stop", api.stop_all, "quiet");
status.append(h("span.spinner"), doing, bar, halt);
let hush = 0;

/** @param {string} text */
function say(text) {
  said = text;
  clearTimeout(hush);
  if (text) hush = setTimeout(say, 2500, "");
  show_status();
}

function show_status() {
  const job = [...jobs].sort((a, b) => a.since - b.since)[0], seconds = job ? (performance.now() - job.since) / 1000 : 0;
  status.hidden = job ? seconds < 0.15 : !said;
  status.classList.toggle("busy", Boolean(job));
  halt.hidden = bar.hidden = !job;
  doing.textContent = !job ? said : job.before ? `${job.label}: waits for ${counted(job.before, "job")} of other tabs · ${time(seconds)}`
    : `${job.label}${job.what && `: ${job.what}`} · ${time(seconds)}`;
  if (job?.total) bar.value = job.done / job.total;
  else bar.removeAttribute("value");
}
api.watch((now) => {
  jobs = now;
  show_status();
}, fail);
setInterval(() => { if (jobs.length) show_status(); }, 100);

// What went wrong.

let trying = 0;

/** @param {any} error */
function fail(error) {
  const box = by_id("trouble"), gone = error?.kind === "gone", lost = gone || error?.kind === "key";
  box.hidden = !error || error.kind === "stopped";
  if (box.hidden) return;
  box.replaceChildren(h("strong", gone ? "The server does not answer. " : lost ? "This page does not have the key of the server. " : sentence(error.message)), ...(!lost ? [] : gone
    ? ["It was ended or is busy. Start it again with ", h("code", `wordsway serve --port ${location.port}`), "; this page goes on by itself."]
    : ["Open the address that ", h("code", "wordsway serve"), " printed; this page goes on by itself."]), button("×", () => { box.hidden = true; }, "quiet"));
  if (lost && !trying) trying = setInterval(try_again, 1500);
}

async function try_again() {
  try {
    facts = await api.models();
  } catch (error) {
    if (/** @type {any} */ (error).kind === "key") fail(error);
    return;
  }
  clearInterval(trying);
  trying = 0;
  fail(null);
  say("The server is there again.");
  shown?.leave();
  shown = null;
  views.clear();
  meet();
}

/** @param {State} now @param {State} old */
function paint(now, old) {
  const name = kViews.includes(now.v) ? now.v : "words", text = by_id("text");
  for (const one of kViews) Object.assign(by_id(`tab-${one}`), { ariaSelected: String(one === name), tabIndex: one === name ? 0 : -1 });
  by_id("writing").hidden = !kOfText.includes(name);
  if (text.value !== now.t) text.value = now.t;
  text.style.height = "auto";
  text.style.height = `${Math.min(text.scrollHeight + 2, 200)}px`;
  by_id("undo").disabled = !can_undo();
  document.title = `wordsway: ${name}`;
  if (!facts) return;
  offer(by_id("model"), models().map((one) => [one.name, one.name]), now.m);
  if (!page.model(now.m)?.loaded) return void load(now.m);
  if (now.m !== old.m && !page.outputs(now.m).some(([output]) => output === now.layer)) return set({ layer: "last" }, "quiet");
  const next = views.get(name) ?? kMakers[name](page);
  views.set(name, next);
  if (next !== shown) {
    shown?.leave();
    shown = next;
    by_id("panel").replaceChildren(next.element);
    by_id("panel").setAttribute("aria-labelledby", `tab-${name}`);
    by_id(`tab-${name}`).scrollIntoView({ block: "nearest", inline: "nearest" });
  }
  next.update(now);
}
const repaint = () => paint(state(), state());

/** @param {string} name of a model that nothing is known of yet */
async function load(name) {
  const entry = await api.ask("load", { model: name }, `Loading ${name}`, { fresh: true });
  facts.models = models().map((one) => (one.name === name ? entry : one));
  repaint();
}

/** The key of the server, if the address has one: it is taken out of it at once. */
function take_key() {
  const found = /^#([\w-]{16,})(?:&(.*))?$/.exec(location.hash);
  if (!found) return false;
  api.use_key(found[1]);
  history.replaceState(null, "", "#" + (found[2] ?? ""));
  return true;
}

async function meet() {
  try {
    facts ??= await api.models();
  } catch (error) {
    return fail(error);
  }
  by_id("version").textContent = `wordsway ${facts.version}.`;
  offer(by_id("examples"), [["", "Examples"], ...[kFirst.t, ...facts.examples.texts].map((text) => [text, text])], "");
  const names = models().map((one) => one.name);
  if (names.includes(state().m)) repaint();
  else set({ m: names.find((name) => !name.startsWith("builtin")) ?? names[0] }, "quiet");
}

/** @param {any} e */
function press(e) {
  const view = kViews[Number(e.key) - 1], writing = e.target.matches?.("input:not([type=checkbox], [type=range]), textarea, select");
  if ((e.ctrlKey || e.metaKey) && e.key.toLowerCase() === "z") {
    e.preventDefault();
    (e.shiftKey ? redo : undo)();
  } else if (e.key === "Escape") api.stop_all();
  else if (e.ctrlKey || e.metaKey || e.altKey || writing || by_id("keys").open) return;
  else if (view) set({ v: view });
  else if (e.key === "?") by_id("keys").showModal();
  else if (e.key === "/") {
    e.preventDefault();
    if (kOfText.includes(state().v)) by_id("text").focus();
    else shown?.focus();
  }
}

/** @type {(id: string, event: string, act: (e: any) => void) => void} */
const on = (id, event, act) => by_id(id).addEventListener(event, act);
/** @type {Record<string, () => void>} */
const tools = {
  undo, help: () => by_id("keys").showModal(),
  theme: () => {
    localStorage.setItem("theme", (document.documentElement.dataset.theme = is_dark() ? "light" : "dark"));
    repaint();
  },
};
for (const [name, act] of Object.entries(tools)) {
  by_id(name).append(s("svg", { viewBox: "0 0 19 19", width: 19, height: 19, "aria-hidden": "true" }, s("path", { d: kIcons[name], fill: "none", stroke: "currentColor", "stroke-width": 1.5, "stroke-linecap": "round", "stroke-linejoin": "round" })));
  on(name, "click", act);
}
for (const name of kViews) on(`tab-${name}`, "click", () => set({ v: name }));
on("tabs", "keydown", (e) => {
  const step = arrow(e);
  if (step) set({ v: kViews[(kViews.indexOf(state().v) + step + kViews.length) % kViews.length] });
  if (step) by_id(`tab-${state().v}`).focus();
});
on("model", "change", (e) => set({ m: e.target.value, token: -1 }));
on("text", "input", (e) => set({ t: e.target.value, token: -1, to: "" }, "typing"));
on("skip", "click", (e) => {
  e.preventDefault();
  shown?.focus();
});
on("examples", "change", (e) => {
  set({ t: e.target.value, token: -1, to: "" });
  e.target.value = "";
});
by_id("keys").append(h("h2", { id: "keys-title" }, "Keys"), h("dl", ...kKeys.flatMap(([key, what]) => [h("dt", h("kbd", key)), h("dd", what)])), h("form", { method: "dialog" }, h("button", "Close")));
document.addEventListener("keydown", press);
kSystemIsDark.addEventListener("change", repaint);
addEventListener("hashchange", () => {
  const again = take_key();
  show(again && location.hash.length < 2 ? state() : read_address(location.hash));
  if (again) try_again();
});
addEventListener("storage", (e) => {
  if (e.key !== "key" || !e.newValue) return;
  api.use_key(e.newValue);
  if (trying) try_again();
});
take_key();
listen(paint);
show(read_address(location.hash));
meet();
