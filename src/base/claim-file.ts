import { utimesSync } from 'node:fs';
import { systemClock } from './clock.ts';
import {
  clearHolderFile,
  createHolder,
  isGone,
  lookAtHolderFile,
  makeHolderFolder,
  releaseHolderFile,
  takeHolderFile,
  type FileHolder,
  type HolderFileState,
} from './holder-file.ts';
import type { JsonObject } from './json-types.ts';

export type ClaimResult = { readonly ok: true; readonly claim: AsyncDisposable } | { readonly ok: false; readonly holder: FileHolder };

/** How often a claim shows that its holder lives, to those who cannot ask the system. */
const BEAT_MS = 20_000;
/** A holder on another machine whose claim is older is gone. */
const FAR_MS = 90_000;
const LOOK_AGAIN_MS = 50;

/**
 * Claims something for the life of this process, by a file that names its holder. The claim of a process that is gone is taken
 * over. A claim of this process with the same facts is renewed: the one before it was given up without a word.
 */
export async function claimFile(path: string, facts: JsonObject): Promise<ClaimResult> {
  makeHolderFolder(path);
  const mine = createHolder(facts);
  while (!takeHolderFile(path, mine, FAR_MS)) {
    const holder = readClaim(path);
    if (holder !== undefined && !isOwn(holder, mine)) return { ok: false, holder };
    if (holder !== undefined) clearHolderFile(path, holder.token, FAR_MS);
    // Somebody makes it at this moment, or has just given it back.
    else await systemClock.sleep(LOOK_AGAIN_MS, new AbortController().signal);
  }
  const beat = setInterval(() => touch(path), BEAT_MS).unref();
  const release = async (): Promise<void> => {
    clearInterval(beat);
    releaseHolderFile(path, mine);
  };
  return { ok: true, claim: { [Symbol.asyncDispose]: release } };
}

/** Who holds it now; nobody when the process it names is gone, or the file says nothing. */
export function readClaim(path: string): FileHolder | undefined {
  const found = look(path);
  return found === undefined || isGone(found, FAR_MS) ? undefined : found.holder;
}

/** Waits until a holder that cannot be asked has shown that it lives, or is gone. */
export async function waitForFarHolder(path: string, signal: AbortSignal): Promise<void> {
  const before = look(path);
  for (let found = before; !signal.aborted && isSame(found, before) && !isGone(found, FAR_MS); found = look(path))
    await systemClock.sleep(LOOK_AGAIN_MS, signal);
}
/** The same holding, without a sign of life since. */
function isSame(found: HolderFileState | undefined, before: HolderFileState | undefined): found is HolderFileState {
  return found !== undefined && found.token === before?.token && found.touchedAt === before.touchedAt;
}

/** Who held it last and is gone without having given it back. */
export function readLostClaim(path: string): FileHolder | undefined {
  const found = look(path);
  return found !== undefined && isGone(found, FAR_MS) ? found.holder : undefined;
}

/** A claim that cannot be read is nobody's. */
function look(path: string): HolderFileState | undefined {
  try {
    return lookAtHolderFile(path);
  } catch {
    return undefined;
  }
}

function isOwn({ pid, host, space, started, facts }: FileHolder, mine: FileHolder): boolean {
  const isMe = pid === mine.pid && host === mine.host && space === mine.space && started === mine.started;
  return isMe && JSON.stringify(facts) === JSON.stringify(mine.facts);
}

function touch(path: string): void {
  try {
    utimesSync(path, new Date(), new Date());
  } catch {}
}
