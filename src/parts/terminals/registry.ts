import { existsSync, readFileSync } from 'node:fs';
import { at, isObject, numberAt, parseJson, stringAt } from '../../base/json.ts';
import { isAlive, isNear } from '../../base/process-identity.ts';
import { replaceFile } from '../../base/replace-file.ts';
import type { ProcessTrace, Running, StartOptions } from '../../contracts/terminal.ts';
import { followed, forget } from './logged.ts';

/** Background processes that may outlive this one, in a file of the profile (`processes.json`), each under the id people know it by. */
export interface ProcessRegistry {
  add(record: ProcessRecord): void;
  /** Its files go with it. */
  remove(id: string): void;
  /** Oldest first. */
  list(): readonly ProcessRecord[];
}
export interface ProcessRecord {
  readonly id: string;
  readonly sessionId: string;
  readonly trace: ProcessTrace;
  /** Its session wants to hear of its end. */
  readonly tell?: boolean;
}

/** A file that cannot be read is no file: the processes go on, they are only not found again. */
export function processRegistry(path: string): ProcessRegistry {
  const read = (): ProcessRecord[] => (existsSync(path) ? recordsOf(readFileSync(path, 'utf8')) : []);
  const write = (records: readonly ProcessRecord[]) => replaceFile(path, `${JSON.stringify(records, null, 2)}\n`, 0o600);
  return {
    add: (record) => write([...read().filter(({ id }) => id !== record.id), record]),
    remove: (gone) => {
      const records = read();
      const found = records.find(({ id }) => id === gone);
      if (found === undefined) return;
      write(records.filter((record) => record !== found));
      forget(found.trace);
    },
    list: read,
  };
}

/** Takes up a process that an earlier one of ours started: state, output and kill. `undefined` when nothing is left of it to tell. */
export function adopt({ trace }: Pick<ProcessRecord, 'trace'>, options: StartOptions): Running | undefined {
  if (trace.backend !== 'local' || !existsSync(trace.log)) return undefined;
  const { pid, host, space, started } = trace.identity;
  const same = { pid: Number(pid), host: String(host), space: String(space), started: String(started) };
  if (!isNear(same)) return undefined;
  return followed(trace, options, { isOver: () => !isAlive(same), exitCode: () => codeIn(trace.exit) });
}

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
  const word = (...path: string[]) => stringAt(row, ...path);
  const figure = (...path: string[]) => numberAt(row, ...path);
  const [id, sessionId, backend, command] = [word('id'), word('sessionId'), word('trace', 'backend'), word('trace', 'command')];
  const [pid, startedAt, log, exit] = [figure('trace', 'pid'), figure('trace', 'startedAt'), word('trace', 'log'), word('trace', 'exit')];
  const identity = isObject(row) && isObject(row['trace']) ? row['trace']['identity'] : undefined;
  if (id === undefined || sessionId === undefined || backend === undefined || command === undefined) return [];
  if (pid === undefined || startedAt === undefined || log === undefined || exit === undefined || !isObject(identity)) return [];
  const plain = Object.entries(identity).flatMap(([key, value]) =>
    typeof value === 'string' || typeof value === 'number' ? [[key, value] as const] : [],
  );
  const trace = { backend, pid, command, startedAt, log, exit, identity: Object.fromEntries(plain) };
  return [{ id, sessionId, trace, ...(at(row, 'tell') === true && { tell: true }) }];
}
