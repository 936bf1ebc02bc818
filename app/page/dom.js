// Elements, controls and numbers. Texts become text nodes and never markup, wherever they come from.
import { kFirst, set } from "./state.js";

/** @type {(element: any, attributes: Attributes, children: Child[]) => any} */
const fill = (element, attributes, children) => {
  for (const [name, value] of Object.entries(attributes))
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value !== undefined && value !== null && value !== false) element.setAttribute(name, value === true ? "" : String(value));
  for (const child of children) if (child !== null && child !== undefined && child !== false) element.append(child);
  return element;
};

/** @type {Dom["h"]} */
export const h = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);
/** @type {Dom["s"]} */
export const s = (tag, attributes = {}, ...children) => fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
/** @type {Dom["by_id"]} */
export const by_id = (id) => document.getElementById(id);

// Numbers and texts.

/** @type {Dom["short"]} */
export const short = (value) => {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  return (size === 0 || size >= 100 ? String(Math.round(value)) : size < 0.001 ? value.toExponential(1) : value.toPrecision(3)).replace("-", "−");
};
/** @type {Dom["plain"]} */
export const plain = (value) => String(Number(value.toPrecision(3))).replace("-", "−");
/** @type {Dom["percent"]} */
export const percent = (share) => (share > 0.99 && share < 1 ? (100 * share).toFixed(1) : Math.round(100 * share)) + "%";
/** @type {Dom["time"]} */
export const time = (seconds) => (seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)) + " s";
/** @type {Dom["shorten"]} */
export const shorten = (text, most) => {
  const letters = Array.from(text);
  return letters.length <= most ? text : letters.slice(0, most - 1).join("") + "…";
};
/** @type {Dom["counted"]} */
export const counted = (count, one) => `${count.toLocaleString("en")} ${one}${count === 1 ? "" : "s"}`;
/** @type {Dom["sentence"]} */
export const sentence = (text) => text.slice(0, 1).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");

// Controls.

/** @type {Dom["picker"]} */
export const picker = (key, label) => h("select", { "aria-label": label, change: (e) => set({ [key]: typeof kFirst[key] === "number" ? Number(e.target.value) : e.target.value }) });

/** @type {Dom["offer"]} */
export const offer = (select, options, value) => {
  const now = JSON.stringify(options);
  if (select.dataset.options !== now) select.replaceChildren(...options.map(([key, text]) => h("option", { value: key }, text)));
  select.dataset.options = now;
  select.value = String(value);
};

/** @type {Dom["field"]} */
export const field = (name, ...controls) => h("label", { class: "field" }, h("span", {}, name), ...controls);

/** @type {Dom["slider"]} */
export const slider = (key, name, label, values) => {
  const output = h("output", { class: "number" });
  const input = h("input", { type: "range", min: 0, max: values.length - 1, "aria-label": label, input: (e) => set({ [key]: values[e.target.value] }, "typing") });
  return {
    element: field(name, input, output),
    show(value, text = String(value)) {
      const far = values.map((one) => Math.abs(one - value));
      input.value = String(far.indexOf(Math.min(...far)));
      input.ariaValueText = output.textContent = text;
    },
  };
};

/** @type {Dom["choice"]} */
export const choice = (label, options, choose) => {
  const buttons = options.map(([value, text, title]) => h("button", { type: "button", role: "radio", title, value, click: () => choose(value) }, text));
  const element = h("div", { class: "choice", role: "radiogroup", "aria-label": label, keydown: (e) => {
    const step = e.key === "ArrowRight" ? 1 : e.key === "ArrowLeft" ? -1 : 0, open = buttons.filter((one) => !one.disabled), next = open[(open.indexOf(e.target) + step + open.length) % open.length];
    if (!step) return;
    e.preventDefault();
    next.focus();
    next.click();
  } }, ...buttons);
  return {
    element,
    show(value, closed) {
      for (const one of buttons) {
        one.ariaChecked = String(one.value === value);
        one.tabIndex = one.value === value ? 0 : -1;
        one.disabled = one.value === closed;
      }
    },
  };
};

/** @type {Dom["button"]} */
export const button = (text, click, kind = "") => h("button", { type: "button", class: kind, click }, text);

/** @type {Dom["pressable"]} */
export const pressable = (label, pressed, act) => ({ class: "pick", role: "button", tabindex: 0, "aria-label": label, "aria-pressed": String(pressed), click: act,
  keydown: (e) => { if (e.key === "Enter" || e.key === " ") { e.preventDefault(); act(); } } });

/** @type {Dom["later"]} */
export const later = (pause, act) => {
  let timer = 0;
  const cancel = () => clearTimeout(timer);
  return { cancel, soon: () => { cancel(); timer = setTimeout(act, pause); } };
};
