/** In which company a test file runs. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * - `alone`: nothing runs beside it, because it keeps time. The file says so above what is timed: `// alone: REASON`.
 * - `shared`: it and all it imports of the tests leave the process as it is, so many such files share one: half of what a short
 *   file takes is the start of a process and the sources it loads.
 * - `beside`: a process of its own, a few of them at a time.
 */
export type Lane = 'alone' | 'shared' | 'beside';

/** Node's modules that a file uses without leaving anything to the next one but temporary files and closed servers. */
const HARMLESS = new Set(
  'assert/strict buffer crypto events fs fs/promises http net os path sqlite stream stream/promises test timers/promises url util zlib'
    .split(' ')
    .map((name) => `node:${name}`),
);
/** What one file of a shared process could leave behind for the next. */
const TOUCHES_THE_PROCESS = /\b(?:process|globalThis|mock|chdir)\b\s*[.([]|await import\(/;

const found = new Map<string, boolean>();

/** Of a file of the tests: whether it or anything it imports of them touches the process. */
function touchesTheProcess(file: string, text = readFileSync(file, 'utf8')): boolean {
  const known = found.get(file);
  if (known !== undefined) return known;
  // Two that import each other: whoever is met first answers for both.
  found.set(file, false);
  const imported = [...text.matchAll(/^(?:import|\} from)\b[^'\n]*'([^']+)'/gm)].map((match) => match[1] ?? '');
  const touches =
    TOUCHES_THE_PROCESS.test(text) ||
    imported.some((name) => {
      if (!name.startsWith('.')) return !HARMLESS.has(name);
      const path = join(dirname(file), name);
      return !path.startsWith('src/') && touchesTheProcess(path);
    });
  found.set(file, touches);
  return touches;
}

export function laneOf(file: string, text = readFileSync(file, 'utf8')): Lane {
  if (/^\s*\/\/ alone: \S/m.test(text)) return 'alone';
  return touchesTheProcess(file, text) ? 'beside' : 'shared';
}
