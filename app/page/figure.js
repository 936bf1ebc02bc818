// A chart or table in its frame, with its export.
import { button, h, s } from "./dom.js";

/** @param {Blob} blob @param {string} name */
function save(blob, name) {
  const href = URL.createObjectURL(blob);
  h("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10000);
}

/** @type {(svg: SVGElement) => Blob} a file of its own, in the colours that it has on the page */
const as_file = (svg) => {
  const copy = /** @type {SVGElement} */ (svg.cloneNode(true)), to = [copy, ...copy.querySelectorAll("*")];
  [svg, ...svg.querySelectorAll("*")].forEach((from, k) => {
    const style = getComputedStyle(from);
    for (const name of ["fill", "stroke"]) if (to[k].hasAttribute(name)) to[k].setAttribute(name, style.getPropertyValue(name));
    to[k].removeAttribute("class");
  });
  copy.prepend(s("rect", { width: "100%", height: "100%", fill: getComputedStyle(svg.closest("figure") ?? svg).backgroundColor }));
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" });
};

/** @type {(svg: SVGElement) => Promise<Blob>} */
const as_pixels = async (svg) => {
  const image = new Image();
  image.src = URL.createObjectURL(as_file(svg));
  await image.decode();
  const drawn = h("canvas", { width: 2 * image.width, height: 2 * image.height });
  drawn.getContext("2d")?.drawImage(image, 0, 0, drawn.width, drawn.height);
  URL.revokeObjectURL(image.src);
  return new Promise((done) => drawn.toBlob((blob) => done(/** @type {Blob} */ (blob))));
};

/** @type {(rows: Record<string, any>[]) => Blob} RFC 4180; what a spreadsheet would run as a formula gets an apostrophe */
const as_csv = (rows) => {
  const cell = (/** @type {any} */ value) => {
    const text = (typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? "'" : "") + (value ?? "");
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return new Blob([Object.keys(rows[0] ?? {}), ...rows.map(Object.values)].map((row) => row.map(cell).join(",") + "\r\n"), { type: "text/csv" });
};

/** @type {Figure} */
export const figure = ({ title, name, draw, table, body, note = "" }) => {
  const heading = h("h3", title), remark = h("p.note", note), stage = body ?? h("div.stage");
  let width = 0;
  const tool = (kind = "", /** @type {(svg: any) => Promise<Blob> | Blob} */ make) => {
    const made = button(kind, async () => save(await make(stage.querySelector("svg")), `${name}.${kind.toLowerCase()}`), "quiet");
    made.setAttribute("aria-label", `Save “${title}” as ${kind}`);
    return made;
  };
  const tools = h("div.export", draw && tool("SVG", as_file), draw && tool("PNG", as_pixels), table && tool("CSV", () => as_csv(table())));
  const redraw = () => {
    width = stage.clientWidth;
    const drawn = draw && width > 40 ? draw(width) : null;
    tools.hidden = Boolean(draw) && !drawn;
    if (draw) stage.replaceChildren(...(drawn ? [drawn] : []));
  };
  if (draw) new ResizeObserver(() => { if (stage.clientWidth !== width) redraw(); }).observe(stage);
  return {
    redraw, element: h("figure.card", h("div.head", heading, tools), stage, remark),
    name(text, more = note) {
      heading.textContent = text;
      remark.textContent = more;
    },
  };
};
