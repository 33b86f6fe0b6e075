/** A line that is being typed into a shell: its whole words, and the beginning of the one at the end. */
export interface TypedShellLine {
  readonly words: readonly string[];
  /** Empty behind a space. */
  readonly typed: string;
}

/** Reads a line as a shell would, quotes and backslashes taken off; an open quote is closed by the end. Nothing is expanded. */
export function splitTypedLine(line: string): TypedShellLine {
  const words: string[] = [];
  let [word, quote]: [string | undefined, string] = [undefined, ''];
  for (let at = 0; at < line.length; at++) {
    const sign = line[at] ?? '';
    if (quote !== '') {
      if (sign === quote) quote = '';
      else if (sign === '\\' && quote === '"') word = `${word ?? ''}${line[++at] ?? ''}`;
      else word = `${word ?? ''}${sign}`;
    } else if (/\s/.test(sign)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (sign === "'" || sign === '"') [word, quote] = [word ?? '', sign];
    else if (sign === '\\') word = `${word ?? ''}${line[++at] ?? ''}`;
    else word = `${word ?? ''}${sign}`;
  }
  return { words, typed: word ?? '' };
}
