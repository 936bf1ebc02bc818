// The types of the page (app/page), for scripts/page_types.sh: contracts of what its modules give each other. This file
// is not a part of the page; nothing but the check reads it.

// dom.js

type Child = Node | string | number | null | undefined | false;
/** Functions are listeners, by the name of their event; null, undefined and false leave an attribute out. */
type Attributes = Record<string, string | number | boolean | null | undefined | ((event: any) => any)>;

type Part = Attributes | Child;
type TagOf<T> = T extends `${infer K}.${string}` ? K : T;
type ElementOf<K> = K extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[K] : never;

interface Dom {
  /** An HTML element of "tag.class.class", with attributes and children in any order. Texts become text nodes and
   * never markup. */
  h<T extends string>(tag: T, ...parts: Part[]): ElementOf<TagOf<T>>;
  /** An SVG element. */
  s(tag: string, ...parts: Part[]): SVGElement;
  /** The element of index.html with this id. */
  by_id(id: string): any;
  /** A number with three digits that count; – for none. */
  short(value: number | null | undefined): string;
  /** The same without zeros at the end. */
  plain(value: number): string;
  percent(share: number): string;
  time(seconds: number): string;
  /** At most `most` characters. */
  shorten(text: string, most: number): string;
  /** "1 word", "2,800 words". */
  counted(count: number, one: string): string;
  /** A sentence of the program, with a capital and a full stop. */
  sentence(text: string): string;
  /** A select that is bound to a key of the state. */
  picker(key: keyof State, label: string): HTMLSelectElement;
  /** Shows options (value, text) in a select and chooses one. */
  offer(select: HTMLSelectElement, options: string[][], value: string | number): void;
  /** A control with its name. */
  field(name: string, ...controls: Child[]): HTMLLabelElement;
  /** A slider over given values, bound to a key of the state. */
  slider(key: keyof State, name: string, label: string, values: number[]): { element: HTMLElement; show(value: number, text?: string): void };
  /** 1 for the arrow to the right, −1 for that to the left, else 0. */
  arrow(event: KeyboardEvent): number;
  /** A row of buttons (value, text, title) of which one is pressed. `closed` cannot be chosen. */
  choice(label: string, options: string[][], choose: (value: string) => void): { element: HTMLElement; show(value: string, closed?: string): void };
  button(text: string, click: () => void, kind?: string): HTMLButtonElement;
  /** What makes a part of a chart a button. */
  pressable(label: string, pressed: boolean, act: () => void): Attributes;
}

// state.js

type State = typeof import("./page/state.js").kFirst;

// api.js

/** Refused, failed or unreachable; `kind` is usage, data, file, internal, stopped, key (it is not the server's) or
 * gone. */
type Trouble = Error & { kind: string };
/** What is being done; `before` jobs of other tabs come first. */
interface Job { label: string; since: number; what: string; done: number; total: number; before: number }
/** `row`, `token` and `remark` are called with the events of that name, `failed` when there will be no answer. */
interface AskOptions { row?: (row: any) => void; token?: (token: any) => void; remark?: (remark: any) => void; failed?: () => void; fresh?: boolean }
/** Asks /api/`endpoint`; `label` says for people what is done. The promise never settles where there is no answer:
 * when a new question to the same endpoint stopped this one, or when it failed, which the page says. An answer that
 * was given before is given again at once, unless it has to be fresh. */
type Ask = (endpoint: string, body: Record<string, any>, label: string, how?: AskOptions) => Promise<any>;

/** Work of a view that asks `endpoints`. `want` stops it and does it again where the key is another, after `pause`
 * ms, unless it is the first; says whether that is so. `live` says in the work whether it is still wanted. An empty
 * key wants nothing. */
type Worker_ = (endpoints: string[], pause: number, work: (live: () => boolean) => void) => { want(key: any[]): boolean; leave(): void };

// figure.js

/** A frame with a title and buttons for its export. `draw` makes the chart for a width, again whenever that changes;
 * without it the frame holds `body`. `name` of the result changes the title and the note. */
type Figure = (of: { title: string; name: string; draw?: (width: number) => SVGElement | null; table?: () => Record<string, any>[]; body?: HTMLElement; note?: string }) =>
  { element: HTMLElement; redraw(): void; name(title: string, note?: string): void };

