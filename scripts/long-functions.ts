import { globSync, readFileSync } from 'node:fs';

export interface FunctionLength {
  readonly lines: number;
  readonly place: string;
}

/**
 * How a named function begins: a declaration, a function kept under a name (in a variable or a property), a method.
 * Its parameters may go on over further lines.
 */
const HEADS: readonly RegExp[] = [
  /^(\s*)(?:export\s+)?(?:default\s+)?(?:async\s+)?function\b\s*\*?\s*(\w+)/,
  /^(\s*)(?:export\s+)?(?:const|let)\s+(\w+)\s*(?::[^=]+)?=\s*(?:async\b\s*)?(?:<[^>]*>\s*)?(?:\(.*|function\b.*|\w+\s*=>.*)$/,
  /^(\s*)(\w+):\s*(?:async\b\s*)?(?:<[^>]*>\s*)?(?:\($|\([^)]*$|.*=>\s*\{$)/,
  /^(\s*)(?:(?:static|private|override|get|set|async)\s+)*\*?(?:#)?(\w+)(?:<[^>]*>)?\((?:.*\)\s*(?::[^;]+)?\{|[^)]*)$/,
];
const NO_NAMES = new Set(['if', 'for', 'while', 'switch', 'catch', 'return', 'function', 'await', 'using']);

/** Every named function below the folders, longest first. */
export function longFunctions(...folders: readonly string[]): FunctionLength[] {
  return folders
    .flatMap((folder) => globSync(`${folder}/**/*.{ts,mjs,cjs}`))
    .flatMap((file) => functionsIn(readFileSync(file, 'utf8'), file))
    .toSorted((a, b) => b.lines - a.lines);
}

/** Reads formatted code, where indents tell what belongs together. */
export function functionsIn(code: string, file: string): FunctionLength[] {
  const lines = code.split('\n');
  return lines.flatMap((line, start) => {
    const head = headOf(line);
    if (head === undefined) return [];
    const end = endOf(lines, start, head.indent);
    return end === undefined ? [] : [{ lines: end - start + 1, place: `${file}:${start + 1} ${head.name}` }];
  });
}

function headOf(line: string): { readonly indent: string; readonly name: string } | undefined {
  for (const pattern of HEADS) {
    const [, indent = '', name = ''] = pattern.exec(line) ?? [];
    if (name !== '') return NO_NAMES.has(name) ? undefined : { indent, name };
  }
  return undefined;
}

/**
 * Of the lines at the head's own indent, those that close something and open the next (`}: Type) {`, `): Promise<{`, `}> {`)
 * still belong to the head; the first that closes and opens nothing is the end. Lines of a long text may lie anywhere.
 */
function endOf(lines: readonly string[], start: number, indent: string): number | undefined {
  if (!OPENS.test(lines[start] ?? '')) return undefined;
  for (let index = start + 1, arrow = ARROW.test(lines[start] ?? ''); index < lines.length; index++) {
    const line = lines[index] ?? '';
    if (line.startsWith(`${indent} `)) continue;
    if (arrow) return index - 1;
    if (!line.startsWith(indent) || !CLOSES.test(line.slice(indent.length))) continue;
    if (!OPENS.test(line)) return index;
    arrow = ARROW.test(line);
  }
  return undefined;
}
const OPENS = /[{([<]$|=>$/;
const ARROW = /=>$/;
const CLOSES = /^[})\]>]/;
