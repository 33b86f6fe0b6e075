/** In which company a test file runs. */
import { readFileSync } from 'node:fs';

/**
 * - `alone`: nothing runs beside it, because it keeps time. The file says so above what is timed: `// alone: REASON`.
 * - `pure`: it computes and compares, so all such files share one process.
 * - `beside`: a process of its own, a few of them at a time.
 */
export type Lane = 'alone' | 'pure' | 'beside';

/** Node's modules that reach nothing outside the file. */
const HARMLESS = new Set(['node:assert/strict', 'node:test', 'node:path', 'node:url', 'node:util', 'node:crypto', 'node:buffer']);
/** What one file of a shared process could leave behind for the next, or where one could wait for another. */
const TOUCHES_THE_PROCESS =
  /\b(?:process|performance|globalThis|mock|setTimeout|setInterval|after|afterEach|before|beforeEach|chdir)\b\s*[.(]|await import\(/;

export const laneOf = (file: string): Lane => laneOfText(readFileSync(file, 'utf8'));

export function laneOfText(text: string): Lane {
  if (/^\s*\/\/ alone: \S/m.test(text)) return 'alone';
  const imported = [...text.matchAll(/^(?:import|\} from)\b[^'\n]*'([^']+)'/gm)].map((match) => match[1] ?? '');
  const reachesSources = (name: string): boolean => /^(?:\.\.\/)+src\/(?!testing\/)/.test(name);
  const isPure = imported.every((name) => HARMLESS.has(name) || reachesSources(name)) && !TOUCHES_THE_PROCESS.test(text);
  return isPure ? 'pure' : 'beside';
}
