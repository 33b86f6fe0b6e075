import { type Handed, line, words } from '../run/handed.ts';
import { ACTS } from './acts.ts';
import { HIDING } from './hiding.ts';
import { isUnknown } from '../values/marks.ts';
import { type Token, tokensOf } from './tokens.ts';
import { split, valueOf } from './values.ts';

/** Names that take their arguments without parentheses. */
const BARE =
  /^(?:system|exec|unlink|rmtree|rmdir|rename|truncate|chmod|chown|kill|open|eval|spawn|print|File\.delete|FileUtils\.\w+|rm_rf|rm_r|do|require)$/;
/** Calls read in one piece of code; a longer one is rather asked about. */
const MOST_TOKENS = 20_000;

/** What a piece of code does to the world, as far as its calls show it. */
export function codeActs(code: string, pay: (steps: number) => void): Handed[] {
  const tokens = tokensOf(code, pay);
  if (tokens.length > MOST_TOKENS) return [{ type: 'danger', key: 'unreadable', reason: 'its code is too long to be read' }];
  const names = assignments(tokens);
  const mentions = (pattern: RegExp): boolean => pattern.test(code);
  const acts = tokens.flatMap((token, at): readonly Handed[] => {
    if (token.type === 'line') return isTemplate(code) ? [] : [line(token.text)];
    const name = lastPart(token.text);
    const act = token.type === 'name' && Object.hasOwn(ACTS, name) ? ACTS[name] : undefined;
    if (act === undefined || tokens[at - 1]?.text === 'def' || tokens[at - 1]?.text === 'function') return [];
    const args = argumentsAt(tokens, at + 1, BARE.test(token.text));
    if (args === undefined) return isHandedAlong(tokens, at) ? LOST : [];
    return act({ name: token.text, args: split(args), on: receiver(tokens, at), names, mentions });
  });
  return [...acts, ...loose(acts, tokens), ...named(tokens), ...wholes(code)];
}

const LOST: readonly Handed[] = [{ type: 'danger', key: 'code_delete', reason: 'its code deletes files that are only known when it runs' }];
/** `map(os.unlink, …)`, or Perl's bare `unlink`, which takes the line at hand. */
function isHandedAlong(tokens: readonly Token[], at: number): boolean {
  const { text = '' } = tokens[at] ?? {};
  const [before, next] = [tokens[at - 1]?.text ?? ';', tokens[at + 1]];
  if (!/(?:^|\.)(?:unlink|unlinkSync|rmtree|rmSync|remove|rmdir|removedirs|rm_rf)$/.test(text)) return false;
  if (text.includes('.')) return /^[(,=]$/.test(before) && (next === undefined || /^[,);]$/.test(next.text));
  return text === 'unlink' && /^[;{(]$|^&&$|^and$/.test(before) && (next === undefined || next.type === 'end' || /^[})]$/.test(next.text));
}

/** Code that writes where it does not say may write to any path it names. */
const loose = (acts: readonly Handed[], tokens: readonly Token[]): Handed[] =>
  acts.some((act) => act.type === 'file' && isUnknown(act.write))
    ? tokens
        .filter(({ type, text }) => type === 'text' && /^(?:~|\/)[\w.~-]/.test(text) && text.length < 200)
        .slice(0, 10)
        .map(({ text }) => ({ type: 'file', write: `${text.replace(/\/$/, '')}/x` }))
    : [];

/** Paths that stand in the code by themselves: a secret one is read sooner or later. */
const named = (tokens: readonly Token[]): Handed[] =>
  tokens
    .filter(({ type, text }) => type === 'text' && text.length < 200 && /^(?:~|\/|\.)[^\s*]*$|\/\.[a-z]/.test(text))
    .slice(0, 40)
    .map(({ text }) => words(['cat', '--', text]));

