import { LONGEST_VALUE } from '../values/marks.ts';
import { findClosing, combineConstants, sliceConstant } from './combining.ts';
import { findConstants, isMark, takeLastPart } from './constants.ts';
import { type Constant, FOLDS, METHODS } from './folds.ts';
import type { CodeToken } from './tokens.ts';

/** A constant and where it ends. */
interface FoldedConstant {
  readonly value: Constant;
  readonly end: number;
}
/** Expressions within expressions; deeper ones stay as they are. */
const DEEPEST = 12;
const PASSES = 4;
/** How far one expression is read. */
const LONGEST_LIST = 4000;

/** A program in which what can be worked out beforehand is worked out: texts put together, turned round or unpacked. */
export function foldProgram(tokens: readonly CodeToken[]): CodeToken[] {
  let now = [...tokens];
  for (let pass = 0; pass < PASSES; pass++) {
    const next = new ConstantFolder(now, findConstants(now)).all();
    if (next.length === now.length) return next;
    now = next;
  }
  return now;
}

/** Functions that take one text without parentheses. */
const BARE = /^(?:reverse|lc|uc|chr|decode_base64)$/;

class ConstantFolder {
  private readonly tokens: readonly CodeToken[];
  private readonly constants: ReadonlyMap<string, string>;
  private steps = 0;
  constructor(tokens: readonly CodeToken[], constants: ReadonlyMap<string, string>) {
    this.tokens = tokens;
    this.constants = constants;
  }

  all(): CodeToken[] {
    const out: CodeToken[] = [];
    for (let at = 0; at < this.tokens.length;) {
      const token = this.tokens[at];
      if (token === undefined) break;
      const found = this.mayBegin(at) ? this.sum(at, 0) : undefined;
      if (found !== undefined && found.end > at + 1 && typeof found.value === 'string' && found.value.length < LONGEST_VALUE) {
        out.push({ type: 'text', text: found.value });
        at = found.end;
      } else {
        out.push(token);
        at++;
      }
    }
    return out;
  }

  /** Where a value may begin: not behind what is indexed or called. */
  private mayBegin(at: number): boolean {
    const [token, before] = [this.tokens[at], this.tokens[at - 1]];
    if (token?.type === 'text') return true;
    if (token?.type === 'name') return Object.hasOwn(FOLDS, this.foldOf(token.text)) || this.constants.has(this.holderOf(token.text));
    return (
      token?.type === 'mark' &&
      /^[[(]$/.test(token.text) &&
      !(before?.type === 'name' || before?.type === 'text' || /^[)\]]$/.test(before?.text ?? ''))
    );
  }
  private foldOf(name: string): string {
    return Object.hasOwn(FOLDS, name) ? name : takeLastPart(name);
  }
  /** `name.method`: the name, when it holds a text. */
  private holderOf(name: string): string {
    return this.constants.has(name) ? name : name.split('.').slice(0, -1).join('.');
  }

  /** Texts put together, filled in or repeated. */
  private sum(at: number, depth: number): FoldedConstant | undefined {
    let left = this.term(at, depth);
    while (left !== undefined) {
      const sign = this.tokens[left.end];
      if (sign?.type !== 'mark' || !/^[+.*%]$/.test(sign.text) || isMark(this.tokens[left.end + 1], '=')) return left;
      const right = this.term(left.end + 1, depth);
      const value = right === undefined ? undefined : combineConstants(left.value, sign.text, right.value);
      if (right === undefined || value === undefined) return left;
      left = { value, end: right.end };
    }
    return undefined;
  }

  private term(at: number, depth: number): FoldedConstant | undefined {
    if (depth > DEEPEST || ++this.steps > this.tokens.length * 20) return undefined;
    let now = this.primary(at, depth);
    for (let next = now; next !== undefined; next = this.postfix(next, depth)) now = next;
    return now;
  }

  private primary(at: number, depth: number): FoldedConstant | undefined {
    const token = this.tokens[at];
    if (token === undefined) return undefined;
    if (token.type === 'text') return token.holes === undefined ? { value: token.text, end: at + 1 } : undefined;
    if (isMark(token, '-')) {
      const number = this.primary(at + 1, depth + 1);
      return typeof number?.value === 'number' ? { value: -number.value, end: number.end } : undefined;
    }
    if (isMark(token, '[') || isMark(token, '(')) return this.list(at, depth);
    return token.type === 'name' ? this.named(token.text, at, depth) : undefined;
  }

