import { readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { withFileLock } from './file-lock.ts';
import { randomHex } from './ids.ts';
import type { JsonObject } from './json-types.ts';
import { isObject, parseJson } from './json.ts';
import { identifyOwnProcess, isAlive, isNear, type ProcessIdentity } from './process-identity.ts';
import { replaceFile } from './replace-file.ts';

/** Who claimed something for as long as it runs, and what it says of itself. */
export interface ClaimHolder extends ProcessIdentity {
  readonly facts: JsonObject;
}
export type ClaimResult = { readonly ok: true; readonly claim: AsyncDisposable } | { readonly ok: false; readonly holder: ClaimHolder };

/** How often a claim shows that its holder lives, to those who cannot ask the system. */
const BEAT_MS = 20_000;
/** A holder on another machine whose claim is older is gone. */
const FAR_MS = 90_000;

/**
 * Claims something for the life of this process, by a file that names its holder. The claim of a process that is gone is taken
 * over. A claim of this process with the same facts is renewed: the one before it was given up without a word.
 */
export async function claimFile(path: string, facts: JsonObject): Promise<ClaimResult> {
  const token = randomHex(12);
  const holder = await withFileLock(path, () => {
    const found = readClaim(path);
    if (found !== undefined && !isOwn(found, facts)) return found;
    replaceFile(path, `${JSON.stringify({ ...facts, ...identifyOwnProcess(), token }, undefined, 2)}\n`, 0o600);
    return undefined;
  });
  if (holder !== undefined) return { ok: false, holder };
  const beat = setInterval(() => touch(path), BEAT_MS).unref();
  const release = async (): Promise<void> => {
    clearInterval(beat);
    // Whatever is wrong here, the claim ends with its process.
    await withFileLock(path, () => readRecord(path)?.['token'] === token && rmSync(path, { force: true })).catch(() => undefined);
  };
  return { ok: true, claim: { [Symbol.asyncDispose]: release } };
}

/** Who holds it now; nobody when the process it names is gone. */
export function readClaim(path: string): ClaimHolder | undefined {
  const record = readRecord(path);
  if (record === undefined) return undefined;
  const { pid, host, space, started, token: _token, ...facts } = record;
  if (typeof pid !== 'number' || typeof host !== 'string' || typeof space !== 'string' || typeof started !== 'string') return undefined;
  const holder = { pid, host, space, started, facts };
  return (isNear(holder) ? isAlive(holder) : ageOf(path) < FAR_MS) ? holder : undefined;
}

function readRecord(path: string): JsonObject | undefined {
  try {
    const value = parseJson(readFileSync(path, 'utf8'));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isOwn({ pid, host, space, started, facts }: ClaimHolder, mine: JsonObject): boolean {
  const own = identifyOwnProcess();
  const isMe = pid === own.pid && host === own.host && space === own.space && started === own.started;
  return isMe && JSON.stringify(facts) === JSON.stringify(mine);
}

function touch(path: string): void {
  try {
    utimesSync(path, new Date(), new Date());
  } catch {}
}
const ageOf = (path: string): number => Math.abs(Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0));
