import { randomUUID } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { delimiter, isAbsolute, join } from 'node:path';
import { realPath } from '../../../base/real-path.ts';
import { isWithin } from '../../../base/within.ts';
import { describeRef, type HostAnswer, type HostRequest, type PushBlock } from '../../../contracts/wall.ts';
import type { ShownFolder } from '../sandbox/mounts.ts';
import type { SandboxNetworkOptions } from '../sandbox/network-port.ts';
import { openAncestry } from './ancestry.ts';
import type { GitRemote } from './git-remotes.ts';
import { openGitCall, startRemote, type GitCall } from './git-call.ts';
import { layFolderRemotes, listFolderRemotes } from './git-folders.ts';
import { readHeaderLines } from './header-lines.ts';
import { findGitSshTarget, formatTarget, listSshRemotes, type GitSshTarget } from './git-ssh-request.ts';
import type { OwnerHosts } from './owner-hosts.ts';
import type { PushGuard } from './push-guard.ts';
import { findPushConcerns, readIgnoreRules } from './push-concerns.ts';
import { findPushLosses } from './push-loss.ts';
import { receivePack } from './received-pack.ts';
import { createGitSshShim, SHIM_NAME } from './git-ssh-shim.ts';

/**
 * Git over ssh without a key inside: a small program in ssh's place hands git's bytes to us, and we start the owner's ssh out
 * here, for the remotes of the project as they were and for git alone. Pushes to remotes that are folders come the same way.
 * A push that would lose something at a remote is refused and told as a block.
 */
export interface GitSsh {
  readonly variables: Readonly<Record<string, string>>;
  /** What commands have to see for it. */
  readonly shown: readonly ShownFolder[];
  /** Takes up a connection of the program in ssh's place. */
  serve(socket: Socket): void;
  close(): void;
}
export interface GitSshOptions extends Pick<SandboxNetworkOptions, 'bin' | 'writable' | 'hidden' | 'look'> {
  /** Nothing is mounted: commands see folders where they are. */
  readonly isShared: boolean;
  readonly owner: OwnerHosts;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Asks whoever watches the commands. */
  ask(request: HostRequest): Promise<HostAnswer>;
  /** Whether a text holds a secret that is known here. */
  holdsSecret?(text: string): boolean;
  onBlocked(block: PushBlock): void;
}

const HEADER_MS = 30_000;
const MAX_HEADER = 64 * 1024;
const MAX_LINES = 16;
/** Calls of ssh at once. */
const MAX_CALLS = 16;

/** `undefined` where bash is missing, which alone opens a connection without another program. */
export async function installGitSsh(options: GitSshOptions): Promise<GitSsh | undefined> {
  const { owner, bin, env: given, writable } = options;
  const bash = ['/bin/bash', '/usr/bin/bash'].find((path) => existsSync(path));
  if (bash === undefined) return undefined;
  const path = listFixedFolders(given['PATH'], writable);
  const env = { ...given, PATH: path };
  const isFixedWay = isFixed(owner.sshCommand, given['HOME'], writable);
  const agreed: GitRemote[] = [];
  /** Those whom the owner has agreed to by now. */
  const listRemotes = () => (isFixedWay ? listSshRemotes([...owner.remotes, ...agreed]) : []);
  const unproven = isFixedWay ? owner.unproven : [];
  /** What the words for ssh mean; a remote that a command may have added is asked about. */
  const findTarget = async (words: readonly string[]): Promise<GitSshTarget | string> => {
    const wanted = findGitSshTarget(
      words,
      listRemotes(),
      folders.filter((folder) => isKept(folder, options)),
    );
    if (typeof wanted !== 'string') return wanted;
    const found = unproven.flatMap((each) => {
      const target = findGitSshTarget(words, listSshRemotes([each.remote]));
      return typeof target === 'string' || target.type !== 'ssh' ? [] : [{ ...each, target }];
    })[0];
    if (found === undefined) return wanted;
    const { host, port = SSH } = found.target.remote;
    const answer = await options.ask({ host, port, how: 'ssh', git: { type: 'remote', remote: formatTarget(found.target) } });
    if (answer !== true) return refuseGit(`${formatTarget(found.target)} was added after Hermes first worked in this repository`, answer);
    found.agree();
    agreed.push(found.remote);
    return found.target;
  };
  const rules = readIgnoreRules(owner);
  const folders = listFolderRemotes({ ...options, remotes: owner.remotes });
  const laid = await layFolderRemotes({ folders, bin, bash, path, isShared: options.isShared });
  writeFileSync(join(bin.here, SHIM_NAME), createGitSshShim(bash), { mode: 0o755 });
  const calls = new Map<string, GitCall>();
  const open = new Set<Socket>();
  const take = async (socket: Socket) => {
    const lines = await readHeaderLines(socket, { limitMs: HEADER_MS, maxBytes: MAX_HEADER, count: countLines });
    const [verb = '', first = '', protocol = ''] = lines?.[0]?.split(' ') ?? [];
    if (lines === undefined) return void socket.destroy();
    if (verb !== 'run') {
      const call = calls.get(first);
      return call === undefined ? void socket.destroy() : call.join(verb, socket);
    }
    const [, objects = '', ...words] = lines;
    const wanted = await findTarget(words);
    if (typeof wanted === 'string') return void socket.end(`no ${wanted}\n`);
    if (calls.size >= MAX_CALLS) return void socket.end('no Too many git operations are running at once.\n');
    const id = randomUUID();
    const start = () => startRemote(wanted, { protocol, sshCommand: owner.sshCommand, env });
    calls.set(id, openGitCall(socket, start, createPushGuard(wanted, objects, { ...options, path, rules })));
    socket.once('close', () => calls.delete(id));
    socket.write(`id ${id}\n`);
  };
  return {
    variables: { GIT_SSH_COMMAND: `${bin.inside}/${SHIM_NAME}`, GIT_SSH_VARIANT: 'ssh', ...laid.variables },
    shown: laid.shown,
    serve: (socket) => {
      if (open.size >= MAX_CALLS * 4) return void socket.destroy();
      open.add(socket);
      socket.once('close', () => open.delete(socket));
      socket.on('error', () => socket.destroy());
      take(socket).catch(() => socket.destroy());
    },
    close: () => {
      for (const socket of open) socket.destroy();
    },
  };
}

