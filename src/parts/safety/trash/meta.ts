import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readNumberAt, parseJson, readStringAt } from '../../../base/json.ts';

/** What stands beside a thing in the trash. Whoever puts something there writes this, `rm` in a sandbox too. */
export interface TrashMeta {
  /** Where it lay. */
  readonly path: string;
  readonly at: number;
  readonly bytes: number;
  /** Who took it away, a tool's name; absent for `rm` in a sandbox. */
  readonly by?: string;
}

export const META = 'meta.json';
export const CONTENT = 'content';

export function readMeta(place: string): TrashMeta | undefined {
  try {
    return parseTrashMeta(readFileSync(join(place, META), 'utf8'));
  } catch {
    return undefined;
  }
}

export function parseTrashMeta(text: string): TrashMeta | undefined {
  const value = parseJson(text);
  const [path, at, bytes, by] = [
    readStringAt(value, 'path'),
    readNumberAt(value, 'at'),
    readNumberAt(value, 'bytes'),
    readStringAt(value, 'by'),
  ];
  if (path === undefined || at === undefined) return undefined;
  return { path, at, bytes: bytes ?? 0, ...(by !== undefined && { by }) };
}
