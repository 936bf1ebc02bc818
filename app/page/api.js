// The server: requests whose answers are streams of events, and what is being done at the moment.

/** @typedef {{kind: string, message: string}} Trouble */
/** @typedef {{label: string, since: number, what: string, done: number, total: number, before: number, stop: () => void}} Job */

/** Refused, failed or unreachable; `kind` is usage, data, file, internal, key (the key is not the server's) or gone. */
export class ServerError extends Error {
  /** @param {string} kind @param {string} message */
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}

const kTab = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
const kMostKept = 60;  // answers
/** @type {Promise<never>} */
const kNever = new Promise(() => {});

let key = localStorage.getItem("key") ?? "";
/** @type {Map<string, any>} */
const answers = new Map();
/** @type {Map<string, {controller: AbortController, job: Job}>} */
const running = new Map();
/** @type {(jobs: Job[]) => void} */
let watcher = () => {};

/** @param {(jobs: Job[]) => void} act called when a job begins, goes on or ends */
export const watch_jobs = (act) => { watcher = act; };
const changed = () => watcher([...running.values()].map(({ job }) => job));

/**
 * Other tabs learn it by the event `storage`.
 * @param {string} text
 */
export function use_key(text) {
  key = text;
  localStorage.setItem("key", text);
}

export const forget_answers = () => answers.clear();

/** @param {string} path @param {RequestInit} init */
async function send(path, init) {
  let response;
  try {
    response = await fetch(path, { ...init, cache: "no-store", headers: { ...init.headers, "X-Wordsway-Token": key, "X-Wordsway-Tab": kTab } });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ServerError("gone", "The server does not answer.");
  }
  if (response.ok) return response;
  const said = await response.json().then((body) => String(body.error ?? ""), () => "");
  const kind = response.status === 403 ? "key" : response.status === 400 ? "usage" : response.status === 422 ? "data" : "internal";
  throw new ServerError(kind, said || `The server answered ${response.status}.`);
}

/**
 * What models and limits there are.
 * @returns {Promise<any>}
 */
export const models = async () => (await send("/api/models", {})).json();

/**
 * The events of a stream, one after the other.
 * @param {Response} response
 */
async function* events(response) {
  const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read().catch((error) => {
      if (error?.name === "AbortError") throw error;
      throw new ServerError("gone", "The server went away while it was computing.");
    });
    rest += decoder.decode(value, { stream: !done });
    for (let end = rest.indexOf("\n\n"); end >= 0; end = rest.indexOf("\n\n")) {
      const lines = rest.slice(0, end).split("\n");
      rest = rest.slice(end + 2);
      const name = lines.find((line) => line.startsWith("event:"))?.slice(6).trim();
      const data = lines.filter((line) => line.startsWith("data:")).map((line) => line.slice(5)).join("\n");
      if (name && data) yield { name, data: JSON.parse(data) };
    }
    if (done) return;
  }
}

/**
 * Asks the server. A new question of the same `slot` stops the older one, whose promise then never settles. An answer
 * that was given before is given again at once.
 * @param {string} slot @param {string} endpoint @param {Record<string, any>} body
 * @param {{label: string, row?: (row: any) => void, token?: (token: any) => void, remark?: (sentence: string) => void, fresh?: boolean}} how
 * @returns {Promise<any>}
 */
export async function ask(slot, endpoint, body, how) {
  stop(slot);
  const name = endpoint + JSON.stringify(body);
  if (!how.fresh && answers.has(name)) return answers.get(name);
  const controller = new AbortController();
  /** @type {Job} */
  const job = { label: how.label, since: performance.now(), what: "", done: 0, total: 0, before: 0, stop: () => stop(slot) };
  const mine = { controller, job };
  running.set(slot, mine);
  changed();
  try {
    const response = await send("/api/" + endpoint, { method: "POST", signal: controller.signal, body: JSON.stringify(body),
      headers: { "Content-Type": "application/json", Accept: "text/event-stream" } });
    for await (const { name: event, data } of events(response)) {
      if (running.get(slot) !== mine) return await kNever;
      if (event === "row") how.row?.(data);
      else if (event === "token") how.token?.(data);
      else if (event === "remark") how.remark?.(data.message);
      else if (event === "error") {
        if (data.kind === "stopped") {
          stop(slot);
          return await kNever;
        }
        throw new ServerError(data.kind, data.message);
      } else if (event === "result") {
        answers.set(name, data);
        if (answers.size > kMostKept) answers.delete(/** @type {string} */ (answers.keys().next().value));
        return data;
      } else if (event === "queued" || event === "started" || event === "progress") {
        job.before = event === "queued" ? data.before : 0;
        job.what = data.what ?? job.what;
        job.done = data.done ?? 0;
        job.total = data.total ?? 0;
        changed();
      }
    }
    throw new ServerError("gone", "The server ended the answer before it was whole.");
  } catch (error) {
    if (controller.signal.aborted || running.get(slot) !== mine) return await kNever;
    throw error;
  } finally {
    if (running.get(slot) === mine) running.delete(slot);
    changed();
  }
}

/** @param {string} slot */
export function stop(slot) {
  const old = running.get(slot);
  if (!old) return;
  running.delete(slot);
  old.controller.abort();
  changed();
}

export const stop_all = () => [...running.keys()].forEach(stop);
