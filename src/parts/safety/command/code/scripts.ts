import { type NestedAction, toLineAction, toCommandAction } from '../call/handed.ts';
import { ACTS } from './acts.ts';
import { isUnknown } from '../values/marks.ts';
import { foldProgram } from './folding.ts';
import { findAliases, findAssignments, findLoopValues, createNameLookup } from './names.ts';
import { findOwnCalls } from './own-calls.ts';
import { type CodeToken, tokenizeCode } from './tokens.ts';
import { type CodeNames, split, evaluateExpression } from './values.ts';
import { findWholeDangers } from './wholes.ts';

/** Names that take their arguments without parentheses. */
const BARE =
  /^(?:system|exec|unlink|rmtree|rmdir|rename|truncate|chmod|chown|kill|open|eval|spawn|print|File\.delete|FileUtils\.\w+|rm_rf|rm_r|do|require)$/;
/** Calls read in one piece of code; a longer one is rather asked about. */
const MAX_TOKENS = 60_000;

/** What a piece of code does to the world, as far as its calls show it. */
export function findCodeActions(code: string, pay: (steps: number) => void): NestedAction[] {
  const tokens = foldProgram(tokenizeCode(code, pay));
  if (tokens.length > MAX_TOKENS) return [{ type: 'danger', key: 'unreadable', reason: 'its code is too long to be read' }];
  const names = createNameLookup(findAssignments(tokens), findLoopValues(tokens));
  const own = findOwnCalls(tokens);
  const aliases = new Map([...findAliases(tokens), ...own.names]);
  const mentions = (pattern: RegExp): boolean => pattern.test(code);
  const acts = tokens.flatMap((token, at): readonly NestedAction[] => {
    if (token.type === 'line') return isTemplate(code) && tokens[at - 1]?.text !== '$' ? [] : [toLineAction(token.text)];
    const name = aliases.get(token.text) ?? lastPart(token.text);
    const act = token.type === 'name' && Object.hasOwn(ACTS, name) ? ACTS[name] : undefined;
    if (act === undefined || own.inner.has(at) || isNoCall(tokens, at)) return [];
    // `promisify(exec)('…')`: what is handed over is called at once.
    const passed = tokens[at + 1]?.text === ')' && tokens[at + 2]?.text === '(' ? at + 2 : at + 1;
    const args = argumentsAt(tokens, passed, BARE.test(token.text));
    if (args === undefined) return isHandedAlong(tokens, at) ? LOST : [];
    const call = { name: token.text, args: split(args), on: receiver(tokens, at), code, mentions };
    return names(at).flatMap((each) => act({ ...call, names: each }));
  });
  const [last] = names(0);
  return [...acts, ...loose(acts, texts(tokens, last)), ...named(texts(tokens, last)), ...findWholeDangers(code)];
}

/** Where a function is made or brought in by its name. */
function isNoCall(tokens: readonly CodeToken[], at: number): boolean {
  const before = tokens[at - 1]?.text ?? '';
  // A part of something that happens to be called so.
  if (tokens[at]?.text === 'require' && before === '>' && tokens[at - 2]?.text === '-') return true;
  if (/^(?:def|function|import)$/.test(before) || tokens[at + 1]?.text === 'as') return true;
  return (
    before === ',' &&
    tokens.slice(Math.max(0, at - 12), at).findLast(({ type, text }) => type === 'end' || text === 'import')?.text === 'import'
  );
}

const LOST: readonly NestedAction[] = [
  { type: 'danger', key: 'code_delete', reason: 'its code deletes files that are only known when it runs' },
];
/** `map(os.unlink, …)`, or Perl's bare `unlink`, which takes the line at hand. */
function isHandedAlong(tokens: readonly CodeToken[], at: number): boolean {
  const { text = '' } = tokens[at] ?? {};
  const [before, next] = [tokens[at - 1]?.text ?? ';', tokens[at + 1]];
  if (!/(?:^|\.)(?:unlink|unlinkSync|rmtree|rmSync|remove|rmdir|removedirs|rm_rf)$/.test(text)) return false;
  if (text.includes('.')) return /^[(,=]$/.test(before) && (next === undefined || /^[,);]$/.test(next.text));
  return text === 'unlink' && /^[;{(]$|^&&$|^and$/.test(before) && (next === undefined || next.type === 'end' || /^[})]$/.test(next.text));
}

