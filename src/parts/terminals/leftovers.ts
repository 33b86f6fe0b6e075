import { lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { numberAt, parseJson, stringAt } from '../../base/json.ts';
import { isAlive, isNear, type ProcessIdentity } from '../../base/process-identity.ts';

/** Folders of background processes that nobody ever asked after again. */
export const PREFIX = 'hermes-process-';
/** A file in each that says which process it belongs to. */
const WHO = 'who';
/** As long as checkpoints and the trash keep things: somebody may still come and read how it ended. */
const KEEP_MS = 7 * 86_400_000;

/** On a full disk it stays unsigned, and counts as over once it is silent for long. */
export function sign(folder: string, identity: ProcessIdentity): void {
  try {
    writeFileSync(join(folder, WHO), JSON.stringify(identity), { mode: 0o600 });
  } catch {}
}

/** Once a process, after the call that made it needful: nobody waits for it. */
export function sweepLater(): void {
  if (swept) return;
  swept = true;
  setImmediate(sweepProcesses).unref();
}
let swept = false;

/** Takes away what has been over and untouched for long. The folder is everybody's: only what is ours is looked at. */
export function sweepProcesses(above = tmpdir(), now = Date.now()): void {
  for (const name of names(above))
    if (name.startsWith(PREFIX) && isOurs(join(above, name)) && isLeft(join(above, name), now)) remove(join(above, name));
}

/** A folder itself, no link to one, and of our own user. */
function isOurs(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === process.getuid?.();
}

/** Untouched for long, and its process is gone: a quiet one may still write. */
function isLeft(folder: string, now: number): boolean {
  const touched = [folder, ...names(folder).map((name) => join(folder, name))].map(
    (path) => lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0,
  );
  return Math.max(...touched) < now - KEEP_MS && isGone(join(folder, WHO));
}

/** One that cannot be asked, in a container beside us, counts as there. */
function isGone(file: string): boolean {
  const said = parseJson(text(file));
  const [pid, started] = [numberAt(said, 'pid'), stringAt(said, 'started')];
  const [host, space] = [stringAt(said, 'host'), stringAt(said, 'space')];
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
