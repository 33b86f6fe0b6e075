import { isUnknown, MARK } from '../values/marks.ts';
import { ACTS } from './acts.ts';
import type { CodeToken } from './tokens.ts';
import { type CodeNames, split, evaluateExpression } from './values.ts';

const lastPart = (name: string): string => name.split(/\.|::|->|\?\./).at(-1) ?? '';
const isAct = (token: CodeToken | undefined): boolean => token?.type === 'name' && Object.hasOwn(ACTS, lastPart(token.text));

/** Other names a program gives to what acts: `import system as s`, `{ execSync: x }`, `x = os.system`. */
export function findAliases(tokens: readonly CodeToken[]): ReadonlyMap<string, string> {
  const aliases = new Map<string, string>();
  for (const [at, token] of tokens.entries()) {
    if (!isAct(token)) continue;
    const [two, one, next, other] = [tokens[at - 2], tokens[at - 1], tokens[at + 1], tokens[at + 2]];
    const name = lastPart(token.text);
    if (next?.text === 'as' && other?.type === 'name') aliases.set(other.text, name);
    if (next?.text === ':' && other?.type === 'name' && /^[{,]$/.test(one?.text ?? '') && /^[},]$/.test(tokens[at + 3]?.text ?? ''))
      aliases.set(other.text, name);
    const dotted = one?.text === '.' ? at - 3 : at - 1;
    const assigns = one?.text === '=' ? two : tokens[dotted]?.text === '=' ? tokens[dotted - 1] : undefined;
    if (assigns?.type === 'name' && next?.text !== '(' && next?.text !== '.') aliases.set(assigns.text, name);
  }
  return aliases;
}

/** A name and the value a statement gives to it. */
export interface NameAssignment {
  readonly at: number;
  readonly name: string;
  readonly value: string;
  /** The values of a list or a table. */
  readonly items?: readonly string[];
}
/** More than these are not followed. */
const MAX_GIVEN = 400;

