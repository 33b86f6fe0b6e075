import { takeStart } from '../../../../base/text.ts';

/** Roles a person can act on: their refs are what commands need. */
const ACTS =
  'button checkbox combobox link listbox menuitem menuitemcheckbox menuitemradio option radio searchbox slider spinbutton switch tab textbox treeitem';
const INTERACTIVE: ReadonlySet<string> = new Set(ACTS.split(' '));
/** Roles that only hold others: without a name of their own they say nothing. */
const HOLDERS: ReadonlySet<string> = new Set(
  'generic list listitem group paragraph table rowgroup row cell img figure region section article banner main contentinfo complementary navigation none presentation strong emphasis code separator'.split(
    ' ',
  ),
);
const TEXT_CHARS = 200;
/** Indent, role, name in quotes, marks in brackets, and what follows the colon. */
const LINE = /^( *- )([a-z]+)( "(?:[^"\\]|\\.)*")?((?: \[[^\]]*\])*)(:?)(.*)$/i;
const PROPERTY = /^ *- \/[a-z-]+:/i;
/** Keys with special characters come in single quotes. */
const QUOTED = /^( *- )'((?:[^']|'')*)'(.*)$/;

interface OutlineFrame {
  readonly depth: number;
  readonly shift: number;
}

/**
 * What can be read and acted on, without the scaffolding: holders without words go and their contents move up, long texts
 * are cut, and only what can be acted on keeps its ref. Lines it does not know stay.
 */
export function compact(snapshot: string): string {
  const lines: string[] = [];
  const stack: OutlineFrame[] = [];
  for (const line of snapshot.split('\n')) {
    const depth = indent(line);
    while ((stack.at(-1)?.depth ?? -1) >= depth) stack.pop();
    const shift = stack.at(-1)?.shift ?? 0;
    const kept = PROPERTY.test(line) ? undefined : slim(line);
    stack.push({ depth, shift: kept === undefined ? shift + 2 : shift });
    if (kept !== undefined && kept !== '') lines.push(kept.slice(Math.min(shift, depth)));
  }
  return lines.map((line, index) => (line.endsWith(':') && indent(lines[index + 1]) <= indent(line) ? line.slice(0, -1) : line)).join('\n');
}

const indent = (line = ''): number => line.length - line.trimStart().length;

function slim(line: string): string | undefined {
  const plain = line.replace(QUOTED, (_, dash: string, key: string, rest: string) => `${dash}${key.replaceAll("''", "'")}${rest}`);
  const [, dash = '', role, name = '', marks = '', colon = '', words = ''] = LINE.exec(plain) ?? [];
  if (role === undefined) return cut(plain);
  const clickable = marks.includes('[cursor=pointer]') && !INTERACTIVE.has(role);
  const acts = INTERACTIVE.has(role) || clickable;
  if (HOLDERS.has(role) && !acts && `${name}${words}`.trim() === '') return undefined;
  const kept = marks.replaceAll(acts ? NOISE : NOISE_AND_REF, '');
  return `${dash}${role}${cut(name)}${kept}${clickable ? ' [clickable]' : ''}${colon}${cut(words)}`;
}
const NOISE = / \[(?:active|cursor=\w+)\]/g;
const NOISE_AND_REF = / \[(?:active|cursor=\w+|ref=\w+)\]/g;

const cut = (words: string): string => (words.length <= TEXT_CHARS ? words : `${takeStart(words, TEXT_CHARS)}…`);

/** A ref as the model may write it: `@e5`, `e5`, `ref=e5`, `[ref=f1e5]`. */
export function parseRef(given: string): string | undefined {
  return /^\[?@?(?:ref=)?((?:f\d+)?e\d+)\]?$/.exec(given.trim())?.[1];
}
