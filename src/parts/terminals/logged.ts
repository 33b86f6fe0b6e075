import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { identityOf } from '../../base/process-identity.ts';
import type { ProcessTrace, Running, StartOptions } from '../../contracts/terminal.ts';
import { ear, type Ear } from './ear.ts';
import { launched, type Launch } from './launch.ts';
import { PREFIX, sign, sweepLater } from './leftovers.ts';
import { endGroup } from './process-group.ts';
import { wrap, type Snapshot } from './wrap.ts';

export interface LoggedStart {
  readonly command: string;
  readonly shell: 'bash' | 'sh';
  readonly from: Snapshot | undefined;
  readonly cwd: string;
  launch(script: string, cwd: string): Launch;
  readonly options: StartOptions;
}

/** Starts something that goes on without us: it writes into a file of its own and leaves its exit code in another. */
export async function startLogged({ command, shell, from, cwd, launch, options }: LoggedStart): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), PREFIX));
  const [log, exit] = [join(folder, 'log'), join(folder, 'exit')];
  const script = wrap({ command, shell, exit, ...(from !== undefined && { snapshot: from }) });
  const file = openSync(log, 'a', 0o600);
  const child = launched(launch(script, cwd), ['pipe', file, file]);
  closeSync(file);
  child.stdin?.on('error', () => {});
  const startedAt = Date.now();
  const pid = child.pid ?? -1;
  const identity = identityOf(pid);
  sign(folder, identity);
  sweepLater();
  const trace: ProcessTrace = { backend: 'local', pid, command, startedAt, log, exit, identity: { ...identity } };
  let code: number | undefined;
  child.once('exit', (exitCode) => (code = exitCode ?? -1));
  child.once('error', () => (code = -1));
  child.unref();
  return followed(trace, options, { isOver: () => code !== undefined, exitCode: () => code ?? -1, stdin: child.stdin });
}

/** Takes the files of a process away, once nobody wants to read them any more. Only a folder of ours: the trace comes out of a file. */
export function forget({ backend, log }: ProcessTrace): void {
  const folder = dirname(log);
  if (backend === 'local' && basename(folder).startsWith(PREFIX)) rmSync(folder, { recursive: true, force: true });
}

export interface Followed {
  /** Whether the process has gone. */
  isOver(): boolean;
  exitCode(): number;
  readonly stdin?: { write(data: string): unknown; end(): unknown } | null;
}

/** Beside the log: how many lines it had when it was emptied. */
const EMPTIED = 'emptied';
/** How often the file is looked at while somebody listens or waits. */
const LOOK_MS = 100;
/** The file is emptied when it is longer, while we are there: what was in it has been read. */
const MAX_LOG = 64 * 1024 * 1024;

/** A process known by its files alone. Of its output, `heard` lines were heard in an earlier run: nobody is told those again. */
export function followed(trace: ProcessTrace, options: StartOptions, { isOver, exitCode, stdin }: Followed, heard = 0): Running {
  const ears = ear(options);
  const read = reader(trace.log, ears, heard);
  const look = () => {
    if (ears.code() !== undefined) return;
    // In this order: what it wrote before it went is there when it has gone.
    const over = isOver();
    read();
    if (!over) return;
    clearInterval(timer);
    ears.finish(exitCode());
  };
  // It is to outlive us: looking after it must not keep us.
  const timer = setInterval(look, LOOK_MS).unref();
  return {
    pid: trace.pid,
    command: trace.command,
    startedAt: trace.startedAt,
    trace,
    status: () => (look(), ears.told.status()),
    output: () => (look(), ears.told.output()),
    onOutput: ears.told.onOutput,
    write: (data) => void stdin?.write(data),
    end: () => void stdin?.end(),
    kill: async () => {
      await endGroup(trace.pid);
      look();
    },
    exited: ears.exited,
  };
}

/** Reads on from where it stopped. */
function reader(path: string, ears: Ear, heard: number): () => void {
  const emptied = join(dirname(path), EMPTIED);
  let [at, lines] = [0, linesIn(emptied)];
  const room = Buffer.alloc(256 * 1024);
  const take = (bytes: Buffer) => {
    const old = afterLines(bytes, heard - lines);
    ears.recall(bytes.subarray(0, old));
    ears.hear(bytes.subarray(old));
    at += bytes.length;
    lines += newlines(bytes);
  };
  return () => {
    if (!existsSync(path)) return;
    const file = openSync(path, 'r+');
    try {
      // Emptied by another of us who reads it, too.
      if (fstatSync(file).size < at) at = 0;
      for (let count = readSync(file, room, 0, room.length, at); count > 0; count = readSync(file, room, 0, room.length, at))
        take(Buffer.from(room.subarray(0, count)));
      if (at < MAX_LOG || fstatSync(file).size !== at) return;
      writeFileSync(emptied, String(lines), { mode: 0o600 });
      ftruncateSync(file);
      at = 0;
    } finally {
      closeSync(file);
    }
  };
}

/** How many lines were taken out of a log before the ones that are in it. */
function linesIn(emptied: string): number {
  try {
    return Number.parseInt(readFileSync(emptied, 'utf8'), 10) || 0;
  } catch {
    return 0; // it never grew too long
  }
}

/** Where the first lines of a piece end; all of it when it has no more. */
function afterLines(bytes: Buffer, lines: number): number {
  let at = 0;
  for (let left = lines; left > 0; left--) {
    const end = bytes.indexOf(NEWLINE, at);
    if (end < 0) return bytes.length;
    at = end + 1;
  }
  return at;
}
const NEWLINE = 10;
function newlines(bytes: Buffer): number {
  let count = 0;
  for (const byte of bytes) if (byte === NEWLINE) count += 1;
  return count;
}
