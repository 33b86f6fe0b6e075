import type { CodeToken } from './tokens.ts';

/** What runs a command that it is given first. */
const RUNS =
  /(?:^|\.)(?:system|popen|run|call|check_output|check_call|getoutput|getstatusoutput|Popen|execSync|exec|spawnSync|spawn|execFileSync|execFile|shell_exec|passthru)$/;
/** Names that only cut a line into words. */
const CUTS = /(?:^|\.)(?:split|list|shlex|str|join)$/;
/** How far a function is read. */
const LONGEST_BODY = 160;

/** Functions of the program's own that run what they are given, and the calls in them that need no look of their own. */
export interface OwnCalls {
  readonly names: ReadonlyMap<string, string>;
  readonly inner: ReadonlySet<number>;
}

/** `def sh(cmd): subprocess.run(cmd)`: whoever calls `sh` runs what it is given. */
export function findOwnCalls(tokens: readonly CodeToken[]): OwnCalls {
  const names = new Map<string, string>();
  const inner = new Set<number>();
  for (const { name, parameter, body } of functionsIn(tokens)) {
    const end = Math.min(tokens.length, body + LONGEST_BODY);
    for (let at = body; at < end && !isHead(tokens[at]); at++) {
      if (!RUNS.test(tokens[at]?.text ?? '') || tokens[at]?.type !== 'name' || firstGiven(tokens, at + 1) !== parameter) continue;
      names.set(name, (tokens[at]?.text ?? '').split('.').at(-1) ?? '');
      inner.add(at);
    }
  }
  return { names, inner };
}

const isHead = (token: CodeToken | undefined): boolean => token?.type === 'name' && /^(?:def|function|class)$/.test(token.text);

interface OwnFunction {
  readonly name: string;
  readonly parameter: string;
  /** Where its body begins. */
  readonly body: number;
}

/** Functions by name: `def f(a`, `function f(a`, `f = (a) =>`, `f = lambda a:`. */
function functionsIn(tokens: readonly CodeToken[]): OwnFunction[] {
  return tokens.flatMap((token, at): OwnFunction[] => {
    const [one, two, three] = [tokens[at + 1], tokens[at + 2], tokens[at + 3]];
    if (isHead(token) && one?.type === 'name' && two?.text === '(' && three?.type === 'name')
      return [{ name: one.text, parameter: three.text, body: at + 4 }];
    if (token.type !== 'name' || one?.text !== '=') return [];
    const start = two?.text === 'async' ? at + 3 : at + 2;
    const opened = tokens[start]?.text === '(' || tokens[start]?.text === 'lambda';
    const parameter = opened ? tokens[start + 1] : tokens[start];
    const arrow = tokens.slice(start, start + 12).some(({ text }) => text === '=>') || tokens[start]?.text === 'lambda';
    return parameter?.type === 'name' && arrow ? [{ name: token.text, parameter: parameter.text, body: start + 2 }] : [];
  });
}

/** The name a call is given first, whatever cuts it into words on the way. */
function firstGiven(tokens: readonly CodeToken[], open: number): string | undefined {
  if (tokens[open]?.text !== '(') return undefined;
  for (let at = open + 1; at < open + 8; at++) {
    const token = tokens[at];
    if (token === undefined || token.type === 'end') return undefined;
    if (token.type === 'name' && !CUTS.test(token.text)) return token.text;
    if (token.type !== 'name' && !/^[([*.]$/.test(token.text)) return undefined;
  }
  return undefined;
}
