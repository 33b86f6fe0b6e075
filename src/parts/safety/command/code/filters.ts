import { type Handed, line, words } from '../run/handed.ts';
import { MARK } from '../values/marks.ts';
import { tokensOf } from './tokens.ts';
import { valueOf } from './values.ts';

/** What an `awk` program runs or writes: `system(…)`, `| "cmd"`, `"cmd" | getline`, `> "file"`. */
export function awkActs(code: string, pay: (steps: number) => void): Handed[] {
  const tokens = tokensOf(code, pay);
  return tokens.flatMap((token, at): Handed[] => {
    const [before, next] = [tokens[at - 1], tokens[at + 1]];
    if (token.type === 'name' && token.text === 'system' && next?.text === '(') {
      const end = tokens.findIndex((each, index) => index > at && each.text === ')');
      return [line(valueOf(tokens.slice(at + 2, end < 0 ? tokens.length : end), new Map()).trim())];
    }
    if (token.text === 'ENVIRON' && before?.text === 'in') return [SHOWS_SECRET];
    if (token.text === 'ENVIRON' && /pass|secret|token|key|credential/i.test(tokens[at + 2]?.text ?? '')) return [SHOWS_SECRET];
    if (token.type === 'text' && before?.text === '<') return [words(['cat', '--', token.text])];
    if (token.type !== 'mark' && token.type !== 'name') {
      if (before?.text === '|') return [line(`echo ${MARK.unknown} | ${token.text}`)];
      if (next?.text === '|' && tokens[at + 2]?.text === 'getline') return [line(token.text)];
      if (before?.text === '>' || before?.text === '>&') return isOutput(tokens, at) ? [{ type: 'file', write: token.text }] : [];
    }
    if (token.text === '>' && next?.text === '(' && isOutput(tokens, at)) {
      const end = tokens.findIndex((each, index) => index > at && each.text === ')');
      return [{ type: 'file', write: valueOf(tokens.slice(at + 2, end < 0 ? tokens.length : end), new Map()) }];
    }
    return token.text === 'getline' && before?.text === '|' && tokens[at - 2]?.type === 'name'
      ? [line(valueOf([tokens[at - 2] ?? token], new Map()))]
      : [];
  });
}
const SHOWS_SECRET: Handed = { type: 'danger', key: 'secret_read', reason: 'it shows a variable that holds a secret' };
/** Behind `print` a `>` is no comparison. */
const isOutput = (tokens: readonly { readonly text: string; readonly type: string }[], at: number): boolean =>
  tokens.slice(Math.max(0, at - 30), at).some(({ text }) => text === 'print' || text === 'printf');

/** What a `sed` script runs or writes: the command and the flag `e`, the command and the flag `w`. */
export function sedActs(script: string): Handed[] {
  const handed: Handed[] = [];
  for (const part of script.split('\n')) {
    const command = /^\s*(?:\d+|\$|\/[^/]*\/)?(?:,(?:\d+|\$|\/[^/]*\/))?\s*!?\s*([ewW])(?:\s+(.*))?$/.exec(part);
    const [, name, rest = ''] = command ?? [];
    if (name === 'e') handed.push(rest === '' ? RUNS_TEXT : line(rest));
    else if (name !== undefined) handed.push({ type: 'file', write: rest });
    handed.push(...substitutions(part));
  }
  return handed;
}
const RUNS_TEXT: Handed = { type: 'danger', key: 'interpreter_code', reason: 'it runs the text it edits' };

function substitutions(part: string): Handed[] {
  const handed: Handed[] = [];
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
      handed.push(RUNS_TEXT, line(text.slice(text.indexOf(mark) + 1)));
    }
    if (left === 0 && file !== undefined) handed.push({ type: 'file', write: file });
  }
  return handed.slice(0, 20);
}