const lastPart = (name: string): string => name.split(/\.|::|->|\?\./).at(-1) ?? '';
/** In JavaScript backticks are texts. */
const isTemplate = (code: string): boolean =>
  !/->\w+\s*\(|\$\w+\s*=|::new\b/.test(code) && /\b(?:const|let|require|console|process|import\s*\(|=>|await)\b|=>/.test(code);

/** `x = 'text'`, which later calls name. */
function assignments(tokens: readonly Token[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const [at, { type, text }] of tokens.entries()) {
    if (type !== 'name' || tokens[at + 1]?.text !== '=') continue;
    const end = tokens.findIndex((token, index) => index > at && (token.type === 'end' || index > at + 12));
    names.set(text, valueOf(tokens.slice(at + 2, end < 0 ? tokens.length : end), names));
    if (names.size > 200) return names;
  }
  return names;
}

/** The tokens between the parentheses that open here; with `bare`, those up to the end of the statement. */
function argumentsAt(tokens: readonly Token[], start: number, bare: boolean): readonly Token[] | undefined {
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
function receiver(tokens: readonly Token[], at: number): readonly Token[] {
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

/** What only shows in the whole of it: every pattern of a row holds somewhere. */
const FORKS =
  /\bloop\s*(?:\{|do)\s*\bfork\b|\bfork\b(?:\(\))?\s*while\b|\b(?:while|until)\b[^;\n]{0,80}\bfork\b|\b(?:while|for|loop)\b[^]{0,80}\bfork\s*(?:\(|;|$)/;
const WHOLES: readonly (readonly [patterns: readonly RegExp[], key: string, reason: string])[] = [
  ...HIDING,
  [
    [
      /socket|TCPSocket|fsockopen|\bnet\b.{0,4}\.(?:Socket|connect|createConnection)|\/inet\/tcp/i,
      /\/bin\/(?:ba|da|z)?sh|pty\.spawn|subprocess|\bexec|cmd\.exe|dup2|spawn/,
    ],
    'reverse_shell',
    'it ties a shell to a connection',
  ],
  [
    [
      /os\.environ\b(?!\.get|\[)|process\.env\b(?!\.\w|\[)|\bENV\.to|\$ENV\b(?!\{)|getenv\(\)/,
      /requests\.|urlopen|http\.|fetch\s*\(|Net::HTTP|LWP|socket|sendall|curl/,
    ],
    'secrets_sent',
    'it sends the environment away',
  ],
  [
    [
      /\beval\b|\bFunction\s*\(|\bexec\s*\(|instance_eval|runIn\w+Context|loadstring|\bload\s*\(/,
      /\bfetch\b|https?:|urlopen|requests\.|atob|b64decode|fromhex|Net::HTTP|LWP|decode_base64|unpack|\bpack\b|marshal|Buffer\.from|base64/,
    ],
    'hidden_code',
    'it runs code that is packed or fetched first',
  ],
  [
    [/usercustomize|sitecustomize|getusersitepackages|\.pth\b|LaunchAgents|crontab|authorized_keys|\.bashrc|\.profile|autostart/],
    'persistence',
    'its code writes to what is run later',
  ],
  [
    [
      /\bHOME\b|home\(\)|homedir|expanduser|~\/|Dir\.home/,
      /rmtree|unlink|\.remove\b|rm_rf|rmSync|\bdelete\b|truncate|rmdir|\brm\b|rename|writeFile|write_text|['"][wa]b?\+?['"]/,
    ],
    'code_outside',
    'its code changes files in the home folder',
  ],
  [
    [
      /sqlite3|psycopg|pymysql|mysql|mongo|redis|DBI|PDO|pg\b/i,
      /\bdrop\s+(?:table|database)|\bdelete\s+from\s+\w+\s*['"`;)]|\btruncate\s|dropDatabase|flushall|deleteMany\s*\(\s*(?:\{\s*\})?\s*\)/i,
    ],
    'database_loss',
    'its code deletes data from a database',
  ],
  [
    [/\bwhile\s*\(?\s*(?:True|true|1)\b|for\s*\(\s*;;|\bloop\s*(?:do|\{)/, /append|push|\+=|concat|<<|write/],
    'resources',
    'its code grows without end',
  ],
  [
    [/\*\s*(?:10\s*\*\*\s*(?:9|1\d)|1e(?:9|1\d)|1\s*<<\s*3\d)|'\s*x\s*1e\d|\.repeat\(\s*(?:1e9|2\s*\*\*\s*3)/],
    'resources',
    'its code takes very much memory',
  ],
  [
    [
      /environ|process\.env|\bENV\[|getenv|\$ENV\{/,
      /PASS(?:WORD|WD)|SECRET|TOKEN|API_?KEY|CREDENTIAL|_KEY\b/,
      /print|console\.log|puts|echo|post|urlopen|fetch|write/,
    ],
    'secret_read',
    'its code shows a secret variable',
  ],
  [[/getppid|os\.killpg/], 'kill_system', 'its code ends the agent or a group of processes'],
  [[/pynput|keyboard\.(?:on_press|record)|ImageGrab|pyautogui\.screenshot|mss\b/], 'spying', 'its code watches the keyboard or the screen'],
];
const wholes = (code: string): Handed[] => [
  ...(FORKS.test(code.slice(0, 20_000))
    ? [{ type: 'danger', key: 'fork_bomb', reason: 'it starts processes without end', floor: true } satisfies Handed]
    : []),
  ...WHOLES.flatMap(([patterns, key, reason]) =>
    patterns.every((pattern) => pattern.test(code)) ? [{ type: 'danger', key, reason } satisfies Handed] : [],
  ),
];
