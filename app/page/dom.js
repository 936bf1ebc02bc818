// Elements, controls and numbers. Texts become text nodes and never markup.
import { kFirst, set } from "./state.js";

/** @type {(element: any, parts: Part[]) => any} */
const fill = (element, parts) => {
  for (const part of parts)
    if (part instanceof Node || typeof part === "string" || typeof part === "number") element.append(part);
    else
      for (const [name, value] of Object.entries(part || {}))
        if (typeof value === "function") element.addEventListener(name, value);
        else if (value !== undefined && value !== null && value !== false) element.setAttribute(name, value === true ? "" : String(typeof value === "number" ? Math.round(value * 100) / 100 : value));
  return element;
};

/** @type {Dom["h"]} */
export const h = (tag, ...parts) => {
  const [name, ...classes] = tag.split(".");
  return fill(document.createElement(name), [classes.length > 0 && { class: classes.join(" ") }, ...parts]);
};
/** @type {Dom["s"]} */
export const s = (tag, ...parts) => fill(document.createElementNS("http://www.w3.org/2000/svg", tag), parts);
/** @type {Dom["by_id"]} */
export const by_id = (id) => document.getElementById(id);

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
export const field = (name, ...controls) => h("label.field", h("span", name), ...controls);

/** @type {Dom["slider"]} */
export const slider = (key, name, label, values) => {
  const output = h("output.number");
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

/** @type {Dom["arrow"]} */
export const arrow = (e) => Number(e.key === "ArrowRight") - Number(e.key === "ArrowLeft");

/** @type {Dom["choice"]} */
export const choice = (label, options, choose) => {
  const buttons = options.map(([value, text, title]) => h("button", { role: "radio", title, value, click: () => choose(value) }, text));
  const element = h("div.choice", { role: "radiogroup", "aria-label": label, keydown: (e) => {
    const step = arrow(e), open = buttons.filter((one) => !one.disabled), next = open[(open.indexOf(e.target) + step + open.length) % open.length];
    if (!step) return;
    e.preventDefault();
    next.focus();
    next.click();
  } }, ...buttons);
  return {
    element,
    show(value, closed) {
      for (const one of buttons) Object.assign(one, { ariaChecked: String(one.value === value), tabIndex: one.value === value ? 0 : -1, disabled: one.value === closed });
    },
  };
};

/** @type {Dom["button"]} */
export const button = (text, click, kind = "") => h("button", { class: kind, click }, text);

/** @type {Dom["pressable"]} */
export const pressable = (label, pressed, act) => ({ class: "pick", role: "button", tabindex: 0, "aria-label": label, "aria-pressed": String(pressed), click: act,
  keydown: (e) => { if (e.key === "Enter" || e.key === " ") { e.preventDefault(); act(); } } });
