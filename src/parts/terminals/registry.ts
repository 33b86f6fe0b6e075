import { existsSync, readFileSync } from 'node:fs';
import { withFileLock } from '../../base/file-lock.ts';
import { readPath, isObject, readNumberAt, parseJson, readStringAt } from '../../base/json.ts';
import { isAlive, isNear, type ProcessIdentity } from '../../base/process-identity.ts';
import { replaceFile } from '../../base/replace-file.ts';
import type { DetachedProcessRecord, RunningProcess, StartOptions } from '../../contracts/terminal.ts';
import { followLogged, removeProcessFiles } from './local/logged.ts';

/** Background processes that may outlive this one, in a file of the profile (`processes.json`), each under the id people know it by. */
export interface ProcessRegistry {
  add(record: ProcessRecord): Promise<void>;
  /** What its session wants to hear from now on. One that is not in the list stays out of it. */
  change(id: string, pending: StoredNotices): Promise<void>;
  /** The owner wants it to go on when its session is closed. */
  keep(id: string): Promise<void>;
  /** Its files go with it. */
  remove(id: string): Promise<void>;
  /** Oldest first. */
  list(): readonly ProcessRecord[];
}
export interface ProcessRecord extends StoredNotices {
  readonly id: string;
  readonly sessionId: string;
  readonly trace: DetachedProcessRecord;
  /** It goes on when its session is closed. */
  readonly kept?: true;
}
export interface StoredNotices {
  /** Its session wants to hear of its end. */
  readonly tell?: boolean;
  /** It wants to hear of lines with one of these words; of the first `seen` lines it has. */
  readonly watch?: { readonly patterns: readonly string[]; readonly seen: number };
}

/**
 * A file that cannot be read is no file: the processes go on, they are only not found again. Whoever changes it holds its
 * lock: of two agents that read, change and write at once, one would otherwise lose what it entered.
 */
export function createProcessRegistry(path: string): ProcessRegistry {
  const read = (): ProcessRecord[] => (existsSync(path) ? recordsOf(readFileSync(path, 'utf8')) : []);
  const change = (next: (records: readonly ProcessRecord[]) => readonly ProcessRecord[]): Promise<void> =>
    withFileLock(path, () => {
      const before = read();
      const after = next(before);
      if (JSON.stringify(before) !== JSON.stringify(after)) replaceFile(path, `${JSON.stringify(after, null, 2)}\n`, 0o600);
    });
  return {
    add: (record) => change((records) => [...records.filter((each) => each.id !== record.id && !isLost(each)), record]),
    change: (id, pending) =>
      change((records) =>
        records.map((each) =>
          each.id === id
            ? { id, sessionId: each.sessionId, trace: each.trace, ...(each.kept === true && { kept: true as const }), ...pending }
            : each,
        ),
      ),
    keep: (id) => change((records) => records.map((each) => (each.id === id ? { ...each, kept: true } : each))),
    remove: async (gone) => {
      const found = read().find(({ id }) => id === gone);
      if (found === undefined) return;
      await change((records) => records.filter(({ id }) => id !== gone));
      removeProcessFiles(found.trace);
    },
    list: read,
  };
}

/** Its files were swept away: nobody asked after it for long. */
const isLost = ({ trace }: ProcessRecord): boolean => trace.backend === 'local' && isNear(identityIn(trace)) && !existsSync(trace.log);

/** Takes up a process that an earlier one of ours started: state, output and kill. `undefined` when nothing is left of it to tell. */
export function adopt({ trace, watch }: Pick<ProcessRecord, 'trace' | 'watch'>, options: StartOptions): RunningProcess | undefined {
  if (trace.backend !== 'local' || !existsSync(trace.log)) return undefined;
  const same = identityIn(trace);
  if (!isNear(same)) return undefined;
  return followLogged(trace, options, { isOver: () => !isAlive(same), exitCode: () => codeIn(trace.exit) }, watch?.seen);
}

const identityIn = ({ identity: { pid, host, space, started } }: DetachedProcessRecord): ProcessIdentity => ({
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
