import { readFileSync } from 'node:fs';
import { readNumberAt, parseJson, readStringAt } from '../../../base/json.ts';
import { replaceFile } from '../../../base/replace-file.ts';

/** The store's books: what it holds, and when it was last looked through. */
export interface StoreTotals {
  /** Changes whenever something is taken out: whoever relied on it being there must look again. */
  readonly generation: string;
  /** About how much lies in the store. */
  readonly bytes: number;
  readonly prunedAt: number;
}

export function readStoreTotals(path: string): StoreTotals {
  try {
    const value = parseJson(readFileSync(path, 'utf8'));
    return {
      generation: readStringAt(value, 'generation') ?? '',
      bytes: readNumberAt(value, 'bytes') ?? 0,
      prunedAt: readNumberAt(value, 'prunedAt') ?? 0,
    };
  } catch {
    return { generation: '', bytes: 0, prunedAt: 0 };
  }
}

export const writeStoreTotals = (path: string, books: StoreTotals): void => replaceFile(path, JSON.stringify(books), 0o600);
