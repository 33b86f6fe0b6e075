/**
 * Reads the plain YAML that nearly every head is written in: `key: value` lines, lists of scalars, tables by indentation,
 * every scalar as a string. It gives what the `yaml` package gives, or `undefined` at the first sign of anything else;
 * loading that package costs more than all heads together.
 */
export function parsePlainHead(text: string): HeadTable | undefined {
  const plain = text.replaceAll('\r\n', '\n');
  if (ODD.test(plain)) return undefined;
  const lines = linesOf(plain);
  if (lines?.[0]?.indent !== 0) return undefined;
  const way: HeadCursor = { lines, next: 0 };
  const table = tableAt(way, 0);
  return way.next === lines.length ? table : undefined;
}

export interface HeadTable {
  [key: string]: HeadValue;
}
type HeadValue = string | string[] | HeadTable;

/** Control characters, and white space other than a space or a line's end: YAML and JavaScript do not agree on them. */
const ODD = /[^\n -~\u00a1-\uffff]|[^\S\n ]/;

interface HeadLine {
  readonly indent: number;
  /** Absent: an item of a list. */
  readonly key?: string;
  readonly value: string;
}
interface HeadCursor {
  readonly lines: readonly HeadLine[];
  next: number;
}

/** A key begins with a letter: nothing that YAML or JavaScript has a meaning of its own for. */
const ENTRY = /^( *)([A-Za-z][\w-]{0,63}):(?: +(.*))?$/;
const ITEM = /^( *)- +(.+)$/;

function linesOf(text: string): readonly HeadLine[] | undefined {
  const lines: HeadLine[] = [];
  for (const raw of text.split('\n')) {
    const bare = raw.trim();
    if (bare === '' || bare.startsWith('#')) continue;
    const line = lineOf(raw.trimEnd());
    if (line === undefined) return undefined;
    lines.push(line);
  }
  return lines;
}

function lineOf(text: string): HeadLine | undefined {
  const [, indent, key, value = ''] = ENTRY.exec(text) ?? [];
  if (indent !== undefined && key !== undefined) return { indent: indent.length, key, value };
  const [, before, item] = ITEM.exec(text) ?? [];
  return before === undefined || item === undefined ? undefined : { indent: before.length, value: item };
}

/** The entries at this indentation; what stands further in without a key to belong to is for the caller to stumble over. */
function tableAt(way: HeadCursor, indent: number): HeadTable | undefined {
  const table: HeadTable = {};
  for (let line = way.lines[way.next]; line?.indent === indent && line.key !== undefined; line = way.lines[way.next]) {
    way.next += 1;
    const value = line.value === '' ? below(way, indent) : valueOf(line.value);
    if (value === undefined || Object.hasOwn(table, line.key)) return undefined;
    table[line.key] = value;
  }
  return table;
}

/** What a key without a value on its line has: a table further in, a list that may stand under the key itself, or nothing. */
function below(way: HeadCursor, indent: number): HeadValue | undefined {
  const line = way.lines[way.next];
  if (line === undefined || line.indent < indent) return '';
  if (line.key === undefined) return listAt(way, line.indent);
  return line.indent === indent ? '' : tableAt(way, line.indent);
}

function listAt(way: HeadCursor, indent: number): string[] | undefined {
  const items: string[] = [];
  for (let line = way.lines[way.next]; line?.indent === indent && line.key === undefined; line = way.lines[way.next]) {
    const item = scalarOf(line.value);
    if (item === undefined) return undefined;
    items.push(item);
    way.next += 1;
  }
  return items;
}

const valueOf = (text: string): HeadValue | undefined => (text.startsWith('[') ? flowOf(text) : scalarOf(text));

const QUOTED = /^(?:"[^"\\]*"|'[^']*')$/;
/** Starts with nothing that YAML gives a meaning to, … */
const PLAIN = /^[^\s\-?:,[\]{}#&*!|>'"%@`]/;
/** … and holds no beginning of a table or a comment. */
const MARKS = /: | #|:$/;

function scalarOf(text: string): string | undefined {
  if (QUOTED.test(text)) return text.slice(1, -1);
  return PLAIN.test(text) && !MARKS.test(text) ? text : undefined;
}

/** One item of `[a, "b", 'c']` and what ends it; no colon outside of quotes, so no table can hide in it. */
const FLOW_ITEM = / *("[^"\\]*" *|'[^']*' *|[^ ,[\]{}:#][^,[\]{}:#]*)(,|\]$)/y;

function flowOf(text: string): string[] | undefined {
  const items: string[] = [];
  if (EMPTY.test(text)) return items;
  FLOW_ITEM.lastIndex = 1;
  for (let last = false; !last;) {
    const [, item = '', end] = FLOW_ITEM.exec(text) ?? [];
    const scalar = scalarOf(item.trimEnd());
    if (scalar === undefined) return undefined;
    items.push(scalar);
    last = end === ']';
  }
  return items;
}
const EMPTY = /^\[ *\]$/;
