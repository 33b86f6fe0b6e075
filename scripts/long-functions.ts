import { globSync, readFileSync } from 'node:fs';

export interface FunctionLength {
  readonly lines: number;
  readonly place: string;
}

const HEAD =
  /^(\s*)(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:function\*?\s+(\w+)|(?:const|let)\s+(\w+)\s*=\s*(?:async\s*)?(?:<[^>]*>)?\(?.*=>\s*\{$|(?:static\s+|private\s+|override\s+|get\s+)*(?:async\s+)?\*?(\w+)\(.*\)\s*(?::[^{;]+)?\{\s*$|(\w+):\s*(?:async\s*)?\(?.*=>\s*\{$)/;
const NOT_A_NAME = new Set(['if', 'for', 'while', 'switch', 'catch']);

/** Every named function below a folder, longest first. Formatted code only: a function ends at the brace of its own indent. */
export function longFunctions(folder: string): FunctionLength[] {
  return globSync(`${folder}/**/*.ts`)
    .flatMap(functionsOf)
    .toSorted((a, b) => b.lines - a.lines);
}

function functionsOf(file: string): FunctionLength[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((line, start) => {
    const head = HEAD.exec(line);
    const name = head?.slice(2).find((group) => group !== undefined);
    if (head === null || name === undefined || NOT_A_NAME.has(name)) return [];
    const end = lines.findIndex((other, index) => index > start && other.startsWith(`${head[1] ?? ''}}`));
    return end < 0 ? [] : [{ lines: end - start + 1, place: `${file}:${start + 1} ${name}` }];
  });
}
