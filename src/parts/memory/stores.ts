import { join } from 'node:path';
import { readTextFile } from '../../base/text-file.ts';
import type { MemoryTarget } from '../../contracts/memory.ts';
import type { AdmitText, ScanText } from '../../contracts/scan.ts';
import { parseEntries } from './entries.ts';
import type { MemorySettings } from './settings.ts';

/** Where the memory lies and by which rules it is kept. */
export interface MemoryPlace {
  /** The profile's folder. */
  readonly home: string;
  readonly settings: MemorySettings;
  readonly scan: ScanText;
  readonly admit: AdmitText;
}

export const TARGETS = ['memory', 'user'] as const satisfies readonly MemoryTarget[];

const STORES = {
  memory: { file: 'MEMORY.md', limit: 'memory.memory_char_limit', enabled: 'memory.memory_enabled' },
  user: { file: 'USER.md', limit: 'memory.user_char_limit', enabled: 'memory.user_profile_enabled' },
} as const;

export interface MemoryStore {
  readonly target: MemoryTarget;
  readonly file: string;
  readonly path: string;
  readonly limit: number;
  readonly enabled: boolean;
  /** The setting that switches it on and off. */
  readonly setting: string;
}

export function resolveMemoryStore(target: MemoryTarget, { home, settings }: Pick<MemoryPlace, 'home' | 'settings'>): MemoryStore {
  const { file, limit, enabled } = STORES[target];
  return {
    target,
    file,
    path: join(resolveMemoryFolder(home), file),
    limit: settings[limit],
    enabled: settings[enabled],
    setting: enabled,
  };
}

/** The name of its file below the folder of memories. */
export const resolveStoreFileName = (target: MemoryTarget): string => STORES[target].file;

/** The setting that says how many characters it holds. */
export const resolveLimitSetting = (target: MemoryTarget) => STORES[target].limit;

export const resolveMemoryFolder = (home: string): string => join(home, 'memories');

export type ReadStoreResult =
  | { readonly ok: true; /** Absent when there is no file yet. */ readonly text?: string; readonly entries: readonly string[] }
  | { readonly ok: false; readonly words: string };

/** Far above any limit: only a file that is no memory is larger. */
const MAX_BYTES = 8 * 1024 * 1024;

/** The file as it is on disk now; people edit it by hand. */
export function readStore({ path }: MemoryStore): ReadStoreResult {
  const file = readTextFile(path, MAX_BYTES);
  if (file.ok) return { ok: true, text: file.text, entries: parseEntries(file.text) };
  return file.missing ? { ok: true, entries: [] } : { ok: false, words: `${path} could not be read: ${file.why}.` };
}
