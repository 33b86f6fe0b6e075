/** A block of code that no line of the text can close. */
export function fenceCode(text: string): string {
  const fence = '`'.repeat(Math.max(2, longestRun(text)) + 1);
  return `${fence}\n${text.replace(/\n$/, '')}\n${fence}`;
}

/** Code within a line, whatever it holds. */
export function quoteCode(text: string): string {
  const ticks = '`'.repeat(longestRun(text) + 1);
  const space = ticks.length > 1 ? ' ' : '';
  return `${ticks}${space}${text}${space}${ticks}`;
}

const longestRun = (text: string): number => Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
