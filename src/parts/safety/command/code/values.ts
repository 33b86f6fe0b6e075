import { LONGEST_VALUE, MARK } from '../values/marks.ts';
import type { CodeToken } from './tokens.ts';

/** Names around a path that do not change which path it is. */
const THROUGH =
  /^(?:(?:os|fs|path|pathlib|posixpath|File|Dir|URI|shlex|process|str|String|b|f|r|u)(?:\.(?:path|posix|fsencode))?|(?:[\w.]*\.)?(?:Path|PurePath|PosixPath|join|resolve|normalize|expanduser|expandvars|abspath|realpath|expand_path|joinpath|absolute|new|as_posix|quote|strip|environ|ENV|ENVIRON|env|getenv|get|glob|rglob|Deno|\$ENV|String\.raw))$/;
const HOME = /(?:^|[.:])(?:home|homedir|HOME|HERMES_HOME)$/;
/** Folders and files a language makes up for what is not meant to last. */
const TEMPORARY = /(?:^|[.:])(?:tmpdir|gettempdir|tempdir|temp_dir|sys_get_temp_dir)$/;
const MADE_UP =
  /(?:^|[.:])(?:mkdtemp(?:Sync)?|mkstemp|mktemp|mktmpdir|TemporaryDirectory|NamedTemporaryFile|tempnam|tmpnam|makeTempDirSync|makeTempDir)$/;
/** Functions that bring in what stands in a file or comes from elsewhere. */
const READS =
  /(?:^|\.)(?:open|read|read_text|readlines?|readFile(?:Sync)?|file_get_contents|urlopen|fetch|recv|b64decode|atob|stdin)$|^(?:requests|httpx)\.get$/;
const JOINS = /(?:^|\.)(?:join|joinpath|resolve|Path|r?glob)$/;

/** The interpreter that runs the code, as a program. */
const ITSELF: Readonly<Record<string, string>> = { 'process.execPath': 'node', 'process.argv0': 'node', 'sys.executable': 'python3' };

/** What simple assignments have given to names. */
export interface CodeNames {
  get(name: string): string | undefined;
  /** What a list or a table of its holds. */
  many?(name: string): readonly string[] | undefined;
}

/** The home folder, and the agent's own in it, as an expression in whatever language says it. */
const HOMES: readonly (readonly [says: RegExp, path: string])[] = [
  [/\bHERMES_HOME\b/, '~/.hermes'],
  [/\bhome(?:dir)?\(\)|Dir\.home|\bHOME\b|expanduser\(\s*['"]~\/?['"]\s*\)/, '~'],
];
const isKey = (word: string): boolean => /^(?:HOME|HERMES_HOME)$/.test(word);
const homeIn = (expression: string): string | undefined => HOMES.find(([says]) => says.test(expression))?.[1];

/** A text with what is known of the values that are put into it. */
function textOf({ text, holes = [] }: CodeToken, names: CodeNames): string {
  const plain = text.replaceAll(/\$[A-Za-z_]\w*/g, (name) => names.get(name) ?? name);
  const pieces = plain.split(MARK.unknown);
  if (holes.length === 0 || pieces.length !== holes.length + 1) return plain;
  return pieces.reduce((all, piece, at) => {
    const hole = (holes[at - 1] ?? '').trim();
    return all + (names.get(hole) ?? homeIn(hole) ?? MARK.unknown) + piece;
  });
}

/** The text an expression stands for; marked as unknown where it cannot be told. */
export function evaluateExpression(tokens: readonly CodeToken[], names: CodeNames): string {
  const [only, ...others] = tokens;
  // By itself such a name is a variable like any other.
  if (only?.type === 'name' && others.length === 0 && /^[a-z_]+$/.test(only.text) && THROUGH.test(only.text))
    return names.get(only.text) ?? MARK.unknown;
  let [text, joins] = ['', false];
  for (const [at, token] of withoutKeys(tokens, names).entries()) {
    if (token.type === 'text')
      text = joined(text, (isKey(token.text) && isLookup(tokens, at) ? homeIn(token.text) : undefined) ?? textOf(token, names), joins);
    else if (token.type === 'name') {
      const known = names.get(token.text);
      if (JOINS.test(token.text)) joins = true;
      if (MADE_UP.test(token.text)) return madeUp(tokens.slice(at + 1));
      if (HOME.test(token.text)) text = joined(text, homeIn(token.text) ?? '~', joins);
      else if (TEMPORARY.test(token.text)) text = '/tmp';
      else if (Object.hasOwn(ITSELF, token.text)) text = joined(text, ITSELF[token.text] ?? '', joins);
      else if (known !== undefined) text = joined(text, known, joins);
      else if (!THROUGH.test(token.text)) text += READS.test(token.text) ? MARK.unknown + MARK.outside : MARK.unknown;
    } else if (token.type === 'mark') {
      if (token.text === '/') joins = true;
      else if (!/^[-+.,()[\]{}:|]$/.test(token.text)) text += MARK.unknown;
    } else if (token.type === 'line') text += textOf(token, names);
    // Names that stand for each other would grow without end.
    if (text.length > LONGEST_VALUE) return MARK.unknown;
  }
  return text;
}

/** `table["key"]`: which of its values is meant is told elsewhere. */
function withoutKeys(tokens: readonly CodeToken[], names: CodeNames): readonly CodeToken[] {
  const at = tokens.findIndex((token, index) => tokens[index + 1]?.text === '[' && names.many?.(token.text) !== undefined);
  const end = at < 0 ? -1 : tokens.findIndex((token, index) => index > at && token.text === ']');
  return end < 0 ? tokens : [...tokens.slice(0, at + 1), ...tokens.slice(end + 1)];
}

/** A name of its own in the folder for such files, unless another folder is named. */
const madeUp = (rest: readonly CodeToken[]): string =>
  rest.some(({ type, text }) => (type === 'text' && /^(?:~|\/(?!tmp(?:\/|$)))/.test(text)) || text === 'dir')
    ? MARK.unknown
    : `/tmp/${MARK.name}`;
/** `environ['HOME']`: the text is a key. */
const isLookup = (tokens: readonly CodeToken[], at: number): boolean =>
  /environ|ENV|ENVIRON|getenv|env$|get$/.test(tokens[at - 2]?.text ?? '');
const joined = (text: string, more: string, slash: boolean): string => {
  if (!slash || text === '') return text + more;
  return more.startsWith('/') ? more : `${text.replace(/\/$/, '')}/${more}`;
};

/** The values of a list, one word each; a text with blanks made by `%w` is several. */
export const evaluateList = (tokens: readonly CodeToken[], names: CodeNames): string[] =>
  split(tokens.filter((token) => !(token.type === 'mark' && /^[[\](){}]$/.test(token.text))))
    .map((each) => evaluateExpression(each, names))
    .filter((each) => each !== '');

/** Arguments, at the commas of the outermost level. */
export function split(tokens: readonly CodeToken[]): CodeToken[][] {
  const all: CodeToken[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (token.type === 'mark' && /^[([{]$/.test(token.text)) depth++;
    if (token.type === 'mark' && /^[)\]}]$/.test(token.text)) depth--;
    if (depth === 0 && token.type === 'mark' && token.text === ',') all.push([]);
    else all.at(-1)?.push(token);
  }
  return all.filter((each) => each.length > 0);
}
