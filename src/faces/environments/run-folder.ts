import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { replaceFile } from '../../base/replace-file.ts';

/** Writes a file of figures whole or not at all. */
export function writeFigures(path: string, value: object): void {
  mkdirSync(dirname(path), { recursive: true });
  replaceFile(path, `${JSON.stringify(value, undefined, 2)}\n`);
}
