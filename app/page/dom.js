// Elements, controls and numbers. Texts become text nodes and never markup, wherever they come from.
import { kFirst, set } from "./state.js";

/** @typedef {Node | string | number | null | undefined | false} Child */
/** @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => any)>} Attributes */

/** @param {Element} element @param {Attributes} attributes @param {Child[]} children */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes))
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value !== undefined && value !== null && value !== false) element.setAttribute(name, value === true ? "" : String(value));
  for (const child of children)
    if (child !== null && child !== undefined && child !== false) element.append(child instanceof Node ? child : String(child));
  return element;
}

/**
 * An HTML element. Functions among the attributes are listeners, by the name of their event.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag @param {Attributes} [attributes] @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export const h = (tag, attributes = {}, ...children) => /** @type {any} */ (fill(document.createElement(tag), attributes, children));

/**
 * An SVG element.
 * @param {string} tag @param {Attributes} [attributes] @param {...Child} children
 * @returns {SVGElement}
 */
export const s = (tag, attributes = {}, ...children) =>
  /** @type {any} */ (fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children));

/**
 * The element of index.html with this id.
 * @param {string} id
 * @returns {any}
 */
export const by_id = (id) => document.getElementById(id);

// Numbers and texts.

/**
 * With three digits that count.
 * @param {number | null | undefined} value
 */
export function short(value) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  const size = Math.abs(value), tiny = size !== 0 && (size < 0.001 || size >= 1e5);
  return (tiny ? value.toExponential(1) : String(Number(value.toPrecision(3)))).replace("-", "−");
}

/** @param {number} share */
export const percent = (share) => (share > 0.99 && share < 1 ? (100 * share).toFixed(1) : Math.round(100 * share)) + "%";

/** @param {number} seconds */
export const time = (seconds) => (seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)) + " s";

/** @param {string} text @param {number} most */
export function shorten(text, most) {
  const letters = Array.from(text);
  return letters.length <= most ? text : letters.slice(0, most - 1).join("") + "…";
}

/** @param {number} count @param {string} one */
export const counted = (count, one) => `${count.toLocaleString("en")} ${one}${count === 1 ? "" : "s"}`;

/**
 * A sentence of the program as a sentence of the page.
 * @param {string} text
 */
export const sentence = (text) => text.slice(0, 1).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");

// Controls, each of which is bound to a key of the state.

/** @typedef {keyof import("./state.js").State} Key */
/** @param {Key} key @param {string} value */
const put = (key, value) => set({ [key]: typeof kFirst[key] === "number" ? Number(value) : value });

/** @param {Key} key @param {string} label */
export const picker = (key, label) => h("select", { "aria-label": label, change: (e) => put(key, e.target.value) });

/**
 * Shows options in a select and chooses one.
 * @param {HTMLSelectElement} select @param {string[][]} options values and texts @param {string | number} value
 */
export function offer(select, options, value) {
  const now = JSON.stringify(options);
  if (select.dataset.options !== now) select.replaceChildren(...options.map(([key, text]) => h("option", { value: key }, text)));
  select.dataset.options = now;
  select.value = String(value);
}

/** @param {string} name @param {...Child} controls */
export const field = (name, ...controls) => h("label", { class: "field" }, h("span", {}, name), ...controls);

/**
 * A slider over given values.
 * @param {Key} key @param {string} name @param {string} label @param {number[]} values
 */
export function slider(key, name, label, values) {
  const output = h("output", { class: "number" });
  const input = h("input", { type: "range", min: 0, max: values.length - 1, "aria-label": label,
    input: (e) => set({ [key]: values[e.target.value] }, "typing") });
  return {
    element: field(name, input, output),
    /** @param {number} value @param {string} [text] */
    show(value, text = String(value)) {
      const far = values.map((one) => Math.abs(one - value));
      input.value = String(far.indexOf(Math.min(...far)));
      input.setAttribute("aria-valuetext", text);
      output.textContent = text;
    },
  };
}

/**
 * A row of buttons of which one is pressed.
 * @param {string} label @param {string[][]} options values, texts and titles @param {(value: string) => void} choose
 */
export function choice(label, options, choose) {
  const buttons = options.map(([value, text, title]) => h("button", { type: "button", role: "radio", title, value, click: () => choose(value) }, text));
  const element = h("div", { class: "choice", role: "radiogroup", "aria-label": label, keydown: (e) => {
    const step = e.key === "ArrowRight" ? 1 : e.key === "ArrowLeft" ? -1 : 0, open = buttons.filter((button) => !button.disabled);
    const next = open[(open.indexOf(e.target) + step + open.length) % open.length];
    if (!step) return;
    e.preventDefault();
    next.focus();
    next.click();
  } }, ...buttons);
  return {
    element,
    /** @param {string} value @param {string} [closed] one that cannot be chosen */
    show(value, closed) {
      for (const button of buttons) {
        button.setAttribute("aria-checked", String(button.value === value));
        button.tabIndex = button.value === value ? 0 : -1;
        button.disabled = button.value === closed;
      }
    },
  };
}

/** @param {string} text @param {() => void} click @param {string} [kind] */
export const button = (text, click, kind = "") => h("button", { type: "button", class: kind, click }, text);

/** What a click and Enter do to a part of a chart. @param {string} label @param {boolean} pressed @param {() => void} act @returns {Attributes} */
export const pressable = (label, pressed, act) => ({ class: "pick", role: "button", tabindex: 0, "aria-label": label, "aria-pressed": String(pressed), click: act,
  keydown: (e) => { if (e.key === "Enter" || e.key === " ") { e.preventDefault(); act(); } } });

/**
 * `act` once, when nothing was asked for `pause` ms.
 * @param {number} pause @param {() => void} act
 */
export function later(pause, act) {
  let timer = 0;
  const cancel = () => clearTimeout(timer);
  return { cancel, soon: () => { cancel(); timer = setTimeout(act, pause); } };
}
