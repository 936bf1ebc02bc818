// Charts as SVG, as wide as they are on the page. Colours are those of python/wordsway/pictures.py; on a dark page the
// scale runs the other way.
import { plain, pressable, s, short, shorten } from "./dom.js";

const kLight = [[255, 255, 229], [254, 227, 145], [254, 153, 41], [204, 76, 2], [102, 37, 6]];
const kDark = [[38, 36, 34], [102, 37, 6], [204, 76, 2], [254, 153, 41], [254, 227, 145]];
/** @type {Record<string, string[]>} */
const kCurves = { blue: ["#0072b2", "#5cb3ea"], orange: ["#c04f00", "#f4935a"], green: ["#00805d", "#43c79f"], pink: ["#a8487f", "#e3a2c5"], grey: ["#6b7178", "#a2a9b0"] };

export const kSystemIsDark = matchMedia("(prefers-color-scheme: dark)");
export const is_dark = () => (document.documentElement.dataset.theme || (kSystemIsDark.matches ? "dark" : "")) === "dark";

/** @type {Charts["curve"]} */
export const curve = (name) => kCurves[name][Number(is_dark())];

/** @param {number} share */
function colour(share) {
  const stops = is_dark() ? kDark : kLight, place = Math.min(Math.max(share, 0), 1) * (stops.length - 1), low = Math.min(Math.floor(place), stops.length - 2);
  return stops[low].map((value, k) => Math.round(value + (place - low) * (stops[low + 1][k] - value)));
}

/** @type {Charts["heat"]} */
export const heat = (share) => `rgb(${colour(share)})`;

/** @type {Charts["ink"]} */
export const ink = (share) => {
  const [red, green, blue] = colour(share);
  return 0.299 * red + 0.587 * green + 0.114 * blue > 128 ? "#1a1712" : "#fff";
};

/** @type {Charts["drawing"]} */
export const drawing = (width, height, says, ...parts) =>
  s("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "group", "aria-label": says,
    "font-size": 12.5, "font-family": "system-ui, 'Segoe UI', Roboto, sans-serif" }, ...parts);

/** @type {Charts["label"]} */
export const label = (x, y, text, more = {}) => s("text", { x, y, fill: "currentColor", ...more }, text);
/** @type {Charts["box"]} */
export const box = (x, y, width, height, more, ...children) =>
  s("rect", { x, y, width: Math.max(0, width), height, ...more }, ...children);
const kSoft = { "fill-opacity": 0.68 }, kEnd = { "text-anchor": "end" }, kMiddle = { "text-anchor": "middle" };

/** @type {Charts["bars"]} */
export const bars = (width, says, rows) => {
  const height = 27, left = Math.min(120, width * 0.3), room = width - left - (width < 520 ? 56 : 190), most = Math.max(...rows.map(({ value }) => value ?? 0), 1e-12);
  return drawing(width, rows.length * height + 4, says, ...rows.map(({ name, value, share, note, chosen, choose }, k) => {
    const y = 2 + k * height, long = (room * (value ?? 0)) / most;
    return s("g", pressable(`${name}: ${short(value)}`, chosen, choose),
      box(0, y, width, height - 2, { rx: 5, fill: "currentColor", "fill-opacity": chosen ? 0.07 : 0 }),
      label(left - 10, y + 17, shorten(name, 15), { ...kEnd, "font-weight": chosen ? 700 : 400 }),
      box(left, y + 5, long, height - 12, { rx: 3, fill: heat(0.25 + 0.55 * share), stroke: "currentColor", "stroke-opacity": 0.18 }),
      label(left + long + 8, y + 17, short(value)),
      width < 520 ? null : label(left + long + 54, y + 17, shorten(note, 20), kSoft));
  }));
};

/** @param {number} low @param {number} high @param {boolean} log */
function marks(low, high, log) {
  const power = 10 ** Math.floor(Math.log10(high - low || 1));
  const step = [0.1, 0.2, 0.5, 1, 2, 5].map((m) => m * power).find((m) => (high - low) / m <= 6) ?? power;
  const all = log ? [-4, -3, -2, -1, 0, 1, 2, 3].flatMap((ten) => [1, 2, 5].map((m) => m * 10 ** ten))
    : Array.from({ length: 12 }, (_, k) => (Math.ceil(low / step - 1e-9) + k) * step);
  return all.filter((mark) => mark >= low - 1e-9 && mark <= high * 1.0001);
}

