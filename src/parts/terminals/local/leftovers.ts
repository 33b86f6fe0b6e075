import { lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readNumberAt, parseJson, readStringAt } from '../../../base/json.ts';
import { isAlive, isNear, type ProcessIdentity } from '../../../base/process-identity.ts';
import type { StartOptions } from '../../../contracts/terminal.ts';
import { cleanLog } from './log-file.ts';

/** The folder of a profile in which background processes have theirs: output and exit code. */
export const resolveLogsFolder = (home: string): string => join(home, 'processes');
export const PREFIX = 'hermes-process-';
/** A file in each that says which process it belongs to. */
const WHO = 'who';
/** As long as checkpoints and the trash keep things: somebody may still come and read how it ended. */
const KEEP_MS = 7 * 86_400_000;
/** Whoever follows a process has seen its end by then. */
const QUIET_MS = 60_000;

/** On a full disk it stays unsigned, and counts as over once it is silent for long. */
export function writeProcessIdentity(folder: string, identity: ProcessIdentity): void {
  try {
    writeFileSync(join(folder, WHO), JSON.stringify(identity), { mode: 0o600 });
  } catch {
    // Told above.
  }
}

/** Once a process, after the call that made it needful: nobody waits for it. */
export function sweepLater(above: string, clean: StartOptions['clean']): void {
  if (swept) return;
  swept = true;
  setImmediate(() => sweepProcesses(above, clean)).unref();
}
let swept = false;

/**
 * What ended while nobody was there: its words are put into others without secrets, and when it has been over and untouched
 * for long it is taken away. Only folders of ours are looked at.
 */
export function sweepProcesses(above: string, clean: StartOptions['clean'], now = Date.now()): void {
  for (const name of names(above)) {
    const folder = join(above, name);
    if (!name.startsWith(PREFIX) || !isOurs(folder)) continue;
    const silent = now - touched(folder);
    if (silent <= QUIET_MS || !isGone(join(folder, WHO))) continue;
    if (silent > KEEP_MS) remove(folder);
    else if (clean !== undefined) cleanLog(folder, clean('kept'));
  }
}

/** A folder itself, no link to one, and of our own user. */
function isOurs(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === process.getuid?.();
}

/** When something in it was last written: a quiet process may still write. */
const touched = (folder: string): number =>
  Math.max(
    ...[folder, ...names(folder).map((name) => join(folder, name))].map((path) => lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0),
  );

/** One that cannot be asked, in a container beside us, counts as there. */
function isGone(file: string): boolean {
  const said = parseJson(text(file));
  const [pid, started] = [readNumberAt(said, 'pid'), readStringAt(said, 'started')];
  const [host, space] = [readStringAt(said, 'host'), readStringAt(said, 'space')];
  // Cut off while it began: there is no such process.
  if (pid === undefined || started === undefined || host === undefined || space === undefined) return true;
  const identity = { pid, started, host, space };
  return isNear(identity) && !isAlive(identity);
}

function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // Another process of ours is at it, too, or the disk complains: there is a next time.
  }
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // gone meanwhile, or not for us
  }
}

function text(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
