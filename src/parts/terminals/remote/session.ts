import { toErrorMessage } from '../../../base/errors.ts';
import type { RunOptions, RunResult, RunningProcess, StartOptions, Terminal } from '../../../contracts/terminal.ts';
import { createShellFiles, type ShellRun } from '../files/shell.ts';
import { openSnapshots, type ShellSnapshots } from '../shell/snapshots.ts';
import { quoteShellWord } from '../../../base/shell.ts';
import { parseCommandEnd, wrapCommand } from '../shell/wrap.ts';
import { createEndScript } from '../process/end-script.ts';
import { openRemoteHost, OWN_FOLDER, removeOwnFolder, type RemoteHost } from './opening.ts';
import { preparePtyLaunch, type PtyHost } from './pty.ts';
import { runRemote, sendRemote, type FarGroup, type FarRun } from '../line/run.ts';
import { startRemote, type RemoteProcess } from './running.ts';
import type { Sync, SyncOptions } from '../sync/sync.ts';

/** What a session must know of a place far away. Everything else is the same on every line. */
export interface FarHost extends PtyHost {
  readonly kind: string;
  /** A folder there; the home folder when it is absent or not there. */
  readonly cwd: string;
  /** Variables every command is given. */
  readonly env: Readonly<Record<string, string>>;
  /** What a later process of ours must know to find this place again. */
  readonly identity: Readonly<Record<string, string | number>>;
  /** The session begins in a folder and a home that no other has, in place of `cwd`; both go with it. */
  readonly ownFolder?: true;
  /** The place ends with the session, and everything in it. */
  readonly passing?: true;
  /** Files of the profile that go along and come back; absent when none do. */
  readonly sync?: SyncOptions;
}

const LOGIN_MS = 15_000;
const FILES_MS = 120_000;

export async function openRemoteTerminal(asked: FarHost): Promise<Terminal> {
  const host = await openRemoteHost(asked.line, asked.ownFolder === true ? OWN_FOLDER : asked.cwd).catch(async (error: unknown) => {
    await asked.line.close();
    throw error;
  });
  const home = host.ownFolder === undefined ? host.home : `${host.ownFolder}/home`;
  const place = host.ownFolder === undefined ? asked : { ...asked, env: { ...asked.env, HOME: home } };
  const sync = place.sync === undefined ? undefined : (await import('../sync/sync.ts')).openSync(place.line, home, place.sync);
  const session: RemoteSession = {
    place,
    host,
    sync,
    cwd: host.cwd,
    running: new Set(),
    outliving: new Set(),
    owed: new Map(),
    kept: openSnapshots(host.room, Object.keys(place.env)),
  };
  await takeUpLogin(session);
  return {
    kind: place.kind,
    files: createShellFiles(bareRun(session), { home }),
    get cwd() {
      return session.cwd;
    },
    carried: () => session.kept.carried(),
    run: (command, options) => (options.pty === true ? runOnTerminal : runThere)(session, command, options),
    start: (command, options) => startThere(session, command, options),
    [Symbol.asyncDispose]: () => close(session),
  };
}
interface RemoteSession {
  readonly place: FarHost;
  readonly host: RemoteHost;
  readonly sync: Sync | undefined;
  cwd: string;
  /** What must end with the session. */
  readonly running: Set<RunningProcess>;
  readonly outliving: Set<RemoteProcess>;
  /** Commands that could not be ended because the line broke, and when that was. */
  readonly owed: Map<FarGroup, number>;
  readonly kept: ShellSnapshots;
}

/** The first snapshot is what a login leaves: `PATH` and the rest as the owner of the account has them. */
async function takeUpLogin(session: RemoteSession): Promise<void> {
  const { snapshot, finish } = session.kept.begin();
  const script = wrapCommand({ command: ':', shell: 'bash', tell: {}, ...(snapshot !== undefined && { snapshot }) });
  const { told } = await runRemote(session.place.line, exportLines(session.place.env) + script, {
    signal: new AbortController().signal,
    timeoutMs: LOGIN_MS,
    maxOutput: 1_000,
    login: true,
  });
  finish(parseCommandEnd(told)?.left === true);
}

/** Said before every script: the variables the place is given, which the snapshot leaves out. */
const exportLines = (env: Readonly<Record<string, string>>): string =>
  Object.entries(env)
    .filter(([name]) => /^[A-Za-z_]\w*$/.test(name))
    .map(([name, value]) => `export ${name}=${quoteShellWord(value)}; `)
    .join('');

