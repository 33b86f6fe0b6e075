import { type NestedAction, toLineAction, toCommandAction } from '../call/handed.ts';
import { MARK } from '../values/marks.ts';
import { foldProgram } from './folding.ts';
import { findAssignments } from './names.ts';
import { type CodeToken, tokenizeCode } from './tokens.ts';
import { type CodeNames, evaluateExpression } from './values.ts';

/** What an `awk` program runs or writes: `system(…)`, `| "cmd"`, `"cmd" | getline`, `> "file"`. Names stand for what they were given. */
export function findAwkActions(code: string, given: ReadonlyMap<string, string>): NestedAction[] {
  const tokens = foldProgram(tokenizeCode(code, () => {}));
  const names = new Map([...given, ...findAssignments(tokens).map(({ name, value }) => [name, value] as const)]);
  const read = tokens.flatMap((token, at): NestedAction[] => {
    if (token.type === 'name') return byName(tokens, at, names);
    if (token.type === 'mark') return token.text === '>' && isOutput(tokens, at) ? writesTo(tokens, at + 1, names) : [];
    if (token.type === 'end' || token.type === 'pattern') return [];
    return piped(tokens, at, token.text);
  });
  const paths = tokens.flatMap(({ type, text }) =>
    type === 'text' && /^[~/]\w[\w./-]*$/.test(text) ? [toCommandAction(['cat', '--', text])] : [],
  );
  return [...read, ...paths.slice(0, 20), ...namedByOthers(tokens, read), ...(ENDLESS.test(code) && !LEAVES.test(code) ? [GROWS] : [])];
}
const ENDLESS = /\b(?:for\s*\(\s*;\s*;|while\s*\(\s*(?:1|"[^"]+")\s*\))[^]*\bprintf?\b[^]*>/;
const LEAVES = /\b(?:exit|break|getline|return)\b/;
const GROWS: NestedAction = { type: 'danger', key: 'resources', reason: 'its code grows without end' };
/** `while (("find …" | getline f) > 0) getline text < f`: what a command names is read. */
function namedByOthers(tokens: readonly CodeToken[], read: readonly NestedAction[]): NestedAction[] {
  const opens = tokens.some(
    ({ text }, at) =>
      text === '<' && tokens[at + 1]?.type === 'name' && tokens.slice(Math.max(0, at - 3), at).some((each) => each.text === 'getline'),
  );
  return opens ? read.flatMap((each) => (each.type === 'line' ? [toLineAction(`${each.line} | xargs cat`)] : [])) : [];
}
function byName(tokens: readonly CodeToken[], at: number, names: CodeNames): NestedAction[] {
  const { text } = tokens[at] ?? { text: '' };
  const known = names.get(text);
  if (text === 'system' && tokens[at + 1]?.text === '(') {
    const end = tokens.findIndex((each, index) => index > at && each.text === ')');
    return [toLineAction(evaluateExpression(tokens.slice(at + 2, end < 0 ? tokens.length : end), names).trim())];
  }
  if (text === 'ENVIRON' && tokens[at - 1]?.text === 'in') return [SHOWS_SECRET];
  if (text === 'ENVIRON' && /pass|secret|token|key|credential/i.test(tokens[at + 2]?.text ?? '')) return [SHOWS_SECRET];
  if (known !== undefined) return piped(tokens, at, known);
  return tokens[at + 1]?.text === '|' && tokens[at + 2]?.text === 'getline'
    ? [toLineAction(evaluateExpression(tokens.slice(at, at + 1), names))]
    : [];
}
/** A text that is read from, or is a command at one end of a pipe. */
function piped(tokens: readonly CodeToken[], at: number, text: string): NestedAction[] {
  const [before, next] = [tokens[at - 1]?.text, tokens[at + 1]?.text];
  if (before === '<' && [tokens[at - 2], tokens[at - 3]].some((each) => each?.text === 'getline'))
    return [toCommandAction(['cat', '--', text])];
  if (before === '|') return [toLineAction(`echo ${MARK.unknown} | ${text}`)];
  return next === '|' && tokens[at + 2]?.text === 'getline' ? [toLineAction(text)] : [];
}
/** The file behind a `>`, up to the end of the statement; a column of the input names files of its own. */
function writesTo(tokens: readonly CodeToken[], from: number, names: CodeNames): NestedAction[] {
  if (tokens[from]?.text === '>') return [];
  const end = tokens.findIndex(
    ({ type, text }, index) => index >= from && (type === 'end' || text === '}' || (type === 'mark' && text === '|')),
  );
  const write = evaluateExpression(tokens.slice(from, end < 0 ? tokens.length : end), names);
  return write === '' || write.startsWith(MARK.unknown) ? [] : [{ type: 'file', write }];
}
const SHOWS_SECRET: NestedAction = { type: 'danger', key: 'secret_read', reason: 'it shows a variable that holds a secret' };
/** Behind `print` a `>` is no comparison. */
const isOutput = (tokens: readonly { readonly text: string; readonly type: string }[], at: number): boolean =>
  tokens.slice(Math.max(0, at - 30), at).some(({ text }) => text === 'print' || text === 'printf');

/** What a `sed` script runs or writes: the command and the flag `e`, the command and the flag `w`. */
export function findSedActions(script: string): NestedAction[] {
  const handed: NestedAction[] = [];
  for (const part of script.split('\n')) {
    const command = /^\s*(?:\d+|\$|\/[^/]*\/)?(?:,(?:\d+|\$|\/[^/]*\/))?\s*!?\s*([ewW])(?:\s+(.*))?$/.exec(part);
    const [, name, rest = ''] = command ?? [];
    if (name === 'e') handed.push(rest === '' ? RUNS_TEXT : toLineAction(rest));
    else if (name !== undefined) handed.push({ type: 'file', write: rest });
    handed.push(...substitutions(part));
  }
  return handed;
}
const RUNS_TEXT: NestedAction = { type: 'danger', key: 'interpreter_code', reason: 'it runs the text it edits' };

function substitutions(part: string): NestedAction[] {
  const handed: NestedAction[] = [];
  for (const found of part.matchAll(/(?:^|[;{}\s\d$/!])s([^\w\s\\;])/g)) {
    const mark = found[1] ?? '/';
    let [at, left] = [found.index + found[0].length, 2];
    for (; at < part.length && left > 0; at++) {
      if (part[at] === '\\') at++;
      else if (part[at] === mark) left--;
    }
    const [, flags = '', file] = /^([gpiImMe\d]*)(?:w\s*(\S.*))?/.exec(part.slice(at)) ?? [];
    if (left === 0 && flags.includes('e')) {
      const text = part.slice(found.index + found[0].length, at - 1);
      handed.push(RUNS_TEXT, toLineAction(text.slice(text.indexOf(mark) + 1)));
    }
    if (left === 0 && file !== undefined) handed.push({ type: 'file', write: file });
  }
  return handed.slice(0, 20);
}
