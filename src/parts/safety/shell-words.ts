/** One simple command: its words with quotes taken off, and where its output is sent. */
export interface SimpleCommand {
  readonly words: readonly string[];
  readonly writes: readonly string[];
}

interface Token {
  readonly type: 'word' | 'break' | 'redirect';
  readonly text: string;
}

/**
 * Splits a command line into the simple commands it would run: separators, pipes, groups and command substitutions all
 * begin a new one. `undefined` when quoting does not close: what cannot be read must not be trusted.
 */
export function simpleCommands(line: string): SimpleCommand[] | undefined {
  const tokens = tokenize(line);
  if (tokens === undefined) return undefined;
  const commands: { words: string[]; writes: string[] }[] = [{ words: [], writes: [] }];
  let redirect = false;
  for (const token of tokens) {
    const current = commands.at(-1);
    if (token.type === 'break') commands.push({ words: [], writes: [] });
    else if (token.type === 'redirect') redirect = true;
    else {
      (redirect ? current?.writes : current?.words)?.push(token.text);
      redirect = false;
    }
  }
  return commands.filter(({ words, writes }) => words.length > 0 || writes.length > 0);
}

/** One pattern a kind of token; the first that matches at the place wins. Linear: each character is read once. */
const PIECE =
  /(?<space>[ \t]+)|(?<comment>(?<=^|\s)#[^\n]*)|(?<redirect>&>>?|\d*>>?\|?)|(?<break>\$\(|`|\(\)|&&|\|\|?|[;&\n()]|(?<=^|[\s;&|()])[{}](?=[\s;&|()]|$))|(?<single>'[^']*')|(?<double>"(?:\\[\s\S]|[^"\\])*")|(?<escaped>\\[\s\S])|(?<input>\d*<+&?-?)|(?<mark>\$(?=['"]))|(?<plain>[^\s;&|<>()'"`\\$]+|\$)/gy;

function tokenize(line: string): Token[] | undefined {
  const tokens: Token[] = [];
  let word: string | undefined;
  const flush = () => {
    if (word !== undefined) tokens.push({ type: 'word', text: word });
    word = undefined;
  };
  // A copy, because substitutions are read by the same pattern in the middle of this.
  const piece = new RegExp(PIECE);
  while (piece.lastIndex < line.length) {
    const groups = piece.exec(line)?.groups;
    if (groups === undefined) return undefined;
    // The mark of $'…' is no part of the word.
    if (groups['mark'] !== undefined) continue;
    const part = groups['plain'] ?? groups['escaped']?.slice(1) ?? groups['single']?.slice(1, -1) ?? unquote(groups['double']);
    if (part !== undefined) word = (word ?? '') + part;
    else flush();
    if (groups['redirect'] !== undefined) tokens.push({ type: 'redirect', text: groups['redirect'] });
    if (groups['break'] !== undefined) tokens.push({ type: 'break', text: groups['break'] });
    // A substitution inside double quotes runs all the same.
    for (const inner of groups['double']?.matchAll(/\$\(([^()]*)\)|`([^`]*)`/g) ?? []) tokens.push(...nested(inner[1] ?? inner[2] ?? ''));
  }
  flush();
  return tokens;
}

const unquote = (text: string | undefined): string | undefined => text?.slice(1, -1).replace(/\\([\\"$`])/g, '$1');

function nested(inner: string): Token[] {
  return [{ type: 'break', text: '$(' }, ...(tokenize(inner) ?? []), { type: 'break', text: ')' }];
}