/** Whether commands still cannot write to a remote: what they put there, hooks among it, would run out here. */
function isKept(folder: string, { look }: GitSshOptions): boolean {
  const found = look(folder);
  return found.type === 'host' && found.how === 'ro' && found.path === folder;
}

const SSH = 22;
const refuseGit = (what: string, answer: HostAnswer): string =>
  `Blocked by the sandbox: ${what}${typeof answer === 'object' ? `: ${answer.why.replace(/\.$/, '')}` : ''}.`;

interface PushGuardOptions extends GitSshOptions {
  readonly path: string;
  /** Files to be ignored, as the repository said when the session began. */
  readonly rules: string;
}

/** `objects` is where git inside says its commits are; wherever that leads, commits speak for themselves. */
function createPushGuard(
  target: GitSshTarget,
  objects: string,
  { owner, look, onBlocked, ask, path, rules, holdsSecret = () => false }: PushGuardOptions,
): PushGuard | undefined {
  if (target.type === 'ssh' && !target.isPush) return undefined;
  const remote = formatTarget(target);
  const told = isAbsolute(objects) ? look(objects) : undefined;
  const known = [
    ...(told?.type === 'host' ? [told.path] : []),
    ...(owner.objects === undefined ? [] : [owner.objects]),
    ...(target.type === 'folder' ? [join(target.path, 'objects')] : []),
  ];
  return {
    remote,
    findLosses: async ({ updates }, signal) => {
      const ancestry = openAncestry({ objects: known, path, signal });
      try {
        return await findPushLosses(updates, (old, wanted) => ancestry.find(old, wanted));
      } finally {
        ancestry.close();
      }
    },
    onLosses: (losses) => {
      for (const loss of losses) onBlocked({ type: 'push', remote, ...loss });
    },
    review: async ({ updates }, input, signal) => {
      const length = updates[0]?.new.length ?? 40;
      const pushed = await receivePack(input, { length, objects: known, path, signal });
      const holds = await findPushConcerns(pushed, { rules, holdsSecret, ...(told?.type === 'host' && { objects: told.path }) });
      const refs = updates.map(({ ref }) => describeRef(ref));
      const { host, port = SSH } = target.type === 'ssh' ? target.remote : { host: 'localhost' };
      const answer = await ask({ host, port, how: 'ssh', git: { type: 'push', remote, refs, holds } });
      return {
        ...(answer !== true && { objection: `${typeof answer === 'object' ? answer.why.replace(/\.$/, '') : 'the user said no'}.` }),
        send: (sink) => pushed.send(sink),
        close: () => pushed.close(),
      };
    },
  };
}

/** The folders of a `PATH` in which commands cannot put a program of their own. */
const listFixedFolders = (path: string | undefined, writable: readonly string[]): string =>
  (path ?? '/usr/bin:/bin')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !writable.some((each) => isWithin(each, realPath(folder) ?? folder)))
    .join(delimiter);

/** Whether the owner's way to call ssh names nothing that commands may write to: a file of settings there could name programs. */
function isFixed(sshCommand: string | undefined, home: string | undefined, writable: readonly string[]): boolean {
  const words = (sshCommand ?? '').replaceAll(/~(?=\/)|\$\{?HOME\}?/g, home ?? '~');
  return !writable.some((folder) => words.includes(folder));
}

/** `run 3 version=2` has four lines after it, the first of them the folder of objects; every other first line stands alone. */
const countLines = (first: string): number => {
  const [, words] = /^run (\d{1,2}) /.exec(first) ?? [];
  return words === undefined ? 1 : 2 + Math.min(Number(words), MAX_LINES);
};
