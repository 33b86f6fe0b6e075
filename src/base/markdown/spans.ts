import type { MarkdownInline } from './nodes.ts';

/** Where a marked stretch lies in the source: its opening mark, what is inside, its closing mark. */
export interface InlineSpan {
  readonly type: 'strong' | 'emphasis' | 'strike' | 'spoiler' | 'code' | 'link' | 'image' | 'sign';
  readonly from: number;
  readonly inner: number;
  readonly innerEnd: number;
  readonly end: number;
}

/** Marks that may still close. With more than this many open, the oldest is only a sign. */
const MAX_OPEN = 24;
/** A run of marks longer than this is a line to fill in or to look at. */
const MAX_RUN = 3;

const ESCAPABLE = /[!-/:-@[-`{-~]/;
const ENTITY = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(amp|lt|gt|quot|apos|nbsp));/y;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };
const AUTOLINK = /<((?:https?|mailto):[^\s<>]+)>/y;
const BARE_LINK = /https?:\/\/[^\s<>[\]`"|\\*\u3000-\u303f\uff00-\uff60]+/y;
/** What may begin anything but a word. */
const SIGN = /[\\&\n`<![\]*_~|]|h(?=ttps?:\/\/)/g;
const LINE_TAG = /<br[ \t]*\/?>/iy;
const TITLE = /\s+(?:"[^"]*"|'[^']*')\s*\)/y;
const isBlank = (sign: string | undefined): boolean => sign === undefined || /\s/.test(sign);
const isLetter = (sign: string | undefined): boolean => sign !== undefined && /[\p{L}\p{N}]/u.test(sign);
const isAsciiLetter = (sign: string | undefined): boolean => sign !== undefined && /[A-Za-z0-9]/.test(sign);

/** A mark in the output that a later one may close. */
interface OpenMark {
  readonly sign: string;
  /** How many signs of it are left. */
  count: number;
  /** Where it stands among the nodes, and in the source. */
  readonly node: number;
  readonly at: number;
}

/** The nodes of one block's text, in one pass. A mark that never closes is the sign itself. */
export const parseSpans = (source: string): readonly MarkdownInline[] => new SpanReader(source, []).read();

/** Where the marked stretches of a block's text lie, escapes and entities among them, and where marks stand that do not close. */
export function findSpans(source: string): { readonly spans: readonly InlineSpan[]; readonly unclosed: readonly number[] } {
  const spans: InlineSpan[] = [];
  const reader = new SpanReader(source, spans);
  reader.read();
  return { spans: spans.toSorted((one, other) => one.from - other.from || other.end - one.end), unclosed: reader.unclosed };
}

class SpanReader {
  readonly #source: string;
  readonly #spans: InlineSpan[];
  readonly #nodes: MarkdownInline[] = [];
  readonly #open: OpenMark[] = [];
  readonly #nextTicks: ReadonlyMap<number, number>;
  readonly #closing: ReadonlyMap<number, number>;
  readonly #strayTicks: number[] = [];
  #at = 0;
  #plainFrom = 0;

  constructor(source: string, spans: InlineSpan[]) {
    this.#source = source;
    this.#spans = spans;
    this.#nextTicks = source.includes('`') ? matchTicks(source) : NOTHING;
    this.#closing = source.includes('](') ? matchParentheses(source) : NOTHING;
  }

  get unclosed(): readonly number[] {
    return [...this.#strayTicks, ...this.#open.map(({ at }) => at)];
  }

  read(): readonly MarkdownInline[] {
    while (this.#toNextSign()) if (!this.#step()) this.#at++;
    this.#flush();
    return joinText(this.#nodes);
  }

  /** Steps over letters; false at the end. */
  #toNextSign(): boolean {
    SIGN.lastIndex = this.#at;
    const found = SIGN.exec(this.#source);
    this.#at = found?.index ?? this.#source.length;
    return found !== null;
  }

  /** Reads what begins here; false when it is only a letter. */
  #step(): boolean {
    const sign = this.#source[this.#at] ?? '';
    return STEPS[sign]?.(this) ?? false;
  }

  static readonly steps: Readonly<Record<string, (reader: SpanReader) => boolean>> = {
    '\\': (reader) => reader.#escape(),
    '&': (reader) => reader.#entity(),
    '\n': (reader) => reader.#lineEnd(),
    '`': (reader) => reader.#code(),
    '<': (reader) => reader.#tag(),
    h: (reader) => reader.#bareLink(),
    '!': (reader) => reader.#source[reader.#at + 1] === '[' && reader.#bracket('!['),
    '[': (reader) => reader.#bracket('['),
    ']': (reader) => reader.#link(),
    '*': (reader) => reader.#mark('*'),
    _: (reader) => reader.#mark('_'),
    '~': (reader) => reader.#mark('~'),
    '|': (reader) => reader.#mark('|'),
  };

  #flush(): void {
    if (this.#plainFrom < this.#at) this.#nodes.push({ type: 'text', text: this.#source.slice(this.#plainFrom, this.#at) });
  }

  /** Puts what was read up to `end`, after the plain text before it. */
  #put(end: number, ...nodes: readonly MarkdownInline[]): true {
    this.#flush();
    this.#nodes.push(...nodes);
    this.#at = end;
    this.#plainFrom = end;
    return true;
  }

  #span(type: InlineSpan['type'], from: number, inner: number, innerEnd: number, end: number): void {
    this.#spans.push({ type, from, inner, innerEnd, end });
  }

  #escape(): boolean {
    const next = this.#source[this.#at + 1];
    if (next === '\n') return this.#put(this.#at + 1);
    if (next === undefined || !ESCAPABLE.test(next)) return false;
    this.#span('sign', this.#at, this.#at, this.#at + 2, this.#at + 2);
    return this.#put(this.#at + 2, { type: 'text', text: next });
  }

  #entity(): boolean {
    ENTITY.lastIndex = this.#at;
    const found = ENTITY.exec(this.#source);
    const text = found === null ? undefined : decodeEntity(found);
    if (found === null || text === undefined) return false;
    const end = this.#at + found[0].length;
    this.#span('sign', this.#at, this.#at, end, end);
    return this.#put(end, { type: 'text', text });
  }

  #lineEnd(): boolean {
    let end = this.#at;
    while (end > this.#plainFrom && this.#source[end - 1] === ' ') end--;
    const next = this.#at + 1;
    this.#at = end;
    return this.#put(next, { type: 'break' });
  }

  #code(): boolean {
    const from = this.#at;
    const length = countRun(this.#source, from);
    const close = this.#nextTicks.get(from);
    if (close === undefined) {
      this.#strayTicks.push(from);
      this.#at += length;
      return true;
    }
    const end = close + length;
    this.#span('code', from, from + length, close, end);
    return this.#put(end, { type: 'code', text: trimCode(this.#source.slice(from + length, close)) });
  }

  #tag(): boolean {
    LINE_TAG.lastIndex = this.#at;
    const line = LINE_TAG.exec(this.#source);
    if (line !== null) return this.#put(this.#at + line[0].length, { type: 'break' });
    AUTOLINK.lastIndex = this.#at;
    const found = AUTOLINK.exec(this.#source);
    const href = found?.[1];
    if (found === null || href === undefined) return false;
    const end = this.#at + found[0].length;
    this.#span('link', this.#at, this.#at + 1, end - 1, end);
    return this.#put(end, { type: 'link', href, children: [{ type: 'text', text: href.replace(/^mailto:/, '') }] });
  }

  /** An address in the text keeps its signs: none of them is a mark. */
  #bareLink(): boolean {
    if (isLetter(this.#source[this.#at - 1])) return false;
    BARE_LINK.lastIndex = this.#at;
    const found = BARE_LINK.exec(this.#source)?.[0];
    if (found === undefined) return false;
    const end = this.#at + trimAddress(found);
    this.#span('link', this.#at, this.#at, end, end);
    this.#at = end;
    return true;
  }

  #bracket(sign: '[' | '!['): boolean {
    const at = this.#at;
    this.#put(at + sign.length, { type: 'text', text: sign });
    return this.#push({ sign, count: 1, node: this.#nodes.length - 1, at });
  }

  #push(mark: OpenMark): true {
    if (this.#open.length >= MAX_OPEN) this.#open.shift();
    this.#open.push(mark);
    return true;
  }

  #link(): boolean {
    const index = this.#open.findLastIndex(({ sign }) => sign === '[' || sign === '![');
    const opened = this.#open[index];
    const target = opened === undefined ? undefined : this.#target(this.#at + 1);
    if (opened === undefined || target === undefined) return false;
    const close = this.#at;
    const { sign, at } = opened;
    this.#put(target.end);
    const children = joinText(this.#nodes.splice(opened.node + 1));
    this.#nodes.pop();
    this.#open.length = index;
    this.#span(sign === '[' ? 'link' : 'image', at, at + sign.length, close, target.end);
    if (sign === '![') return this.#put(target.end, { type: 'image', href: target.href, alt: readWords(children) });
    // A link holds no link: brackets that are still open are signs.
    for (let other = this.#open.length - 1; other >= 0; other--) if (this.#open[other]?.sign === '[') this.#open.splice(other, 1);
    return this.#put(target.end, { type: 'link', href: target.href, children });
  }

  /** The address in parentheses that begins here. */
  #target(at: number): { readonly href: string; readonly end: number } | undefined {
    const source = this.#source;
    if (source[at] !== '(') return undefined;
    const from = at + 1;
    if (source[from] === '<') return readAngled(source, from);
    const close = this.#closing.get(at);
    if (close === undefined) return undefined;
    if (source[close] === ')') return { href: unescape(source.slice(from, close)), end: close + 1 };
    const end = readTitle(source, close);
    return end === undefined || close === from ? undefined : { href: unescape(source.slice(from, close)), end };
  }

  #mark(sign: string): boolean {
    const source = this.#source;
    const count = countRun(source, this.#at);
    const before = source[this.#at - 1];
    const after = source[this.#at + count];
    const isWord = sign === '_' ? isLetter : isAsciiLetter;
    const free = sign === '~' || (count >= 2 && sign === '*');
    const isPair = sign === '~' || sign === '|';
    if (isPair ? count !== 2 : count > MAX_RUN) return this.#skip(count);
    const canClose = !isBlank(before) && (free || !isWord(after));
    const canOpen = !isBlank(after) && (free || !isWord(before));
    const left = canClose ? this.#close(sign, count) : count;
    if (left === 0) return true;
    if (!canOpen) return this.#skip(left);
    const at = this.#at;
    this.#put(at + left, { type: 'text', text: sign.repeat(left) });
    return this.#push({ sign, count: left, node: this.#nodes.length - 1, at });
  }

  #skip(count: number): true {
    this.#at += count;
    return true;
  }

  /** Closes what a run of marks closes; how many of its signs are left. */
  #close(sign: string, count: number): number {
    let left = count;
    while (left > 0) {
      const use = left >= 2 ? 2 : 1;
      const index = this.#open.findLastIndex((mark) => mark.sign === sign && (use === 2 ? mark.count >= 2 : mark.count !== 2));
      const fallback = index < 0 && left === MAX_RUN ? this.#open.findLastIndex((mark) => mark.sign === sign && mark.count === 1) : index;
      const mark = this.#open[fallback];
      if (mark === undefined) break;
      left -= this.#wrap(mark, fallback, index < 0 ? 1 : use);
    }
    return left;
  }

  #wrap(mark: OpenMark, index: number, use: number): number {
    const end = this.#at + use;
    const close = this.#at;
    this.#put(end);
    const children = joinText(this.#nodes.splice(mark.node + 1));
    mark.count -= use;
    const inner = mark.at + mark.count + use;
    this.#nodes.pop();
    this.#open.length = mark.count === 0 ? index : index + 1;
    if (mark.count > 0) this.#nodes.push({ type: 'text', text: mark.sign.repeat(mark.count) });
    const type = markTypes[mark.sign + String(use)] ?? 'emphasis';
    this.#span(type, inner - use, inner, close, end);
    this.#nodes.push({ type, children });
    return use;
  }
}
const STEPS = SpanReader.steps;
const NOTHING: ReadonlyMap<number, number> = new Map();

const markTypes: Readonly<Record<string, 'strong' | 'emphasis' | 'strike' | 'spoiler'>> = {
  '*2': 'strong',
  _2: 'strong',
  '*1': 'emphasis',
  _1: 'emphasis',
  '~2': 'strike',
  '|2': 'spoiler',
};

function countRun(source: string, at: number): number {
  let end = at + 1;
  while (source[end] === source[at]) end++;
  return end - at;
}

/** For each run of ticks the next one of the same length, found once for the whole text. */
function matchTicks(source: string): ReadonlyMap<number, number> {
  const next = new Map<number, number>();
  const seen = new Map<number, number>();
  for (const { 0: run, index } of [...source.matchAll(/`+/g)].toReversed()) {
    const close = seen.get(run.length);
    if (close !== undefined) next.set(index, close);
    seen.set(run.length, index);
  }
  return next;
}

/** For each `(` where its address ends: at its `)`, or at the blank before. */
function matchParentheses(source: string): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  let open: number[] = [];
  for (const { 0: sign, index } of source.matchAll(/\\.|[()]|\s+/g)) {
    if (sign === '(') open.push(index);
    else if (sign === ')') ends.set(open.pop() ?? -1, index);
    else if (!sign.startsWith('\\')) {
      // Only the innermost can have a title behind it; the others hold an open parenthesis.
      const last = open.at(-1);
      if (last !== undefined) ends.set(last, index);
      open = [];
    }
  }
  return ends;
}

function readTitle(source: string, at: number): number | undefined {
  TITLE.lastIndex = at;
  const found = TITLE.exec(source);
  return found === null ? undefined : at + found[0].length;
}

function readAngled(source: string, from: number): { readonly href: string; readonly end: number } | undefined {
  let close = from + 1;
  while (close < source.length && !'<>\n'.includes(source[close] ?? '')) close++;
  if (source[close] !== '>') return undefined;
  const end = source[close + 1] === ')' ? close + 2 : readTitle(source, close + 1);
  return end === undefined ? undefined : { href: unescape(source.slice(from + 1, close)), end };
}

const unescape = (text: string): string => text.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1');

/** How much of it is the address: marks and stops at its end belong to the sentence. */
function trimAddress(found: string): number {
  let end = found.length;
  while (end > 0 && '*_~.,;:!?)\'"'.includes(found[end - 1] ?? '')) end--;
  return end;
}

function decodeEntity([, decimal, hex, name]: RegExpExecArray): string | undefined {
  if (name !== undefined) return ENTITIES[name];
  const code = decimal === undefined ? Number.parseInt(hex ?? '0', 16) : Number(decimal);
  const isSign = code > 0 && code <= 0x10_ffff && (code < 0xd800 || code > 0xdfff);
  return isSign ? String.fromCodePoint(code) : undefined;
}

/** A blank on each side keeps ticks within from the marks. */
function trimCode(text: string): string {
  const line = text.replaceAll('\n', ' ');
  const isPadded = line.length > 2 && line.startsWith(' ') && line.endsWith(' ') && line.trim() !== '';
  return isPadded ? line.slice(1, -1) : line;
}

function joinText(nodes: readonly MarkdownInline[]): readonly MarkdownInline[] {
  const out: MarkdownInline[] = [];
  let texts: string[] = [];
  const flush = () => {
    if (texts.length > 0) out.push({ type: 'text', text: texts.join('') });
    texts = [];
  };
  for (const node of nodes) {
    if (node.type === 'text') texts.push(node.text);
    else {
      flush();
      out.push(node);
    }
  }
  flush();
  return out;
}

/** The words of some nodes without their marks. */
function readWords(nodes: readonly MarkdownInline[]): string {
  return nodes
    .map((node) => {
      if ('children' in node) return readWords(node.children);
      if (node.type === 'break') return ' ';
      return node.type === 'image' ? node.alt : node.text;
    })
    .join('');
}
