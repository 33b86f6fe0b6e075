import { existsSync, readFileSync, rmSync } from 'node:fs';
import { withFileLock } from '../../base/file-lock.ts';
import { readPath, isObject, readNumberAt, parseJson, readStringAt } from '../../base/json.ts';
import { lazy } from '../../base/lazy.ts';
import { isAlive, isNear, type ProcessIdentity } from '../../base/process-identity.ts';
import type { ProcessRecord, ProcessStore } from '../../contracts/process-store.ts';
import type { DetachedProcessRecord, RunningProcess, StartOptions } from '../../contracts/terminal.ts';
import { followLogged, removeProcessFiles } from './local/logged.ts';

/** Background processes that may outlive this one, with the files they write to. */
export interface ProcessRegistry extends Omit<ProcessStore, 'remove'> {
  /** Its files go with it. */
  remove(id: string): Promise<void>;
}

/** `formerFile` is where earlier versions kept them; it is taken over once. */
export function createProcessRegistry(store: ProcessStore, formerFile?: string): ProcessRegistry {
  const ready = lazy(async (): Promise<ProcessStore> => {
    if (formerFile !== undefined && existsSync(formerFile)) await takeOver(formerFile, store);
    return store;
  });
  return {
    add: async (record) => {
      const processes = await ready();
      for (const { id } of (await processes.list()).filter(isLost)) await processes.remove(id);
      await processes.add(record);
    },
    change: async (id, pending) => (await ready()).change(id, pending),
    keep: async (id) => (await ready()).keep(id),
    remove: async (id) => {
      const gone = await (await ready()).remove(id);
      if (gone !== undefined) removeProcessFiles(gone.trace);
    },
    list: async () => (await ready()).list(),
  };
}

/** A file that cannot be read is no file: the processes go on, they are only not found again. It goes once its rows are kept. */
const takeOver = (path: string, store: ProcessStore): Promise<void> =>
  withFileLock(path, async () => {
    if (!existsSync(path)) return;
    for (const record of recordsOf(readFileSync(path, 'utf8'))) await store.add(record);
    rmSync(path, { force: true });
  });

/** Its files were swept away: nobody asked after it for long. */
const isLost = ({ trace }: ProcessRecord): boolean => trace.backend === 'local' && isNear(identityIn(trace)) && !existsSync(trace.log);

/** Takes up a process that an earlier one of ours started: state, output and kill. `undefined` when nothing is left of it to tell. */
export function adopt({ trace, watch }: Pick<ProcessRecord, 'trace' | 'watch'>, options: StartOptions): RunningProcess | undefined {
  if (trace.backend !== 'local' || !existsSync(trace.log)) return undefined;
  const same = identityIn(trace);
  if (!isNear(same)) return undefined;
  return followLogged(trace, options, { isOver: () => !isAlive(same), exitCode: () => codeIn(trace.exit) }, watch?.seen);
}

export const identityIn = ({ identity: { pid, host, space, started } }: Pick<DetachedProcessRecord, 'identity'>): ProcessIdentity => ({
  pid: Number(pid),
  host: String(host),
  space: String(space),
  started: String(started),
});

function codeIn(path: string): number {
  try {
    const text = readFileSync(path, 'utf8').trim();
    return /^\d+$/.test(text) ? Number(text) : -1;
  } catch {
    return -1; // ended from outside before it could say anything
  }
}

function recordsOf(text: string): ProcessRecord[] {
  const found = parseJson(text);
  return Array.isArray(found) ? found.flatMap(recordOf) : [];
}

function recordOf(row: unknown): ProcessRecord[] {
  const word = (...path: string[]) => readStringAt(row, ...path);
  const figure = (...path: string[]) => readNumberAt(row, ...path);
  const [id, sessionId, backend, command] = [word('id'), word('sessionId'), word('trace', 'backend'), word('trace', 'command')];
  const [pid, startedAt, log, exit] = [figure('trace', 'pid'), figure('trace', 'startedAt'), word('trace', 'log'), word('trace', 'exit')];
  const identity = isObject(row) && isObject(row['trace']) ? row['trace']['identity'] : undefined;
  if (id === undefined || sessionId === undefined || backend === undefined || command === undefined) return [];
  if (pid === undefined || startedAt === undefined || log === undefined || exit === undefined || !isObject(identity)) return [];
  const plain = Object.entries(identity).flatMap(([key, value]) =>
    typeof value === 'string' || typeof value === 'number' ? [[key, value] as const] : [],
  );
  const trace = { backend, pid, command, startedAt, log, exit, identity: Object.fromEntries(plain) };
  const watch = watchOf(readPath(row, 'watch'));
  const kept = readPath(row, 'kept') === true && ({ kept: true } as const);
  return [{ id, sessionId, trace, ...kept, ...(readPath(row, 'tell') === true && { tell: true }), ...(watch !== undefined && { watch }) }];
}

function watchOf(value: unknown): ProcessRecord['watch'] {
  const [patterns, seen] = [readPath(value, 'patterns'), readNumberAt(value, 'seen')];
  if (!Array.isArray(patterns) || seen === undefined) return undefined;
  return { patterns: patterns.filter((pattern) => typeof pattern === 'string'), seen };
}