// chart.js: every chart is drawn at a width in pixels, and `says` what it shows to those who do not see it.

interface Bar { name: string; value: number | null; share: number; note: string; chosen: boolean; choose: () => void }
interface Point { x: number; y: number; spread?: number }
/** A pale one is being computed again. */
interface Series { name: string; colour: string; points: Point[]; dashed?: boolean; pale?: boolean }
/** A matrix of attention: rows look at columns. */
interface Look { title: string; pieces: string[]; cells: number[][] }
type Looks = (of: { looks: Look[]; width: number; chosen: (place: number) => boolean; choose: (place: number) => void }) => SVGElement;

interface Charts {
  /** The colour of a curve, for this theme. */
  curve(name: string): string;
  /** The colour of a share from 0 to 1. */
  heat(share: number): string;
  /** The ink that is read best on it. */
  ink(share: number): string;
  drawing(width: number, height: number, says: string, ...parts: Child[]): SVGElement;
  label(x: number, y: number, text: string, more?: Attributes): SVGElement;
  box(x: number, y: number, width: number, height: number, more: Attributes, ...children: Child[]): SVGElement;
  /** A bar for each row, with its note behind it. */
  bars(width: number, says: string, rows: Bar[]): SVGElement;
  /** Lines, each with its name at its end. */
  lines(of: { says: string; x: string; y: string; ticks: [number, string][]; series: Series[]; width: number; height?: number; log?: boolean; low?: number; high?: number;
    line?: { y: number; text: string } }): SVGElement;
  largest(cells: number[][]): number;
  /** A matrix as pixels. */
  picture(cells: number[][], most: number, x: number, y: number, side: number): SVGElement;
}

// text.js

/** `begin` and `end` in UTF-16 units of the text. */
interface Word { token: number; tokens: number; begin: number; end: number }
/** `words` are the first 2048 of `count`. */
interface Tokens { pieces: string[]; words: Word[]; count: number }
/** A share of null is a word without a value; null, one of which nothing is known yet. */
type Shown = { share: number | null; says: string } | null;
interface Texts {
  /** Where a character, which the server counts, begins in UTF-16 units, which JavaScript counts. */
  units_of(text: string): (character: number) => number;
  tokens_of(model: string, text: string): Promise<Tokens>;
  /** What is chosen while nobody has chosen. */
  suggest(token: number): void;
  is_chosen(word: { token: number; tokens: number }): boolean;
  /** A token as people read it, without the marks for spaces. */
  readable(piece: string): string;
  /** The text with its words as buttons: arrow keys go from one to the next, Enter opens. */
  word_buttons(open?: () => void): { element: HTMLElement; focus(): void; show(text: string, words: Word[], value: (word: Word) => Shown): void };
  /** Where a text begins and ends to differ from another, at borders of words. */
  difference(a: string, b: string): { begin: number; end: number };
  /** A text with the part that differs from another marked. */
  marked(text: string, other: string): HTMLElement;
  /** What has to be said of a decoder. */
  causal_note(decoder: boolean): string;
  /** A card with the words of the text to choose from. `show` gives the tokens, or nothing where there are none or
   * the state has changed. */
  text_card(page: Page, lead: string, rest: string): { element: HTMLElement; focus(): void; show(state: State, changed: boolean): Promise<Tokens | null> };
}

// The views, and what they may ask of the page (main.js).

interface View { element: HTMLElement; focus(): void; update(state: State): void; leave(): void }
interface Model { name: string; loaded: boolean; layers?: number; heads?: number; decoder?: boolean }
interface Page {
  /** Shows for a moment what was done. */
  say(text: string): void;
  /** What /api/models said. */
  facts(): any;
  /** Shows how long the text is. */
  count(tokens: Tokens): void;
  model(name: string): Model | undefined;
  decoder(name: string): boolean;
  /** What `layer` can be: values and texts. */
  outputs(name: string): string[][];
  /** Those that are decoders, and those of which nothing is known yet. */
  decoders(): string[];
  presets(): { name: string; cosine: number }[];
}
type MakeView = (page: Page) => View;

// words.js

type Measured = "typical" | "worst_change" | "antonym_change" | "dropped" | "sensitivity";
type Row = { word: string; token: number; tokens: number; begin: number; end: number; worst_word: string | null; synonym: string | null; antonym: string | null; synonym_change: number | null } & Record<Measured, number | null>;
