// A chart or table in its frame, with its export: SVG and PNG of what is seen, CSV of what is behind it.
import { h } from "./dom.js";

/** @typedef {{columns: string[], rows: (string | number | null | undefined)[][]}} Table */

/** What an SVG on the page gets from the style sheet, and needs in a file. */
const kInherited = ["fill", "stroke", "font-weight", "font-variant-numeric", "image-rendering"];

/** @param {Blob} blob @param {string} name */
function save(blob, name) {
  const address = URL.createObjectURL(blob);
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

/**
 * The picture as a file of its own, in the colours that it has on the page.
 * @param {SVGElement} svg
 */
export function svg_text(svg) {
  const copy = /** @type {SVGElement} */ (svg.cloneNode(true));
  const style = getComputedStyle(svg);
  const [from, to] = [[svg, ...svg.querySelectorAll("*")], [copy, ...copy.querySelectorAll("*")]];
  from.forEach((element, k) => {
    const target = /** @type {Element} */ (to[k]);
    for (const name of kInherited) {
      const value = getComputedStyle(element).getPropertyValue(name);
      if (target.hasAttribute(name) || (name === "font-weight" && value === "700")) target.setAttribute(name, value);
    }
    target.removeAttribute("class");
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("color", style.color);
  const paper = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [name, value] of Object.entries({ width: "100%", height: "100%", fill: getComputedStyle(document.documentElement).getPropertyValue("--card").trim() }))
    paper.setAttribute(name, value);
  copy.prepend(paper);
  return new XMLSerializer().serializeToString(copy) + "\n";
}

/** @param {SVGElement} svg @returns {Promise<Blob>} */
export async function png(svg) {
  const image = new Image();
  const address = URL.createObjectURL(new Blob([svg_text(svg)], { type: "image/svg+xml" }));
  try {
    image.src = address;
    await image.decode();
    const drawn = h("canvas", { width: 2 * image.width, height: 2 * image.height });
    /** @type {CanvasRenderingContext2D} */ (drawn.getContext("2d")).drawImage(image, 0, 0, drawn.width, drawn.height);
    return await new Promise((done, failed) => drawn.toBlob((blob) => (blob ? done(blob) : failed(new Error("The picture is too large.")))));
  } finally {
    URL.revokeObjectURL(address);
  }
}

/**
 * RFC 4180; a cell that a spreadsheet would run as a formula begins with an apostrophe.
 * @param {Table} table
 */
export function csv({ columns, rows }) {
  const cell = (/** @type {string | number | null | undefined} */ value) => {
    if (value === null || value === undefined) return "";
    const text = typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? "'" + value : String(value);
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [columns, ...rows].map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";
}

/**
 * A frame with a title. `draw` makes the chart for a width and is called again when the width changes; without it the
 * frame holds `body`.
 * @param {{title: string, name: string, draw?: (width: number) => SVGElement | null, table?: () => Table | null, body?: HTMLElement, note?: string}} of
 */
export function figure(of) {
  const title = h("h3", {}, of.title), note = h("p", { class: "note" }, of.note ?? "");
  const stage = of.body ?? h("div", { class: "stage" });
  const svg = () => /** @type {SVGElement | null} */ (stage.querySelector("svg"));
  const button = (/** @type {string} */ text, /** @type {string} */ says, /** @type {() => void} */ act) =>
    h("button", { type: "button", class: "quiet", title: says, "aria-label": `${says}: ${of.title}`, click: act }, text);
  const tools = h("div", { class: "export" },
    of.draw ? button("SVG", "Save as SVG", () => { const found = svg(); if (found) save(new Blob([svg_text(found)], { type: "image/svg+xml" }), of.name + ".svg"); }) : null,
    of.draw ? button("PNG", "Save as PNG", async () => { const found = svg(); if (found) save(await png(found), of.name + ".png"); }) : null,
    of.table ? button("CSV", "Save as CSV", () => { const found = of.table?.(); if (found) save(new Blob([csv(found)], { type: "text/csv" }), of.name + ".csv"); }) : null);
  const element = h("figure", { class: "card" }, h("div", { class: "head" }, title, tools), stage, note);
  let width = 0;
  const redraw = () => {
    note.hidden = !note.textContent;
    if (!of.draw || !stage.isConnected) return;
    width = stage.clientWidth;
    const drawn = width > 40 ? of.draw(width) : null;
    tools.hidden = !drawn;
    stage.replaceChildren(...(drawn ? [drawn] : []));
  };
  if (of.draw)
    new ResizeObserver(() => {
      if (stage.clientWidth !== width) redraw();
    }).observe(stage);
  return {
    element, stage, redraw,
    /** @param {string} text */
    say(text) {
      note.textContent = text;
      note.hidden = !text;
    },
    /** @param {string} text */
    name(text) { title.textContent = text; },
  };
}