/** Code that writes where it does not say may write to any path it names. */
const loose = (acts: readonly NestedAction[], all: readonly string[]): NestedAction[] =>
  acts.some((act) => act.type === 'file' && isUnknown(act.write))
    ? all
        .filter((text) => /^(?:~|\/)[\w.~/-]/.test(text) && text.length < 200)
        .slice(0, 10)
        .flatMap((text): NestedAction[] => [text, `${text.replace(/\/$/, '')}/x`].map((write) => ({ type: 'file', write })))
    : [];
/** Every text in the code, with what is known of the values in it. */
const texts = (tokens: readonly CodeToken[], names: CodeNames | undefined): readonly string[] =>
  tokens.flatMap((token) => (token.type === 'text' ? evaluateExpression([token], names ?? new Map()) : []));

/** Paths that stand in the code by themselves: a secret one is read sooner or later. */
const named = (all: readonly string[]): NestedAction[] =>
  all
    .filter((text) => text.length < 200 && /^(?:~|\/|\.)[^\s*]*\w[^\s*]*$|^~$|\/\.[a-z]/.test(text))
    .slice(0, 40)
    .map((text) => toCommandAction(['cat', '--', text]));

const lastPart = (name: string): string => name.split(/\.|::|->|\?\./).at(-1) ?? '';
/** In JavaScript backticks are texts. */
const isTemplate = (code: string): boolean =>
  !/->\w+\s*\(|\$\w+\s*=|::new\b/.test(code) && /\b(?:const|let|require|console|process|import\s*\(|=>|await)\b|=>/.test(code);

/** The tokens between the parentheses that open here; with `bare`, those up to the end of the statement. */
function argumentsAt(tokens: readonly CodeToken[], start: number, bare: boolean): readonly CodeToken[] | undefined {
  if (tokens[start]?.text !== '(' || tokens[start]?.type !== 'mark') {
    const stop = tokens
      .slice(start, start + 40)
      .findIndex((token) => token.type === 'end' || /^[})]$/.test(token.text) || /^(?:if|unless|for|while|or|and)$/.test(token.text));
    const rest = tokens.slice(start, stop < 0 ? start + 40 : start + stop);
    return bare && rest.length > 0 && rest[0]?.text !== '=' ? rest : undefined;
  }
  for (let [at, depth] = [start, 0]; at < Math.min(tokens.length, start + 400); at++) {
    const { type, text } = tokens[at] ?? { type: 'end', text: '' };
    if (type === 'mark' && /^[([{]$/.test(text)) depth++;
    if (type === 'mark' && /^[)\]}]$/.test(text) && --depth === 0) return tokens.slice(start + 1, at);
  }
  return tokens.slice(start + 1, start + 400);
}

/** `Path('x').unlink()`: what stands before the dot, up to the beginning of the statement. */
function receiver(tokens: readonly CodeToken[], at: number): readonly CodeToken[] {
  const own = tokens[at];
  const before = own?.text.split(/\.|->/).slice(0, -1).join('.') ?? '';
  if (tokens[at - 1]?.text !== '.') return before === '' ? [] : [{ type: 'name', text: before }];
  let depth = 0;
  for (let from = at - 2; from >= Math.max(0, at - 40); from--) {
    const { type, text } = tokens[from] ?? { type: 'end', text: '' };
    if (type === 'mark' && /^[)\]]$/.test(text)) depth++;
    if (type === 'mark' && /^[([]$/.test(text)) depth--;
    if (depth < 0 || (depth === 0 && (type === 'end' || text === '='))) return tokens.slice(from + 1, at - 1);
  }
  return tokens.slice(Math.max(0, at - 40), at - 1);
}
