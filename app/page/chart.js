// Charts as SVG, drawn at the width that they have on the page, so that letters keep their size. Colours are those of
// python/wordsway/pictures.py; on a dark page the scale runs the other way, so that what is large always stands out.
import { s, short, shorten } from "./dom.js";

const kLight = [[255, 255, 229], [254, 227, 145], [254, 153, 41], [204, 76, 2], [102, 37, 6]];
const kDark = [[38, 36, 34], [102, 37, 6], [204, 76, 2], [254, 153, 41], [254, 227, 145]];
const kWhereBlackIsRead = 0.19;  // luminance above which black ink has more contrast than white

/** @type {Record<string, [light: string, dark: string]>} */
const kCurves = {
  blue: ["#0072b2", "#5cb3ea"], orange: ["#c04f00", "#f4935a"], green: ["#00805d", "#43c79f"], pink: ["#a8487f", "#e3a2c5"],
  grey: ["#6b7178", "#a2a9b0"],
};

const kPrefersDark = matchMedia("(prefers-color-scheme: dark)");
export const is_dark = () => {
  const chosen = document.documentElement.dataset["theme"];
  return chosen ? chosen === "dark" : kPrefersDark.matches;
};
/** @param {() => void} act */
export const on_system_theme = (act) => kPrefersDark.addEventListener("change", act);

/** @param {string} name */
export const curve = (name) => kCurves[name]?.[is_dark() ? 1 : 0] ?? "currentColor";

/** @param {number} share from 0 to 1 */
function colour(share) {
  const stops = is_dark() ? kDark : kLight;
  const place = Math.min(Math.max(share, 0), 1) * (stops.length - 1);
  const low = Math.min(Math.floor(place), stops.length - 2);
  const [from, to] = [/** @type {number[]} */ (stops[low]), /** @type {number[]} */ (stops[low + 1])];
  return from.map((value, k) => Math.round(value + (place - low) * ((to[k] ?? 0) - value)));
}

/** @param {number} share */
export const heat = (share) => `rgb(${colour(share).join(" ")})`;

/**
 * The ink that is read best on `heat(share)`.
 * @param {number} share
 */
export function ink(share) {
  const [red = 0, green = 0, blue = 0] = colour(share).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > kWhereBlackIsRead ? "#1a1712" : "#ffffff";
}

/** @param {number} width @param {number} height @param {string} label @param {...(Node | null)} parts */
function canvas(width, height, label, ...parts) {
  return s("svg", { viewBox: `0 0 ${Math.ceil(width)} ${Math.ceil(height)}`, width: Math.ceil(width), height: Math.ceil(height), role: "img",
    "aria-label": label, "font-size": 12.5, "font-family": "system-ui, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', sans-serif" }, ...parts);
}

/** @param {number} x @param {number} y @param {string} text @param {Record<string, any>} [more] */
const label = (x, y, text, more = {}) => s("text", { x: x.toFixed(1), y: y.toFixed(1), fill: "currentColor", ...more }, text);
const kSoft = { "fill-opacity": 0.68 };

/**
 * A bar for each row, the note behind it.
 * @param {{label: string, rows: {name: string, value: number | null, share: number, note?: string, chosen?: boolean, choose?: () => void}[], width: number}} of
 */
export function bars({ label: says, rows, width }) {
  const height = 27, left = Math.min(120, width * 0.3), room = width - left - (width < 520 ? 56 : 190);
  const most = Math.max(...rows.map(({ value }) => value ?? 0), 1e-12);
  return canvas(width, rows.length * height + 4, says, ...rows.map(({ name, value, share, note, chosen, choose }, k) => {
    const y = 2 + k * height, long = Math.max(0, (room * (value ?? 0)) / most);
    return s("g", { class: choose ? "pick" : "", click: choose },
      s("rect", { x: 0, y, width, height: height - 2, rx: 5, fill: "currentColor", "fill-opacity": chosen ? 0.07 : 0 }),
      label(left - 10, y + 17, shorten(name, 15), { "text-anchor": "end", "font-weight": chosen ? 650 : 400 }),
      s("rect", { x: left, y: y + 5, width: long.toFixed(1), height: height - 12, rx: 3, fill: heat(0.25 + 0.55 * share), stroke: "currentColor", "stroke-opacity": 0.18 }),
      label(left + long + 8, y + 17, short(value), { "font-variant-numeric": "tabular-nums" }),
      note && width >= 520 ? label(left + long + 54, y + 17, shorten(note, 20), kSoft) : null);
  }));
}

