/** What is wrong with a line of a `.env` file. */
export interface EnvLineProblem {
  readonly line: number;
  readonly words: string;
  /** Values are not what was written: going on would use wrong ones. */
  readonly stops: boolean;
}

const ASSIGNMENT = /^\s*(?:export\s+)?(?<name>[A-Za-z_][\w.-]*)\s*=[^\S\n]*(?<value>.*)$/u;
/** The first line of another variable, as distinguished from a line of a key in base64, which may end in `=`. */
const NEXT_VARIABLE = /^\s*(?:export\s+)?[A-Za-z_]\w*=[^=\s]/u;

/** Reads the lines as `parseEnv` does, to say what it passes over in silence. Values are never told. */
export function findEnvProblems(text: string): readonly EnvLineProblem[] {
  const lines = text.split(/\r?\n/u);
  const problems: EnvLineProblem[] = [];
  const seen = new Map<string, { readonly line: number; readonly value: string }>();
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? '';
    if (/^\s*(?:#|$)/u.test(line)) continue;
    const { name, value = '' } = ASSIGNMENT.exec(line)?.groups ?? {};
    if (name === undefined) {
      problems.push({ line: index + 1, words: 'this line has no NAME=value and is not read', stops: false });
      continue;
    }
    const before = seen.get(name);
    if (before !== undefined && before.value !== value)
      problems.push({ line: index + 1, words: `${name} is set here and on line ${before.line}; this line counts`, stops: false });
    seen.set(name, { line: index + 1, value });
    const end = findClosingLine(lines, index, value);
    if (end === undefined)
      problems.push({ line: index + 1, words: `the quote that begins the value of ${name} is not closed`, stops: true });
    else index = end;
  }
  return problems;
}

/** The line a value ends on; `undefined` when its quote stays open, or is closed only by a quote of another variable. */
function findClosingLine(lines: readonly string[], index: number, value: string): number | undefined {
  const quote = value[0];
  if (quote === undefined || !['"', "'", '`'].includes(quote) || value.indexOf(quote, 1) > 0) return index;
  for (let next = index + 1; next < lines.length; next++) {
    const line = lines[next] ?? '';
    if (NEXT_VARIABLE.test(line)) return undefined;
    if (line.includes(quote)) return next;
  }
  return undefined;
}
