/** One thing that was looked at. `ok: false` means that the owner has something to do, and `cure` says what. */
export interface Finding {
  readonly name: string;
  readonly ok: boolean;
  readonly words: string;
  readonly cure?: string;
}

export function renderFindings(findings: readonly Finding[], colours: boolean): string {
  const width = Math.max(...findings.map(({ name }) => name.length));
  const open = findings.filter(({ ok }) => !ok).length;
  const lines = findings.flatMap(({ name, ok, words, cure }) => [
    `${paint(ok ? '✓' : '✗', ok ? GREEN : RED, colours)} ${paint(name.padEnd(width), BOLD, colours)}  ${words}`,
    ...(cure === undefined ? [] : [`  ${' '.repeat(width)}  ${paint(`→ ${cure}`, ok ? DIM : YELLOW, colours)}`]),
  ]);
  const end = open === 0 ? 'Everything is in order.' : `${open} ${open === 1 ? 'thing needs' : 'things need'} you.`;
  return [...lines, '', end].join('\n');
}

const GREEN = 32;
const RED = 31;
const YELLOW = 33;
const BOLD = 1;
const DIM = 2;
const paint = (text: string, code: number, colours: boolean): string => (colours ? `\u001b[${code}m${text}\u001b[0m` : text);