/** @param {number} low @param {number} high @param {boolean} log */
function marks(low, high, log) {
  if (log) {
    const all = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); ++power) for (const m of [1, 2, 5]) all.push(m * 10 ** power);
    const inside = all.filter((mark) => mark >= low * 0.999 && mark <= high * 1.001);
    const tens = inside.filter((mark) => Math.abs(Math.log10(mark) % 1) < 1e-9);
    return inside.length > 7 && tens.length > 2 ? tens : inside.length > 1 ? inside : [low, high];
  }
  const power = 10 ** Math.floor(Math.log10(high - low || 1));
  const step = [0.1, 0.2, 0.5, 1, 2, 5].map((m) => m * power).find((m) => (high - low) / m <= 6) ?? power;
  return Array.from({ length: Math.floor(high / step + 1e-9) - Math.ceil(low / step - 1e-9) + 1 }, (_, k) => (Math.ceil(low / step - 1e-9) + k) * step);
}

/**
 * @typedef {object} Series
 * @property {string} name @property {string} colour @property {{x: number, y: number, spread?: number}[]} points
 * @property {boolean} [dashed] @property {boolean} [pale] being computed again
 */

/**
 * Lines, each with its name at its end.
 * @param {{label: string, x: string, y: string, series: Series[], width: number, height?: number, log_x?: boolean, log_y?: boolean,
 *   ticks?: [number, string][], low?: number, high?: number, line?: {y: number, text: string}}} of
 */
export function lines(of) {
  const { series, width, log_x = false, log_y = false } = of;
  const height = of.height ?? Math.max(260, Math.min(420, width * 0.56));
  const longest = Math.max(0, ...series.map(({ name }) => Array.from(name).length));
  const left = 58, top = 14, bottom = 52, right = Math.min(width * 0.34, 20 + longest * 7.2);
  const points = series.flatMap((one) => one.points).filter(({ y }) => Number.isFinite(y) && (!log_y || y > 0));
  const xs = [...points.map(({ x }) => x), ...(of.ticks ?? []).map(([x]) => x)];
  let [x_low, x_high] = xs.length ? [Math.min(...xs), Math.max(...xs)] : [1, 10];
  if (x_low === x_high) [x_low, x_high] = log_x ? [x_low / 2, x_high * 2] : [x_low - 1, x_high + 1];
  const ys = [...points.map(({ y, spread = 0 }) => y + spread), ...points.map(({ y }) => y)];
  const y_low = of.low ?? (log_y ? Math.min(...ys, 1) / 1.2 : Math.min(0, ...ys));
  const y_high = of.high ?? (Math.max(...ys, of.line?.y ?? 0, y_low + 1e-9) * (log_y ? 1.25 : 1.08));
  /** @param {number} value @param {number} low @param {number} high @param {boolean} log */
  const place = (value, low, high, log) => log ? Math.log(Math.max(value, low) / low) / Math.log(high / low) : (value - low) / (high - low);
  /** @param {number} x */
  const across = (x) => left + place(x, x_low, x_high, log_x) * (width - left - right);
  /** @param {number} y */
  const up = (y) => height - bottom - Math.min(Math.max(place(y, y_low, y_high, log_y), 0), 1.02) * (height - top - bottom);
  const parts = [];
  for (const mark of marks(y_low, y_high, log_y))
    parts.push(s("path", { d: `M${left} ${up(mark).toFixed(1)}H${(width - right).toFixed(1)}`, stroke: "currentColor", "stroke-opacity": 0.12 }),
      label(left - 8, up(mark) + 4, short(mark), { "text-anchor": "end", ...kSoft }));
  const shown = of.ticks ?? marks(x_low, x_high, log_x).map((mark) => /** @type {[number, string]} */ ([mark, short(mark)]));
  const every = Math.ceil(shown.length / Math.max(2, (width - left - right) / 46));
  shown.forEach(([mark, text], k) => {
    if (k % every === 0) parts.push(label(across(mark), height - bottom + 20, text, { "text-anchor": "middle", ...kSoft }));
  });
  parts.push(s("path", { d: `M${left} ${height - bottom}H${(width - right).toFixed(1)}`, stroke: "currentColor", "stroke-opacity": 0.4 }),
    label((left + width - right) / 2, height - 8, of.x, { "text-anchor": "middle" }),
    label(14, (top + height - bottom) / 2, of.y, { "text-anchor": "middle", transform: `rotate(-90 14 ${((top + height - bottom) / 2).toFixed(1)})` }));
  if (of.line)
    parts.push(s("path", { d: `M${left} ${up(of.line.y).toFixed(1)}H${(width - right).toFixed(1)}`, stroke: "currentColor", "stroke-dasharray": "5 4", "stroke-opacity": 0.7 }),
      label(width - right, up(of.line.y) - 6, of.line.text, { "text-anchor": "end" }));
  /** @type {{name: string, colour: string, y: number, pale: number}[]} */
  const names = [];
  for (const one of series) {
    const found = one.points.filter(({ y }) => Number.isFinite(y) && (!log_y || y > 0)).sort((p, q) => p.x - q.x);
    if (!found.length) continue;
    const pale = one.pale ? 0.35 : 1;
    const at = found.map(({ x, y }) => `${across(x).toFixed(1)} ${up(y).toFixed(1)}`);
    if (found.some(({ spread }) => spread)) {
      const upper = found.map(({ x, y, spread = 0 }) => `${across(x).toFixed(1)} ${up(y + spread).toFixed(1)}`);
      const lower = found.map(({ x, y, spread = 0 }) => `${across(x).toFixed(1)} ${up(Math.max(y - spread, log_y ? y_low : y - spread)).toFixed(1)}`);
      parts.push(s("path", { d: `M${upper.join("L")}L${lower.reverse().join("L")}Z`, fill: one.colour, "fill-opacity": 0.14 * pale }));
    }
    parts.push(s("path", { d: "M" + at.join("L"), fill: "none", stroke: one.colour, "stroke-width": 2.2, "stroke-opacity": pale, "stroke-linejoin": "round",
      "stroke-dasharray": one.dashed ? "6 5" : null }));
    if (!one.dashed)
      for (const { x, y } of found)
        parts.push(s("circle", { cx: across(x).toFixed(1), cy: up(y).toFixed(1), r: 3.6, fill: one.colour, "fill-opacity": pale },
          s("title", {}, `${one.name}: ${short(y)} at ${short(x)}`)));
    names.push({ name: one.name, colour: one.colour, y: up(/** @type {{y: number}} */ (found[found.length - 1]).y), pale });
  }
  names.sort((p, q) => p.y - q.y);
  for (let k = 1; k < names.length; ++k) {
    const [above, below] = [/** @type {{y: number}} */ (names[k - 1]), /** @type {{y: number}} */ (names[k])];
    below.y = Math.max(below.y, above.y + 16);
  }
  for (const one of names)
    parts.push(s("text", { x: (width - right + 10).toFixed(1), y: (one.y + 4).toFixed(1), fill: one.colour, "fill-opacity": one.pale, "font-weight": 600 }, shorten(one.name, Math.floor((right - 12) / 6.8))));
  return canvas(width, height, of.label, ...parts);
}

