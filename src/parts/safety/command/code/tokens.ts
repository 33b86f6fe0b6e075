import { decodeAnsiCEscapes } from '../../../../base/shell/ansi.ts';
import { MARK } from '../values/marks.ts';

/** A piece of a program in whatever language. Comments and blanks are gone. */
export interface CodeToken {
  readonly type: 'name' | 'text' | 'line' | 'pattern' | 'mark' | 'end';
  readonly text: string;
  /** What stands in a text where a value is put in, for each mark in it. */
  readonly holes?: readonly string[];
}

/** Texts between characters that differ by language; those that run as a line have a type of their own. */
const PIECES: readonly (readonly [pattern: RegExp, make: (found: RegExpExecArray) => CodeToken | undefined])[] = [
  [/[ \t\r\f\v]+|\\\n/y, () => undefined],
  [/#![^\n]*|\/\/[^\n]*|\/\*[^]*?\*\/|#(?![{$])[^\n]*/y, () => undefined],
  [/([rbuRBU]{0,2})("""|''')([^]*?)\2/y, (found) => text(found[3] ?? '', /r/i.test(found[1] ?? ''))],
  [/[fF][rRbB]?("""|'''|"|')((?:\\[^]|(?!\1)[^\\])*)\1/y, (found) => withHoles('text', found[2] ?? '', PYTHON_HOLE)],
  [/([rbuRBU]{0,2})"((?:\\[^]|#\{[^}]*\}|[^"\\])*)"/y, (found) => withHoles('text', found[2] ?? '', HOLE, /r/i.test(found[1] ?? ''))],
  [/([rbuRBU]{0,2})'((?:\\[^]|[^'\\])*)'/y, (found) => text(found[2] ?? '', /r/i.test(found[1] ?? ''))],
  [/`((?:\\[^]|[^`\\])*)`/y, (found) => withHoles('line', found[1] ?? '', HOLE)],
  [/(?:%x|qx)\s*(?:\{([^}]*)\}|\(([^)]*)\)|\/([^/]*)\/|\[([^\]]*)\])/y, (found) => withHoles('line', first(found), HOLE)],
  [/(?:%[qQ]?|qq?)(?:\{([^}]*)\}|\(([^)]*)\)|\/([^/]*)\/|\[([^\]]*)\])(?![\w])/y, (found) => withHoles('text', first(found), HOLE)],
  [/%w[[({]([^\])}]*)[\])}]|qw[[({]([^\])}]*)[\])}]/y, (found) => ({ type: 'text', text: first(found) })],
  [
    /[$@%]?[\p{L}_][\p{L}\p{N}_]*(?:(?:\.|::|->|\?\.)[\p{L}_][\p{L}\p{N}_]*)*[!?]?/uy,
    ([name]) => ({ type: 'name', text: name.normalize('NFKC') }),
  ],
  [/\d[\w.]*/y, ([digits]) => ({ type: 'name', text: digits })],
  [/\n|;/y, () => ({ type: 'end', text: ';' })],
  [/\|\||&&|=>|[=!]==?|[^]/y, ([mark]) => ({ type: 'mark', text: mark })],
];

const first = (found: RegExpExecArray): string => found.slice(1).find((each) => each !== undefined) ?? '';
const text = (value: string, raw = false): CodeToken => ({ type: 'text', text: raw ? value : decodeAnsiCEscapes(value) });
/** Where the language puts a value into a text. */
const PYTHON_HOLE = /\{([^{}]*)\}/g;
const HOLE = /(?:\$ENV|[$#])\{([^}]*)\}/g;
function withHoles(type: 'text' | 'line', value: string, hole: RegExp, raw = type === 'line'): CodeToken {
  const holes = [...value.matchAll(hole)].map(([whole, inner = '']) => (whole.startsWith('$ENV') ? `ENV[${inner}]` : inner));
  const marked = value.replaceAll(hole, MARK.unknown);
  return { type, text: raw ? marked : decodeAnsiCEscapes(marked), ...(holes.length > 0 && { holes }) };
}

/** A program as tokens, each character looked at about once. */
export function tokenizeCode(code: string, pay: (steps: number) => void): CodeToken[] {
  const tokens: CodeToken[] = [];
  for (let at = 0; at < code.length;) {
    const searched = patternAt(code, at, tokens.at(-1));
    if (searched !== undefined) {
      pay(searched.length);
      at += searched.length;
      tokens.push({ type: 'pattern', text: searched });
      continue;
    }
    for (const [pattern, make] of PIECES) {
      pattern.lastIndex = at;
      const found = pattern.exec(code);
      if (found === null) continue;
      pay(found[0].length);
      at = pattern.lastIndex;
      const token = make(found);
      if (token !== undefined) tokens.push(token);
      break;
    }
  }
  return modules(tokens);
}

const SEARCH = /\/(?![/*\s])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[gimsuxyc]*/y;
/** Perl's and Ruby's forms of it, as long as what is put in its place is no code. */
const REPLACE = /(?:(?:m|qr)\/(?:\\.|[^/\\\n])*\/|(?:s|tr|y)\/(?:\\.|[^/\\\n])*\/(?:\\.|[^/\\\n])*\/)[a-df-z]*(?![\w/])/y;
const BEFORE = /^(?:if|unless|and|or|not|split|grep|when|return|x|in|case|of|typeof|while|until|map)$/;
/** A pattern that is searched for, where a value may begin: what stands in it is no code. */
function patternAt(code: string, at: number, before: CodeToken | undefined): string | undefined {
  const begins =
    before === undefined || before.type === 'end' || (before.type === 'mark' ? !/^[)\]}]$/.test(before.text) : BEFORE.test(before.text));
  const pattern = code[at] === '/' && begins ? SEARCH : begins && /[msqty]/.test(code[at] ?? '') ? REPLACE : undefined;
  if (pattern === undefined) return undefined;
  pattern.lastIndex = at;
  return pattern.exec(code)?.[0];
}

/** `require('fs')` and `__import__('os')` are the module itself. */
const modules = (tokens: readonly CodeToken[]): CodeToken[] =>
  tokens.flatMap((token, at) => {
    const opened = (index: number): boolean =>
      /^(?:__import__|require|import_module|importlib\.import_module|import)$/.test(tokens[index]?.text ?? '') &&
      tokens[index + 1]?.text === '(' &&
      tokens[index + 2]?.type === 'text' &&
      tokens[index + 3]?.text === ')';
    if (opened(at)) return [{ type: 'name', text: (tokens[at + 2]?.text ?? '').replace(/^node:/, '') } satisfies CodeToken];
    return opened(at - 1) || opened(at - 2) || opened(at - 3) ? [] : [token];
  });
