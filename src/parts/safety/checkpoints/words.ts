/** A command line cut into the commands in it: modest, for guessing what it would do, never for judging whether it may. */
export interface SimpleCommand {
  readonly words: readonly string[];
  /** Where `>`, `>|` and `&>` lead. */
  readonly overwrites: readonly string[];
  readonly appends: readonly string[];
}

type Token = { readonly word: string } | { readonly mark: string };

/** Quoted stretches, redirections, what separates commands, and everything else. */
const TOKEN =
  /\\\n|(?<redirect>(?:\d*|&)>>?\|?(?:&[\d-]+)?|\d*<{1,3}-?(?:&[\d-]+)?|<\()|(?<cut>\|\|?|&&?|;;?|\n|\$\(|[`(){}])|(?<word>(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|\$\{[^}]*\}|[^\s"'\\;&|<>(){}`$]|\$(?!\())+)|\s+|./gs;

export function simpleCommands(line: string): SimpleCommand[] {
  const commands: SimpleCommand[] = [];
  let current: { words: string[]; overwrites: string[]; appends: string[] } = { words: [], overwrites: [], appends: [] };
  let towards: 'words' | 'overwrites' | 'appends' | 'nowhere' = 'words';
  for (const token of tokens(line)) {
    if ('word' in token) {
      if (towards !== 'nowhere') current[towards].push(token.word);
      towards = 'words';
    } else if (token.mark === 'cut') {
      commands.push(current);
      current = { words: [], overwrites: [], appends: [] };
      towards = 'words';
    } else towards = towardsOf(token.mark);
  }
  return [...commands, current].filter(({ words, overwrites, appends }) => words.length + overwrites.length + appends.length > 0);
}

/** `2>&1` is complete in itself; what is read from is of no interest. */
const towardsOf = (redirect: string): 'words' | 'overwrites' | 'appends' | 'nowhere' => {
  if (/&[\d-]+$/.test(redirect) || redirect === '<(') return 'words';
  if (!redirect.includes('>')) return 'nowhere';
  return redirect.includes('>>') ? 'appends' : 'overwrites';
};

function tokens(line: string): Token[] {
  return [...line.matchAll(TOKEN)].flatMap(({ groups }): Token[] => {
    if (groups?.['word'] !== undefined) return [{ word: unquoted(groups['word']) }];
    if (groups?.['redirect'] !== undefined) return [{ mark: groups['redirect'] === '<(' ? 'cut' : groups['redirect'] }];
    return groups?.['cut'] === undefined ? [] : [{ mark: 'cut' }];
  });
}

const unquoted = (word: string): string =>
  word.replaceAll(/"((?:\\.|[^"\\])*)"|'([^']*)'|\\(.)/gs, (_, double?: string, single?: string, bare?: string) =>
    double === undefined ? (single ?? bare ?? '') : double.replaceAll(/\\(["\\$`])/g, '$1'),
  );
