import { createReadStream } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { toErrorMessage } from '../../../../base/errors.ts';
import { detectBinaryKind, SNIFFED } from '../files/sniff.ts';
import { toGlobPath, compileGlob, createNameMatcher } from './names.ts';
import { refuseLines } from './patterns.ts';
import { BadPattern, VCS_FOLDERS, type SearchEngine, type FileHit, type FileQuery } from './query.ts';
import { formatHitLine } from './format-hit-line.ts';

/** The same search without ripgrep: slower, and without .gitignore, but with the same answers. */
export const walkingEngine: SearchEngine = async function* (query, signal) {
  if (query.mode !== 'files') refuseLines(query.pattern);
  const regex = query.mode === 'files' ? /(?:)/ : toRegex(query.pattern);
  const matches = createNameMatcher(query);
  const wanted = query.fileGlob === undefined ? () => true : compileGlob(query.fileGlob);
  const paths = await filesBelow(query.root, signal);
  const fitting = paths.filter((path) => matches(path) && wanted(toGlobPath(query.root, path)));
  for (const path of query.mode === 'files' || query.mode === 'files_only' ? await newestFirst(fitting) : fitting) {
    if (signal.aborted) return;
    if (query.mode === 'files') yield { kind: 'file', path };
    else yield* searchFile(path, regex, query, signal);
  }
};

/** Folders nobody means when they search a project. */
const SKIPPED = new Set([...VCS_FOLDERS, 'node_modules', '__pycache__']);

/** All files below a folder in order of their paths, or the file itself. */
async function filesBelow(root: string, signal: AbortSignal): Promise<string[]> {
  if ((await stat(root)).isFile()) return [root];
  const found: string[] = [];
  const visit = async (folder: string): Promise<void> => {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (signal.aborted) return;
      if (SKIPPED.has(entry.name)) continue;
      if (entry.isDirectory()) await visit(join(folder, entry.name));
      else if (entry.isFile()) found.push(join(folder, entry.name));
    }
  };
  await visit(root);
  return found.toSorted();
}

async function newestFirst(paths: readonly string[]): Promise<string[]> {
  const timed = await Promise.all(paths.map(async (path) => ({ path, at: (await stat(path).catch(() => undefined))?.mtimeMs ?? 0 })));
  return timed.toSorted((a, b) => b.at - a.at).map(({ path }) => path);
}

async function* searchFile(path: string, regex: RegExp, query: FileQuery, signal: AbortSignal): AsyncGenerator<FileHit> {
  if (await isBinary(path)) return;
  const before: FileHit[] = [];
  let [line, count, after] = [0, 0, 0];
  for await (const whole of createInterface({ input: createReadStream(path, { signal }), crlfDelay: Infinity })) {
    line += 1;
    const match = regex.test(whole);
    count += match ? 1 : 0;
    if (match && query.mode === 'files_only') return yield { kind: 'file', path };
    if (query.mode !== 'content') continue;
    const hit: FileHit = { kind: 'line', path, line, match, text: formatHitLine(whole) };
    if (match) yield* [...before.splice(0), hit];
    else if (after > 0) yield hit;
    else before.push(hit);
    after = match ? query.context : Math.max(0, after - 1);
    if (before.length > query.context) before.shift();
  }
  if (query.mode === 'count' && count > 0) yield { kind: 'count', path, count };
}

async function isBinary(path: string): Promise<boolean> {
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return true;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SNIFFED), 0, SNIFFED, 0);
    return detectBinaryKind(buffer.subarray(0, bytesRead)) !== undefined;
  } finally {
    await file.close();
  }
}

/** Inline `(?i)` at the beginning is common and has no equal here. */
function toRegex(pattern: string): RegExp {
  const insensitive = pattern.startsWith('(?i)');
  const body = insensitive ? pattern.slice(4) : pattern;
  try {
    return new RegExp(body, insensitive ? 'i' : '');
  } catch (error) {
    throw new BadPattern(toErrorMessage(error));
  }
}