async function runThere(session: RemoteSession, command: string, options: RunOptions): Promise<RunResult> {
  await prepare(session);
  const cwd = options.cwd ?? session.cwd;
  const { snapshot, finish } = session.kept.begin(command);
  const script = wrapCommand({
    command,
    shell: 'bash',
    tell: {},
    cwd,
    ...(options.cwd === undefined && { orAbove: true }),
    ...(snapshot !== undefined && { snapshot }),
  });
  const { told, left, ...result } = await runRemote(session.place.line, exportLines(session.place.env) + script, options);
  if (left !== undefined) session.owed.set(left, Date.now());
  const end = parseCommandEnd(told);
  finish(end?.left === true);
  if (options.cwd !== undefined) return { ...settled(result, end !== undefined), cwd: end?.cwd ?? cwd };
  session.cwd = end?.cwd ?? session.cwd;
  return { ...result, cwd: session.cwd, ...(end?.movedTo !== undefined && { movedTo: end.movedTo }) };
}

/** The code of a folder that is not there, and nothing said at the end: the command was never begun. */
const settled = (result: Omit<FarRun, 'told'>, told: boolean): Omit<FarRun, 'told'> =>
  result.exitCode === 126 && !told ? { ...result, exitCode: null, ended: 'failed_to_start' } : result;

/** Later than this the number of a group may be that of another. */
const OWED_MS = 600_000;

/** What a broken line left running is ended as soon as there is a line again. */
async function prepare({ place, sync, owed }: RemoteSession): Promise<void> {
  for (const [left, since] of owed) {
    if (Date.now() - since < OWED_MS && !(await sendRemote(place.line, createEndScript(left.group, left.id)))) break;
    owed.delete(left);
  }
  await sync?.push();
}

async function startThere(session: RemoteSession, command: string, options: StartOptions): Promise<RunningProcess> {
  await prepare(session);
  const script = scriptFor(session, command, options.cwd);
  if (options.pty === true) return owned(session, await startOnTerminal(session, command, script, options));
  const { place, host } = session;
  const identity = { ...place.identity, boot: host.boot };
  const started = await startRemote(place.line, { kind: place.kind, command, script, identity }, options);
  if (place.passing === true) return untraced(owned(session, started));
  if (options.outlive !== true) return owned(session, started);
  session.outliving.add(started);
  return started;
}
/** Ends with the session. */
function owned<Kind extends RunningProcess>(session: RemoteSession, running: Kind): Kind {
  session.running.add(running);
  void running.exited.then(() => session.running.delete(running));
  return running;
}
/** Nobody can find it again: it does not promise that. */
const untraced = (running: RunningProcess): RunningProcess => {
  const { trace: _, ...rest } = running;
  return {
    ...rest,
    get exited() {
      return running.exited;
    },
  };
};

/** For what nobody waits for: it takes up what there is and leaves nothing. */
function scriptFor({ place, kept, cwd }: RemoteSession, command: string, elsewhere: string | undefined): string {
  const snapshot = kept.current();
  return (
    exportLines(place.env) + wrapCommand({ command, shell: 'bash', cwd: elsewhere ?? cwd, ...(snapshot !== undefined && { snapshot }) })
  );
}

async function runOnTerminal(session: RemoteSession, command: string, options: RunOptions): Promise<RunResult> {
  await prepare(session);
  const cwd = options.cwd ?? session.cwd;
  try {
    const { runInPty } = await import('../process/pty.ts');
    return {
      ...(await runInPty(
        await preparePtyLaunch(session.place, session.host.room, scriptFor(session, command, options.cwd)),
        command,
        options,
      )),
      cwd,
    };
  } catch (error) {
    return { exitCode: null, ended: 'failed_to_start', output: `${toErrorMessage(error)}\n`, omitted: 0, cwd };
  }
}

async function startOnTerminal(session: RemoteSession, command: string, script: string, options: StartOptions): Promise<RunningProcess> {
  const { startInPty } = await import('../process/pty.ts');
  return startInPty(await preparePtyLaunch(session.place, session.host.room, script), command, options);
}

const bareRun =
  ({ place }: RemoteSession): ShellRun =>
  (script, { stdin, signal, room }) =>
    runRemote(place.line, script, { signal, timeoutMs: FILES_MS, maxOutput: room, ...(stdin !== undefined && { stdin }) });

async function close(session: RemoteSession): Promise<void> {
  const { place, host, running, outliving, sync } = session;
  for (const each of outliving) each.letGo();
  // A place that does not answer would be waited for at every step.
  if (!(await sendRemote(place.line, ':'))) {
    place.sync?.notice(
      `${place.line.name} does not answer: what was changed in ~/.hermes there was not taken back, and what runs there was not ended.`,
    );
    return place.line.close();
  }
  await Promise.all([...running].map((each) => each.kill()));
  await sync?.back();
  if (host.ownFolder !== undefined) await sendRemote(place.line, removeOwnFolder(host.ownFolder));
  await sendRemote(place.line, `rm -rf -- ${quoteShellWord(host.room)}`);
  await place.line.close();
}