/** @type {Charts["lines"]} */
export const lines = ({ says, x: x_name, y: y_name, ticks, series, width, height = Math.max(260, Math.min(420, width * 0.56)), log = false, low, high, line }) => {
  const left = 58, top = 14, bottom = 52, right = Math.min(width * 0.34, 22 + 7.2 * Math.max(...series.map(({ name }) => Array.from(name).length)));
  const xs = ticks.map(([x]) => x), ys = series.flatMap(({ points }) => points.flatMap(({ y, spread = 0 }) => [y, y + spread]));
  const x_low = Math.min(...xs), x_high = Math.max(...xs, x_low + 1e-9);
  const y_low = low ?? (log ? Math.min(...ys, 1) / 1.2 : 0), y_high = high ?? Math.max(...ys, line?.y ?? 0, y_low + 1e-9) * (log ? 1.25 : 1.08);
  const place = (value = 0, from = 0, to = 0) => (log ? Math.log(Math.max(value, from) / from) / Math.log(to / from) : (value - from) / (to - from));
  const across = (x = 0) => left + place(x, x_low, x_high) * (width - left - right);
  const up = (y = 0) => height - bottom - Math.min(Math.max(place(y, y_low, y_high), 0), 1.02) * (height - top - bottom);
  const path = (/** @type {Point[]} */ points) => points.map(({ x, y }) => `${across(x).toFixed(1)} ${up(y).toFixed(1)}`).join("L");
  const level = (y = 0, more = {}) => s("path", { d: `M${left} ${up(y).toFixed(1)}H${(width - right).toFixed(1)}`, stroke: "currentColor", ...more });
  const every = Math.ceil(ticks.length / Math.max(2, (width - left - right) / 46)), middle = (top + height - bottom) / 2;
  const parts = [level(y_low, { "stroke-opacity": 0.4 }), label((left + width - right) / 2, height - 8, x_name, kMiddle),
    label(14, middle, y_name, { ...kMiddle, transform: `rotate(-90 14 ${middle})` }),
    ...marks(y_low, y_high, log).flatMap((y) => [level(y, { "stroke-opacity": 0.12 }), label(left - 8, up(y) + 4, plain(y), { ...kEnd, ...kSoft })]),
    ...ticks.filter((_, k) => k % every === 0).map(([x, text]) => label(across(x), height - bottom + 20, text, { ...kMiddle, ...kSoft }))];
  if (line) parts.push(level(line.y, { "stroke-dasharray": "5 4", "stroke-opacity": 0.7 }), label(left + 8, up(line.y) - 6, line.text));
  const names = series.filter(({ points }) => points.length).map(({ name, colour: stroke, points, dashed, pale }) => {
    const opacity = pale ? 0.35 : 1;
    if (points.some(({ spread }) => spread)) {
      const edge = (sign = 1) => points.map(({ x, y, spread = 0 }) => ({ x, y: y + sign * spread }));
      parts.push(s("path", { d: `M${path(edge(1))}L${path(edge(-1).reverse())}Z`, fill: stroke, "fill-opacity": 0.14 * opacity }));
    }
    parts.push(s("path", { d: "M" + path(points), fill: "none", stroke, "stroke-width": 2.2, "stroke-opacity": opacity, "stroke-linejoin": "round", "stroke-dasharray": dashed ? "6 5" : null }));
    if (!dashed) parts.push(...points.map(({ x, y }) => s("circle", { cx: across(x), cy: up(y), r: 3.6, fill: stroke, "fill-opacity": opacity }, s("title", `${name}: ${short(y)}`))));
    return { name, stroke, opacity, y: up(points[points.length - 1].y) + 4 };
  }).sort((p, q) => p.y - q.y);
  names.forEach((one, k) => {
    if (k) one.y = Math.max(one.y, names[k - 1].y + 16);
    parts.push(label(width - right + 10, one.y, shorten(one.name, Math.floor((right - 12) / 6.8)), { fill: one.stroke, "fill-opacity": one.opacity, "font-weight": 600 }));
  });
  return drawing(width, height, says, ...parts);
};

/** @type {Charts["largest"]} */
export const largest = (cells) => Math.max(1e-9, ...cells.map((row) => Math.max(0, ...row)));

/** @type {Charts["picture"]} */
export const picture = (cells, most, x, y, side) => {
  const size = 4, drawn = document.createElement("canvas"), context = drawn.getContext("2d");
  drawn.width = drawn.height = Math.max(1, cells.length * size);
  cells.forEach((row, j) => row.forEach((value, m) => {
    if (!context) return;
    context.fillStyle = heat(value / most);
    context.fillRect(m * size, j * size, size, size);
  }));
  return s("image", { href: drawn.toDataURL(), x, y, width: side, height: side, class: "grain" });
};

