import { copyFileSync } from 'node:fs';
import { toErrorMessage } from '../../base/errors.ts';
import { withFileLock } from '../../base/file-lock.ts';
import { FileLockError } from '../../base/holder-file.ts';
import { replaceFile } from '../../base/replace-file.ts';
import type { MemoryOperation, MemorySource, MemoryTarget } from '../../contracts/memory.ts';
import type { ScanText } from '../../contracts/scan.ts';
import { admitEntries } from './admitted.ts';
import { applyOperations, type MemoryOperationResult, type ShowEntry } from './change.ts';
import { cleanEntry, printEntries, canRoundTrip, countUsedCharacters } from './entries.ts';
import { appendSources, resolveSourcesPath, type SourceLine } from './sources.ts';
import { readStore, resolveMemoryStore, type MemoryPlace, type MemoryStore } from './stores.ts';

export type MemoryChangeResult =
  | {
      readonly ok: true;
      readonly effects: readonly MemoryOperationResult[];
      readonly used: number;
      readonly limit: number;
      readonly count: number;
      /** A copy of the file as somebody had written it, when writing it anew would lose some of its form. */
      readonly backup?: string;
    }
  | { readonly ok: false; readonly words: string };

export interface MemoryAuthor {
  /** Absent when the owner makes the change. */
  readonly source?: MemorySource;
  readonly signal?: AbortSignal;
  /** How long to wait for another process that writes. */
  readonly waitMs?: number;
}

/** Changes a store on disk, all or nothing. What it says is done is on the disk; trouble is told in words, never thrown. */
export async function changeMemory(
  place: MemoryPlace,
  target: MemoryTarget,
  operations: readonly MemoryOperation[],
  { source, ...waiting }: MemoryAuthor = {},
): Promise<MemoryChangeResult> {
  const store = resolveMemoryStore(target, place);
  const threat = threatIn(operations, place.scan);
  if (threat !== undefined) return refused(threat);
  try {
    return await withFileLock(store.path, () => changeNow(store, operations, place, source), waiting);
  } catch (error) {
    if (error instanceof FileLockError) return refused(`Nothing was changed in ${store.file}. ${error.message}`);
    throw error;
  }
}

/** Without a wait inside: whoever holds the lock is through in one go. */
function changeNow(
  store: MemoryStore,
  operations: readonly MemoryOperation[],
  place: MemoryPlace,
  source: MemorySource | undefined,
): MemoryChangeResult {
  const stored = readStore(store);
  if (!stored.ok) return refused(`${stored.words} Nothing was changed; the owner has to correct or move that file.`);
  const { text = '', entries } = stored;
  const changed = applyOperations(entries, operations, store.limit, shownBy(entries, store, place));
  if (!changed.ok) return changed;
  const effects = changed.effects;
  const done = {
    ok: true as const,
    effects,
    used: countUsedCharacters(changed.entries),
    limit: store.limit,
    count: changed.entries.length,
  };
  const lines = effects.flatMap((effect) => lineOf(effect, store.target, source));
  if (lines.length === 0) return done;
  try {
    const backup = canRoundTrip(text) ? undefined : backUp(store.path);
    // The source first: a kill between the two leaves a line too many, never a fact of which nobody knows the source.
    appendSources(resolveSourcesPath(place.home), lines);
    replaceFile(store.path, printEntries(changed.entries));
    return backup === undefined ? done : { ...done, backup };
  } catch (error) {
    return refused(
      `${store.path} could not be written: ${toErrorMessage(error)}. Nothing was changed; its folder must be writable and not full.`,
    );
  }
}

function threatIn(operations: readonly MemoryOperation[], scan: ScanText): string | undefined {
  const contents = operations.flatMap((operation) => (operation.action === 'remove' ? [] : [operation.content]));
  const [first] = contents.flatMap((content) => scan(cleanEntry(content), 'memory'));
  return first === undefined
    ? undefined
    : `Not saved: memory is read as trusted text by every later session, and this content looks like ${first.threat} (line ${first.line}: ${first.excerpt}). Say the fact in plain words, without instructions, secrets or hidden characters.`;
}

/** An entry the scan blocks is told by its marker in a refusal too. */
function shownBy(entries: readonly string[], { file }: MemoryStore, { admit }: MemoryPlace): ShowEntry {
  let shown: Map<string, string> | undefined;
  return (entry) => {
    shown ??= new Map(admitEntries(entries, file, admit).map((each) => [each.text, each.shown]));
    return shown.get(entry) ?? entry;
  };
}

const ACTIONS = { added: 'add', replaced: 'replace', removed: 'remove' } as const;

function lineOf({ did, text, old }: MemoryOperationResult, target: MemoryTarget, source: MemorySource | undefined): SourceLine[] {
  if (did === 'unchanged') return [];
  const from = { ...(old !== undefined && { old }), ...(source !== undefined && { source }) };
  return [{ at: Date.now(), target, action: ACTIONS[did], text, ...from }];
}

function backUp(path: string): string {
  const backup = `${path}.bak.${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  copyFileSync(path, backup);
  return backup;
}

const refused = (words: string): MemoryChangeResult => ({ ok: false, words });