  private named(name: string, at: number, depth: number): FoldedConstant | undefined {
    if (/^\d/.test(name)) return Number.isFinite(Number(name)) ? { value: Number(name), end: at + 1 } : undefined;
    if (name === 'map' || name === 'new') return name === 'new' ? this.primary(at + 1, depth + 1) : this.mapped(at, depth);
    const known = this.constants.get(name);
    // Where it is given its value it stands for itself.
    if (known !== undefined) return isMark(this.tokens[at + 1], '=') ? undefined : { value: known, end: at + 1 };
    const holder = this.constants.get(this.holderOf(name));
    if (holder !== undefined) return this.method(holder, takeLastPart(name), at + 1, depth);
    const fold = this.foldOf(name);
    const bare = BARE.test(name) ? this.primary(at + 1, depth + 1) : undefined;
    const turned = typeof bare?.value === 'string' ? FOLDS[fold]?.(bare.value) : undefined;
    if (bare !== undefined && turned !== undefined) return { value: turned, end: bare.end };
    const args = Object.hasOwn(FOLDS, fold) && isMark(this.tokens[at + 1], '(') ? this.list(at + 1, depth, true) : undefined;
    const value = Array.isArray(args?.value) ? FOLDS[fold]?.(...args.value) : undefined;
    return args === undefined || value === undefined ? undefined : { value, end: args.end };
  }
  /** `map(chr, [114, 109])`. */
  private mapped(at: number, depth: number): FoldedConstant | undefined {
    const [open, how, comma] = [this.tokens[at + 1], this.tokens[at + 2], this.tokens[at + 3]];
    if (!isMark(open, '(') || how?.text !== 'chr' || !isMark(comma, ',')) return undefined;
    const items = this.term(at + 4, depth + 1);
    if (items === undefined || !Array.isArray(items.value) || !isMark(this.tokens[items.end], ')')) return undefined;
    return { value: items.value.map((item: Constant) => FOLDS['chr']?.(item) ?? ''), end: items.end + 1 };
  }

  /** What stands between brackets; one value in parentheses is that value. */
  private list(open: number, depth: number, always = false): FoldedConstant | undefined {
    const made = this.generated(open + 1, depth);
    if (made !== undefined) return always ? { value: [made.value], end: made.end } : made;
    const items: Constant[] = [];
    let at = open + 1;
    for (; items.length < LONGEST_LIST && !/^[)\]]$/.test(this.tokens[at]?.text ?? ')');) {
      while (isMark(this.tokens[at], '.')) at++;
      const item = this.sum(at, depth + 1);
      if (item === undefined) return undefined;
      items.push(item.value);
      at = item.end;
      if (isMark(this.tokens[at], ',')) at++;
      else if (!/^[)\]]$/.test(this.tokens[at]?.text ?? '')) return undefined;
    }
    const [only] = items;
    const alone =
      isMark(this.tokens[open], '(') && !always && items.length === 1 && only !== undefined && !isMark(this.tokens[at - 1], ',');
    return { value: alone ? only : items, end: at + 1 };
  }
  /** `chr(c) for c in [114, 109])`, up to its bracket. */
  private generated(at: number, depth: number): FoldedConstant | undefined {
    const words = this.tokens.slice(at, at + 7).map(({ text }) => text);
    if (words[0] !== 'chr' || words[4] !== 'for' || words[6] !== 'in' || words[2] !== words[5]) return undefined;
    const items = this.term(at + 7, depth + 1);
    if (items === undefined || !Array.isArray(items.value) || !/^[)\]]$/.test(this.tokens[items.end]?.text ?? '')) return undefined;
    return { value: items.value.map((item: Constant) => FOLDS['chr']?.(item) ?? ''), end: items.end + 1 };
  }

  private postfix({ value, end }: FoldedConstant, depth: number): FoldedConstant | undefined {
    if (isMark(this.tokens[end], '[')) return this.indexed(value, end, depth);
    const name = this.tokens[end + 1];
    if (!isMark(this.tokens[end], '.') || name?.type !== 'name') return undefined;
    return this.method(value, name.text, end + 2, depth);
  }
  private method(on: Constant, name: string, open: number, depth: number): FoldedConstant | undefined {
    const [own, ...chained] = name.split('.');
    if (own === undefined || !Object.hasOwn(METHODS, own)) return this.each(on, name, open);
    const args = isMark(this.tokens[open], '(') ? this.list(open, depth, true) : { value: [], end: open };
    const value = args !== undefined && Array.isArray(args.value) ? METHODS[own]?.(on, ...args.value) : undefined;
    if (args === undefined || value === undefined) return undefined;
    return chained.length === 0 ? { value, end: args.end } : this.method(value, chained.join('.'), args.end, depth);
  }
  /** `[114, 109].map(c => String.fromCharCode(c))`. */
  private each(on: Constant, name: string, open: number): FoldedConstant | undefined {
    const inside = this.tokens.slice(open, open + 12);
    if (name !== 'map' || !Array.isArray(on) || !inside.some(({ text }) => /fromC\w+$|^chr$/.test(text))) return undefined;
    return { value: on.map((item: Constant) => FOLDS['chr']?.(item) ?? ''), end: findClosing(this.tokens, open) + 1 };
  }
  /** `[a]`, `[a:b]` and `[::-1]`. */
  private indexed(value: Constant, open: number, depth: number): FoldedConstant | undefined {
    const parts: (number | undefined)[] = [undefined];
    let at = open + 1;
    for (; !isMark(this.tokens[at], ']');) {
      if (isMark(this.tokens[at], ':')) parts.push(undefined);
      const number = isMark(this.tokens[at], ':') ? undefined : this.primary(at, depth + 1);
      if (number === undefined && !isMark(this.tokens[at], ':')) return undefined;
      if (number !== undefined && typeof number.value !== 'number') return undefined;
      if (typeof number?.value === 'number') parts[parts.length - 1] = number.value;
      at = number?.end ?? at + 1;
    }
    const part = sliceConstant(value, parts);
    return part === undefined ? undefined : { value: part, end: at + 1 };
  }
}
