// Elements, numbers and icons. Texts become text nodes and never markup, wherever they come from.

/** @typedef {Node | string | number | null | undefined | false} Child */
/** @typedef {Record<string, any>} Attributes */

const kSvg = "http://www.w3.org/2000/svg";

/** @param {Element} element @param {Attributes} attributes @param {Child[]} children */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, ...children);
  return element;
}

/** @param {Element} element @param {...Child} children */
export function append(element, ...children) {
  for (const child of children)
    if (child !== null && child !== undefined && child !== false)
      element.append(child instanceof Node ? child : String(child));
}

/**
 * An HTML element. Functions among the attributes are listeners, by the name of their event.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag @param {Attributes} [attributes] @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

/**
 * An SVG element.
 * @param {string} tag @param {Attributes} [attributes] @param {...Child} children
 * @returns {SVGElement}
 */
export function s(tag, attributes = {}, ...children) {
  return /** @type {SVGElement} */ (fill(document.createElementNS(kSvg, tag), attributes, children));
}

/**
 * The element with this id, which is in index.html.
 * @param {string} id @returns {any}
 */
export const byId = (id) => document.getElementById(id);

/**
 * A number with three digits that count.
 * @param {number | null | undefined} value
 */
export function short(value) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size !== 0 && (size < 0.001 || size >= 1e5)) return value.toExponential(1).replace("-", "−");
  return Number(value.toPrecision(3)).toString().replace("-", "−");
}

/** @param {number} value from 0 to 1 */
export const percent = (value) => (value > 0.99 && value < 1 ? (100 * value).toFixed(1) : Math.round(100 * value)) + "%";

/** @param {number} seconds */
export const time = (seconds) => (seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)) + " s";

/** @param {string} text @param {number} [most] */
export function shorten(text, most = 16) {
  const letters = Array.from(text);
  return letters.length <= most ? text : letters.slice(0, most - 1).join("") + "…";
}

/** @param {number} count @param {string} one @param {string} [many] */
export const counted = (count, one, many = one + "s") => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

/** @type {Record<string, string>} */
const kIcons = {
  undo: "M4 7h8a4 4 0 0 1 0 8H8M4 7l3-3M4 7l3 3",
  link: "M8 11a3 3 0 0 0 4 0l3-3a3 3 0 0 0-4-4l-1 1M11 8a3 3 0 0 0-4 0l-3 3a3 3 0 0 0 4 4l1-1",
  theme: "M9.5 3a6.5 6.5 0 1 0 0 13zM9.5 3a6.5 6.5 0 1 1 0 13",
  help: "M3 5.5h13v8H3zM5.5 8h.01M8 8h.01M10.5 8h.01M13 8h.01M6.5 11h6",
  close: "M5 5l9 9M14 5l-9 9",
  swap: "M4 7h11l-3-3M15 12H4l3 3",
};

/** @param {string} name */
export const icon = (name) =>
  s("svg", { viewBox: "0 0 19 19", width: 19, height: 19, "aria-hidden": "true" },
    s("path", { d: kIcons[name], fill: "none", stroke: "currentColor", "stroke-width": 1.5,
      "stroke-linecap": "round", "stroke-linejoin": "round" }));

/**
 * A row of buttons of which one is pressed.
 * @param {string} label what it chooses, for screen readers
 * @param {[value: string, text: string, title?: string][]} options
 * @param {(value: string) => void} choose
 */
export function choice(label, options, choose) {
  const buttons = options.map(([value, text, title]) =>
    h("button", { type: "button", role: "radio", title, "data-value": value, click: () => choose(value) }, text));
  const element = h("div", { class: "choice", role: "radiogroup", "aria-label": label, keydown: (/** @type {KeyboardEvent} */ e) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key];
    if (!step) return;
    e.preventDefault();
    e.stopPropagation();
    const open = buttons.filter((button) => !button.disabled);
    const next = open[(open.indexOf(/** @type {any} */ (document.activeElement)) + step + open.length) % open.length];
    if (!next) return;
    next.focus();
    next.click();
  } }, ...buttons);
  return {
    element,
    /** @param {string} value @param {(value: string) => boolean} [open] which can be chosen */
    show(value, open = () => true) {
      for (const button of buttons) {
        const chosen = button.dataset["value"] === value;
        button.setAttribute("aria-checked", String(chosen));
        button.tabIndex = chosen ? 0 : -1;
        button.disabled = !open(button.dataset["value"] ?? "");
      }
    },
  };
}

/**
 * Shows `options` in a select and chooses `value`.
 * @param {HTMLSelectElement} select @param {[string, string][]} options @param {string} value
 */
export function fill_select(select, options, value) {
  const now = JSON.stringify(options);
  if (select.dataset["options"] !== now) {
    select.replaceChildren(...options.map(([key, text]) => h("option", { value: key }, text)));
    select.dataset["options"] = now;
  }
  select.value = value;
}

/**
 * `act` once, when nothing was asked for `pause` ms.
 * @param {number} pause @param {() => void} act
 */
export function later(pause, act) {
  let timer = 0;
  return {
    soon() {
      clearTimeout(timer);
      timer = setTimeout(act, pause);
    },
    cancel: () => clearTimeout(timer),
  };
}