/** @typedef {{title: string, pieces: string[], cells: number[][]}} Look a matrix of attention: rows look at columns */

/** @param {number[][]} cells @param {number} most */
export function picture(cells, most) {
  const size = 4, n = cells.length;  // pixels of a cell: viewers that smooth pictures then smooth edges alone
  const drawn = document.createElement("canvas");
  drawn.width = drawn.height = Math.max(1, n * size);
  const context = /** @type {CanvasRenderingContext2D} */ (drawn.getContext("2d"));
  cells.forEach((row, j) => row.forEach((value, m) => {
    context.fillStyle = heat(value / most);
    context.fillRect(m * size, j * size, size, size);
  }));
  return drawn.toDataURL();
}

/** @param {Look[]} looks */
const largest = (looks) => Math.max(1e-9, ...looks.map(({ cells }) => Math.max(0, ...cells.map((row) => Math.max(0, ...row)))));

/**
 * Matrices beside or below each other, with one scale.
 * @param {{label: string, looks: Look[], width: number, chosen: (look: number, place: number) => boolean, choose: (look: number, place: number) => void}} of
 */
export function matrices({ label: says, looks, width, chosen, choose }) {
  const beside = width >= 640 ? looks.length : 1, gap = 34;
  const letters = Math.min(11, Math.max(...looks.flatMap(({ pieces }) => pieces.map((piece) => Array.from(piece).length)), 3));
  const left = 14 + letters * 7, over = 30 + letters * 6;
  const n = Math.max(...looks.map(({ pieces }) => pieces.length), 1);
  const cell = Math.max(2, Math.min(34, ((width - gap * (beside - 1)) / beside - left - 24) / n));
  const most = largest(looks), every = Math.ceil(14 / cell);
  const across = left + n * cell + gap, down = over + n * cell + 30;
  const parts = looks.map(({ title, pieces, cells }, p) => {
    const x0 = (p % beside) * across + left, y0 = Math.floor(p / beside) * down + over, side = pieces.length * cell;
    const group = s("g", {}, label(x0, y0 + side + 22, title, { "font-weight": 600 }));
    pieces.forEach((piece, j) => {
      const bold = chosen(p, j);
      if (j % every !== 0 && !bold) return;
      const weight = { "font-weight": bold ? 700 : 400, class: "pick", click: () => choose(p, j) };
      const x = x0 + (j + 0.5) * cell + 4;
      group.append(label(x0 - 7, y0 + (j + 0.5) * cell + 4, shorten(piece, 11), { "text-anchor": "end", ...weight }),
        label(x, y0 - 8, shorten(piece, 11), { transform: `rotate(-55 ${x.toFixed(1)} ${y0 - 8})`, ...weight }));
    });
    if (pieces.length > 48)
      group.append(s("image", { href: picture(cells, most), x: x0, y: y0, width: side, height: side, class: "grain", "image-rendering": "pixelated" }));
    else
      cells.forEach((row, j) => row.forEach((value, m) => group.append(
        s("rect", { x: (x0 + m * cell).toFixed(1), y: (y0 + j * cell).toFixed(1), width: (cell + 0.3).toFixed(1), height: (cell + 0.3).toFixed(1), fill: heat(value / most) }))));
    const tip = s("title");
    group.append(s("rect", { x: x0, y: y0, width: side, height: side, fill: "transparent", stroke: "currentColor", "stroke-opacity": 0.35, class: "pick",
      mousemove: (/** @type {MouseEvent} */ e) => {
        const box = /** @type {Element} */ (e.currentTarget).getBoundingClientRect();
        const [j, m] = [e.clientY - box.top, e.clientX - box.left].map((at) => Math.min(pieces.length - 1, Math.max(0, Math.floor((at / box.width) * pieces.length))));
        tip.textContent = `${pieces[j ?? 0]} looks at ${pieces[m ?? 0]}: ${short(cells[j ?? 0]?.[m ?? 0])}`;
      },
      click: (/** @type {MouseEvent} */ e) => {
        const box = /** @type {Element} */ (e.currentTarget).getBoundingClientRect();
        choose(p, Math.min(pieces.length - 1, Math.max(0, Math.floor(((e.clientX - box.left) / box.width) * pieces.length))));
      } }, tip));
    return group;
  });
  const used = Math.min(looks.length, beside);
  return canvas(Math.min(width, used * across + 30), Math.ceil(looks.length / beside) * down + 6, says, ...parts);
}

