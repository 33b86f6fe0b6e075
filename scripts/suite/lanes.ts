/** In which company a test file runs. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * - `alone`: nothing runs beside it, because it keeps time. The file says so above what is timed: `// alone: REASON`.
 * - `shared`: it starts no process of its own and changes nothing of the one it is in, so some dozens of such files share one.
 * - `beside`: a process of its own, a few of them at a time.
 */
export type Lane = 'alone' | 'shared' | 'beside';

/** What one file of a shared process could leave behind for the next, count there, or wait for. */
const TOUCHES_THE_PROCESS = [
  /\bprocess\.env(?:\.\w+|\[[^\]]*\])?\s*(?:\?\?|\|\|)?=(?!=)/,
  /\bprocess\.(?:on|once|off|emit|chdir|exit|exitCode|umask|memoryUsage|getActiveResourcesInfo|kill)\b/,
  /\bdelete process\.env\b/,
  /\b(?:globalThis|mock)\s*[.[]/,
  /^(?:before|beforeEach|afterEach)\(/m,
  /'node:(?:child_process|cluster|inspector|perf_hooks|v8|vm|worker_threads)'/,
  /\bimport\.meta\.(?:main|filename)\b/,
];

export const laneOf = (file: string): Lane => {
  const lane = laneOfText(readFileSync(file, 'utf8'));
  return lane === 'shared' && [...readHelpers(file)].some((text) => laneOfText(text) !== 'shared') ? 'beside' : lane;
};

export function laneOfText(text: string): Lane {
  if (/^\s*\/\/ alone: \S/m.test(text)) return 'alone';
  return TOUCHES_THE_PROCESS.some((sign) => sign.test(text)) ? 'beside' : 'shared';
}

/** The files of `test/` that a test file imports, directly or through others. */
function* readHelpers(file: string, seen = new Set([resolve(file)])): Generator<string> {
  const text = readFileSync(file, 'utf8');
  for (const [, name = ''] of text.matchAll(/^(?:import|export|\}).*? from '(\.{1,2}\/[^']+\.ts)';$/gm)) {
    const path = resolve(dirname(file), name);
    if (seen.has(path) || !path.startsWith(resolve('test')) || !existsSync(path)) continue;
    seen.add(path);
    yield readFileSync(path, 'utf8');
    yield* readHelpers(path, seen);
  }
}