/** `x = 'text'`, `x: str = 'text'` and `x += 'more'`, which later calls name. */
export function findAssignments(tokens: readonly CodeToken[]): NameAssignment[] {
  const given: NameAssignment[] = [];
  const names = new Map<string, string>();
  for (const [at, { type, text }] of tokens.entries()) {
    const start = type === 'name' ? valueAt(tokens, at) : undefined;
    const temporary = type === 'name' && tokens[at - 1]?.text === 'as' ? temporaryAt(tokens, at - 1) : undefined;
    if (temporary !== undefined) {
      for (const name of [text, `${text}.name`]) {
        names.set(name, temporary);
        given.push({ at, name, value: temporary });
      }
    }
    if (start === undefined) continue;
    const rest = tokens.slice(start, start + 16);
    const end = rest.findIndex((token) => token.type === 'end');
    const more = evaluateExpression(end < 0 ? rest : rest.slice(0, end), names);
    const value = /^[+.]$/.test(tokens[at + 1]?.text ?? '') ? (names.get(text) ?? '') + more : more;
    names.set(text, value);
    const items = itemsOf(tokens, start, names);
    given.push({ at, name: text, value, ...(items !== undefined && { items }) });
    if (given.length > MAX_GIVEN) return given;
  }
  return given;
}
/** `with TemporaryDirectory() as d`: a folder nobody else has. */
function temporaryAt(tokens: readonly CodeToken[], as: number): string | undefined {
  const before = tokens.slice(Math.max(0, as - 12), as);
  const value = evaluateExpression(before.slice(before.findLastIndex(({ text }) => /^(?:with|,|;)$/.test(text)) + 1), new Map());
  return value.startsWith(`/tmp/${MARK.name}`) ? value : undefined;
}
/** The texts of a list or a table that begins here. */
const LONGEST_LIST = 200;
function itemsOf(tokens: readonly CodeToken[], start: number, names: CodeNames): readonly string[] | undefined {
  if (tokens[start]?.type !== 'mark' || !/^[[{(]$/.test(tokens[start].text)) return undefined;
  let [depth, end] = [0, start];
  for (; end < Math.min(tokens.length, start + LONGEST_LIST); end++) {
    if (tokens[end]?.type !== 'mark') continue;
    if (/^[[{(]$/.test(tokens[end]?.text ?? '')) depth++;
    if (/^[\]})]$/.test(tokens[end]?.text ?? '') && --depth === 0) break;
  }
  const items = split(tokens.slice(start + 1, end).filter((token) => token.type !== 'end'));
  return items.map((item) => evaluateExpression(item.slice(item.findIndex(({ text }) => text === ':' || text === '=>') + 1), names));
}
/** Where the value begins that this name is given. */
function valueAt(tokens: readonly CodeToken[], at: number): number | undefined {
  const [one, two, three] = [tokens[at + 1]?.text ?? '', tokens[at + 2]?.text, tokens[at + 3]?.text];
  if (one === '=') return at + 2;
  if (/^[+.:]$/.test(one) && two === '=') return at + 3;
  return one === ':' && tokens[at + 2]?.type === 'name' && three === '=' ? at + 4 : undefined;
}

/** What names stand for at a place of the code: what they were given last before it, and what they are given in the end. */
export function createNameLookup(given: readonly NameAssignment[], { values, lists }: LoopValues): (at: number) => readonly CodeNames[] {
  const last = new Map([...values, ...given.map(({ name, value }) => [name, value] as const)]);
  const tables = new Map(given.flatMap(({ name, items }) => (items === undefined ? [] : [[name, items] as const])));
  const many = (name: string): readonly string[] | undefined => tables.get(name);
  const each = new Map([
    ...tables,
    ...[...lists].map(([name, from]) => [name, typeof from === 'string' ? (tables.get(from) ?? []) : from] as const),
  ]);
  const most = Math.min(MAX_VIEWS, Math.max(0, ...[...each.values()].map((items) => items.length)));
  const views = Array.from({ length: most }, (_, index): CodeNames => ({ many, get: (name) => each.get(name)?.[index] ?? last.get(name) }));
  const whole: CodeNames = { many, get: (name) => last.get(name) };
  const again = new Set(given.map(({ name }) => name)).size < given.length;
  return (at) => [
    ...(most === 0 ? [whole] : views),
    ...(again ? [{ many, get: (name: string) => given.findLast((one) => one.name === name && one.at < at)?.value ?? last.get(name) }] : []),
  ];
}
/** Values of one name that are told apart. */
const MAX_VIEWS = 8;
/** What loops give to their names: a value, or each of a list that stands there or has a name. */
export interface LoopValues {
  readonly values: ReadonlyMap<string, string>;
  readonly lists: ReadonlyMap<string, readonly string[] | string>;
}

/** `for x in <folder>`: the names a loop gives to what it finds, as far as the folder is known. */
export function findLoopValues(tokens: readonly CodeToken[]): LoopValues {
  const values = new Map<string, string>();
  const lists = new Map<string, readonly string[] | string>();
  for (const [at, { type, text }] of tokens.entries()) {
    if (type !== 'name' || text !== 'for' || values.size > 50) continue;
    const loop = loopAt(tokens, at + 1);
    if (loop === undefined) continue;
    const list = listIn(tokens, loop, values);
    const [own] = loop.own;
    if (own !== undefined && list !== undefined) lists.set(own.text, list);
    else named(loop.own, loop.source, values);
  }
  return { values, lists };
}
interface LoopTokens {
  readonly own: readonly CodeToken[];
  readonly source: readonly CodeToken[];
  /** Where the source begins. */
  readonly start: number;
}
function loopAt(tokens: readonly CodeToken[], at: number): LoopTokens | undefined {
  const rest = tokens.slice(at, at + 60);
  const middle = rest.findIndex((token) => /^(?:in|of)$/.test(token.text));
  const end = rest.findIndex((token, index) => index > middle && (token.type === 'end' || token.text === ':' || token.text === '{'));
  if (middle < 1 || middle > 8) return undefined;
  const own = rest.slice(0, middle).filter((token) => token.type === 'name' && !/^(?:const|let|var)$/.test(token.text));
  return { own, source: rest.slice(middle + 1, end < 0 ? rest.length : end), start: at + middle + 1 };
}
/** The list a loop goes through, when it stands there, or its name. */
function listIn(tokens: readonly CodeToken[], { source, start }: LoopTokens, names: CodeNames): readonly string[] | string | undefined {
  const items = itemsOf(tokens, start, names);
  if (items !== undefined && items.length > 0) return items;
  const [only, ...others] = source.filter(({ text }) => text !== ')');
  return only?.type === 'name' && others.length === 0 ? only.text : undefined;
}

function named(own: readonly CodeToken[], source: readonly CodeToken[], names: Map<string, string>): void {
  const value = evaluateExpression(
    source.filter(
      ({ text }) => !/(?:^|\.)(?:walk|fwalk|listdir|iterdir|scandir|readdirSync|sorted|list|reversed|glob\.i?glob|iglob)$/.test(text),
    ),
    names,
  );
  if (value === '' || isUnknown(value)) return;
  const walks = source.some(({ text }) => /(?:^|\.)f?walk$/.test(text));
  const lists = source.some(({ text }) => /(?:^|\.)(?:iterdir|scandir)$/.test(text));
  const bare = source.some(({ text }) => /(?:^|\.)(?:listdir|readdirSync)$/.test(text));
  const marked = value.replaceAll('**', MARK.name).replaceAll('*', MARK.star).replaceAll('?', MARK.one);
  for (const [index, { text }] of own.entries())
    names.set(text, bare || (walks && index > 0) ? MARK.name : lists || walks ? `${marked}/${MARK.name}` : marked);
}