// Matrices beside or below each other, with one scale.
/** @type {Looks} */
export const matrices = ({ looks, width, chosen, choose }) => {
  const beside = width >= 640 ? looks.length : 1, gap = 34, n = Math.max(...looks.map(({ pieces }) => pieces.length));
  const letters = Math.min(11, Math.max(...looks.flatMap(({ pieces }) => pieces.map((piece) => piece.length)))), left = 14 + letters * 7.5, over = 26 + letters * 6;
  const cell = Math.max(2, Math.min(34, ((width - gap * (beside - 1)) / beside - left - 24) / n)), most = Math.max(...looks.map(({ cells }) => largest(cells)));
  const every = Math.ceil(14 / cell), across = left + n * cell + gap, down = over + n * cell + 30;
  return drawing(Math.min(width, beside * across + 30), Math.ceil(looks.length / beside) * down + 6, "Attention as matrices", ...looks.map(({ title, pieces, cells }, p) => {
    const x0 = (p % beside) * across + left, y0 = Math.floor(p / beside) * down + over, side = pieces.length * cell, tip = s("title");
    const at = (from = 0, to = 0, where = 0) => Math.min(pieces.length - 1, Math.max(0, Math.floor(((where - from) / (to - from)) * pieces.length)));
    const names = pieces.flatMap((piece, j) => {
      if (j % every !== 0 && !chosen(j)) return [];
      const style = { "font-weight": chosen(j) ? 700 : 400, class: "pick", click: () => choose(j) }, x = x0 + (j + 0.5) * cell + 4;
      return [label(x0 - 7, y0 + (j + 0.5) * cell + 4, shorten(piece, 11), { ...kEnd, ...style }),
        label(x, y0 - 8, shorten(piece, 11), { transform: `rotate(-55 ${x} ${y0 - 8})`, ...style })];
    });
    return s("g", label(x0, y0 + side + 22, title, { "font-weight": 600 }), ...names,
      ...(n > 48 ? [picture(cells, most, x0, y0, side)] : cells.flatMap((row, j) => row.map((value, m) => box(x0 + m * cell, y0 + j * cell, cell + 0.3, cell + 0.3, { fill: heat(value / most) })))),
      box(x0, y0, side, side, { fill: "transparent", stroke: "currentColor", "stroke-opacity": 0.35, class: "pick",
        mousemove: (e) => {
          const area = e.target.getBoundingClientRect(), j = at(area.top, area.bottom, e.clientY), m = at(area.left, area.right, e.clientX);
          tip.textContent = `${pieces[j]} looks at ${pieces[m]}: ${short(cells[j][m])}`;
        },
        click: (e) => {
          const area = e.target.getBoundingClientRect();
          choose(at(area.left, area.right, e.clientX));
        } }, tip));
  }));
};

// Lines from the tokens that look, on the left, to those that are looked at; the more, the wider.
/** @type {Looks} */
export const threads = ({ looks, width, chosen, choose }) => {
  const beside = width >= 640 ? looks.length : 1, step = 24, each = width / beside, down = Math.max(...looks.map(({ pieces }) => pieces.length)) * step + 46;
  const most = Math.max(...looks.map(({ cells }) => largest(cells)));
  return drawing(width, Math.ceil(looks.length / beside) * down, "Attention as lines", ...looks.map(({ title, pieces, cells }, p) => {
    const x0 = (p % beside) * each + 92, x1 = x0 + each - 192, y0 = Math.floor(p / beside) * down + 34, middle = (x0 + x1) / 2, any = pieces.some((_, j) => chosen(j));
    const curves = cells.flatMap((row, j) => row.map((value, m) => {
      const share = value / most, mine = !any || chosen(j) || chosen(m), y = y0 + j * step, z = y0 + m * step;
      return share < 0.03 ? null : s("path", { d: `M${x0} ${y}C${middle} ${y} ${middle} ${z} ${x1} ${z}`, fill: "none", stroke: mine ? curve("orange") : "currentColor",
        "stroke-width": 0.5 + 4.5 * share, "stroke-opacity": (mine ? 0.85 : 0.13) * (0.25 + 0.75 * share) });
    }));
    return s("g", label(x0 - 84, y0 - 18, title, { "font-weight": 600 }), ...curves, ...pieces.flatMap((piece, j) => {
      const style = { "font-weight": chosen(j) ? 700 : 400, class: "pick", click: () => choose(j) }, y = y0 + j * step + 4;
      return [label(x0 - 8, y, shorten(piece, 12), { ...kEnd, ...style }), label(x1 + 8, y, shorten(piece, 12), style)];
    }));
  }));
};
