import { closeSync, existsSync, fstatSync, ftruncateSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { identityOf } from '../../base/process-identity.ts';
import type { ProcessTrace, Running, StartOptions } from '../../contracts/terminal.ts';
import { capture, type Capture } from './capture.ts';
import { launched, type Launch } from './launch.ts';
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
  const trace: ProcessTrace = { backend: 'local', pid, command, startedAt, log, exit, identity: { ...identity } };
  let code: number | undefined;
  child.once('exit', (exitCode) => (code = exitCode ?? -1));
  child.once('error', () => (code = -1));
  child.unref();
  return followed(trace, options, { isOver: () => code !== undefined, exitCode: () => code ?? -1, stdin: child.stdin });
}

const PREFIX = 'hermes-process-';
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

/** How often the file is looked at while somebody listens or waits. */
const LOOK_MS = 100;
/** The file is emptied when it is longer, while we are there: what was in it has been read. */
const MAX_LOG = 64 * 1024 * 1024;

/** A process known by its files alone. */
export function followed(trace: ProcessTrace, options: StartOptions, { isOver, exitCode, stdin }: Followed): Running {
  const output = capture(options.maxOutput, options.keepAll, options.clean);
  const listeners = new Set<(text: string) => void>();
  const read = reader(trace.log, output, (text) => {
    for (const listener of listeners) listener(text);
  });
  const exited = Promise.withResolvers<number>();
  let code: number | undefined;
  const look = () => {
    // In this order: what it wrote before it went is there when it has gone.
    const over = isOver();
    read();
    if (!over || code !== undefined) return;
    code = exitCode();
    output.finish();
    clearInterval(timer);
    exited.resolve(code);
  };
  // It is to outlive us: looking after it must not keep us.
  const timer = setInterval(look, LOOK_MS).unref();
  return {
    pid: trace.pid,
    command: trace.command,
    startedAt: trace.startedAt,
    trace,
    status: () => (look(), code === undefined ? { state: 'running' } : { state: 'exited', exitCode: code }),
    output: () => (look(), output.so().output),
    onOutput: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    write: (data) => void stdin?.write(data),
    end: () => void stdin?.end(),
    kill: async () => {
      await endGroup(trace.pid);
      look();
    },
    exited: exited.promise,
  };
}

/** Reads on from where it stopped. Bounded: a file that has grown while nobody looked is read from its last part on. */
function reader(path: string, output: Capture, heard: (text: string) => void): () => void {
  let at = 0;
  const room = Buffer.alloc(256 * 1024);
  return () => {
    if (!existsSync(path)) return;
    const file = openSync(path, 'r+');
    try {
      for (let count = readSync(file, room, 0, room.length, at); count > 0; count = readSync(file, room, 0, room.length, at)) {
        at += count;
        const fresh = output.add(Buffer.from(room.subarray(0, count)));
        if (fresh !== '') heard(fresh);
      }
      if (at >= MAX_LOG && fstatSync(file).size === at) {
        ftruncateSync(file);
        at = 0;
      }
    } finally {
      closeSync(file);
    }
  };
}
