// The server: requests whose answers are streams of events, and what is being done at the moment.

/** @type {(kind: string, message: string) => Trouble} */
const trouble = (kind, message) => Object.assign(new Error(message), { kind });
const kTab = crypto.randomUUID(), kMostKept = 60;  // answers
/** @type {Promise<never>} */
const kNever = new Promise(() => {});
/** @type {Map<string, any>} */
const answers = new Map();
/** @type {Map<string, {controller: AbortController, job: Job}>} */
const running = new Map();
/** @type {(jobs: Job[]) => void} */
let on_jobs = () => {};
/** @type {(error: Trouble | null) => void} */
let on_trouble = () => {};
let key = localStorage.getItem("key") ?? "";

/** @type {(jobs: typeof on_jobs, trouble: typeof on_trouble) => void} called when a job begins, goes on or ends, and when one fails; null when one does not */
export const watch = (jobs, failure) => { [on_jobs, on_trouble] = [jobs, failure]; };
const changed = () => on_jobs([...running.values()].map(({ job }) => job));

/** @param {string} text which other tabs learn by the event `storage` */
export function use_key(text) {
  key = text;
  localStorage.setItem("key", text);
  answers.clear();
}

/** @param {string} path @param {RequestInit} init */
async function send(path, init) {
  const headers = { ...init.headers, "X-Wordsway-Token": key, "X-Wordsway-Tab": kTab };
  const response = await fetch(path, { ...init, headers, cache: "no-store" }).catch(() => { throw trouble("gone", "The server does not answer."); });
  if (response.ok) return response;
  const said = await response.json().then((body) => body.error, () => null);
  throw trouble(response.status === 403 ? "key" : "usage", said ?? `The server answered ${response.status}.`);
}

export const models = async () => (await send("/api/models", {})).json();

/** @param {Response} response whose events are given one after the other */
async function* events(response) {
  const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader(), decoder = new TextDecoder();
  for (let rest = "", done = false; !done;) {
    const part = await reader.read().catch(() => { throw trouble("gone", "The server went away while it computed."); });
    done = part.done;
    const blocks = (rest + decoder.decode(part.value, { stream: !done })).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const found = /^event: (.*)\ndata: ([^\n]*)/m.exec(block);
      if (found) yield { name: found[1], data: JSON.parse(found[2]) };
    }
  }
}

/** @type {Ask} */
export const ask = async (endpoint, body, label, how = {}) => {
  stop(endpoint);
  const name = endpoint + JSON.stringify(body);
  if (!how.fresh && answers.has(name)) return answers.get(name);
  /** @type {Job} */
  const job = { label, since: performance.now(), what: "", done: 0, total: 0, before: 0 };
  const mine = { controller: new AbortController(), job };
  running.set(endpoint, mine);
  changed();
  try {
    const response = await send("/api/" + endpoint, { method: "POST", signal: mine.controller.signal, body: JSON.stringify(body),
      headers: { "Content-Type": "application/json", Accept: "text/event-stream" } });
    for await (const { name: event, data } of events(response)) {
      if (running.get(endpoint) !== mine) return await kNever;
      if (event === "row" || event === "token" || event === "remark") how[event]?.(data);
      else if (event === "error") throw trouble(data.kind, data.message);
      else if (event === "result") {
        answers.set(name, data);
        on_trouble(null);
        if (answers.size > kMostKept) answers.delete([...answers.keys()][0]);
        return data;
      } else {
        Object.assign(job, { before: 0 }, data);
        changed();
      }
    }
    throw trouble("gone", "The server ended the answer before it was whole.");
  } catch (error) {
    if (running.get(endpoint) !== mine) return await kNever;
    how.failed?.();
    on_trouble(/** @type {Trouble} */ (error));
    stop(endpoint);
    return await kNever;
  } finally {
    if (running.get(endpoint) === mine) running.delete(endpoint);
    changed();
  }
};

/** @param {string} endpoint */
export function stop(endpoint) {
  const old = running.get(endpoint);
  running.delete(endpoint);
  old?.controller.abort();
  changed();
}

export const stop_all = () => [...running.keys()].forEach(stop);

/** @type {Worker_} */
export const worker = (endpoints, pause, work) => {
  let timer = 0, of = "", run = 0;
  const halt = () => {
    clearTimeout(timer);
    endpoints.forEach(stop);
    return ++run;
  };
  return {
    want(key) {
      const next = JSON.stringify(key), wait = of ? pause : 0;
      if (next === of) return false;
      const mine = halt();
      of = next;
      if (key.length) timer = setTimeout(() => work(() => mine === run), wait);
      return true;
    },
    leave() {
      halt();
      of = "";
    },
  };
};