/**
 * Lines from the tokens that look, on the left, to those that are looked at; the more, the wider.
 * @param {{label: string, looks: Look[], width: number, chosen: (look: number, place: number) => boolean, choose: (look: number, place: number) => void}} of
 */
export function threads({ label: says, looks, width, chosen, choose }) {
  const beside = width >= 640 ? looks.length : 1, step = 24;
  const n = Math.max(...looks.map(({ pieces }) => pieces.length), 1);
  const each = width / beside, down = n * step + 46, most = largest(looks);
  const parts = looks.map(({ title, pieces, cells }, p) => {
    const x0 = (p % beside) * each + 92, x1 = (p % beside) * each + each - 100, y0 = Math.floor(p / beside) * down + 34;
    const group = s("g", {}, label((p % beside) * each + 8, y0 - 18, title, { "font-weight": 600 }));
    const any = pieces.some((_, j) => chosen(p, j));
    cells.forEach((row, j) => row.forEach((value, m) => {
      const share = value / most;
      if (share < 0.03) return;
      const mine = !any || chosen(p, j) || chosen(p, m);
      const [y, z] = [y0 + j * step, y0 + m * step], middle = (x0 + x1) / 2;
      group.append(s("path", { d: `M${x0} ${y}C${middle} ${y} ${middle} ${z} ${x1} ${z}`, fill: "none", stroke: mine ? curve("orange") : "currentColor",
        "stroke-width": (0.5 + 4.5 * share).toFixed(2), "stroke-opacity": ((mine ? 0.85 : 0.13) * (0.25 + 0.75 * share)).toFixed(3) }));
    }));
    pieces.forEach((piece, j) => {
      const weight = { "font-weight": chosen(p, j) ? 700 : 400, class: "pick", click: () => choose(p, j) };
      group.append(label(x0 - 8, y0 + j * step + 4, shorten(piece, 12), { "text-anchor": "end", ...weight }),
        label(x1 + 8, y0 + j * step + 4, shorten(piece, 12), weight));
    });
    return group;
  });
  return canvas(width, Math.ceil(looks.length / beside) * down, says, ...parts);
}
