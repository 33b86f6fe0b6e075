import {
  formatHostKey,
  type GitQuestion,
  type HostAnswer,
  type HostRequest,
  type UnreachedHost,
  type WallBlock,
} from '../../../contracts/wall.ts';
import type { CommandOnNetwork, NetworkedCommand } from '../sandbox/network-port.ts';

/** The commands that run behind a gate: whoever watches one of them can be asked, and all are told what was turned away. */
export interface NetworkedCommands {
  begin(command: NetworkedCommand): CommandOnNetwork;
  /** Whether one of them is watched by somebody who can be asked. */
  canAsk(): boolean;
  /** Whether somebody agrees to a host; a no where nobody can be asked, which the owner is told. */
  ask(request: HostRequest): Promise<HostAnswer>;
  /** Something was turned away: any of those that run may have meant it. */
  tellBlocked(block: WallBlock): void;
  tellUnreached(host: UnreachedHost): void;
  /** Somebody is talked to, or may be from now on. */
  tellReached(): void;
}

/** Hosts of which the owner is told; a scan must not flood anybody. */
const MAX_NOTICES = 20;
/** Questions one command may raise: a program that tries names one by one is not an errand. */
const MAX_QUESTIONS = 20;

const NOBODY: HostAnswer = { why: 'nobody could be asked about it. The user can add it to terminal.allowed_hosts' };

const NOBODY_FOR_GIT: HostAnswer = { why: 'nobody could be asked about it. Run this git command in the foreground' };

const isOrdinaryPush = (git: GitQuestion): boolean => git.type === 'push' && git.holds.length === 0;

interface GuardedCommand {
  readonly command: NetworkedCommand;
  /** Questions it waits for. */
  pending: number;
  readonly answers: Map<string, Promise<HostAnswer>>;
  readonly blocked: Map<string, WallBlock>;
  readonly unreached: Map<string, UnreachedHost>;
  reached: boolean;
}

export function createNetworkedCommands(notice: (words: string) => void): NetworkedCommands {
  const commands = new Set<GuardedCommand>();
  const told = new Set<string>();
  /** Ports that a background process asks for again and again are not what a command in the foreground failed at. */
  const triedInBackground = new Set<number>();
  const tellOwner = (key: string) => {
    if (told.has(key) || told.size >= MAX_NOTICES) return;
    told.add(key);
    notice(
      `A command tried to connect to ${key} and was refused, because nobody could be asked about it. Add the host to terminal.allowed_hosts to allow it.`,
    );
  };
  // Whether text from outside is in view is known only to whoever can be asked.
  const isInBackground = (): boolean => [...commands].some(({ command }) => command.background === true);
  return {
    begin: (command) => {
      const guarded: GuardedCommand = { command, pending: 0, answers: new Map(), blocked: new Map(), unreached: new Map(), reached: false };
      commands.add(guarded);
      return {
        end: () => {
          commands.delete(guarded);
          return [...guarded.blocked.values()];
        },
        unreached: () => [...guarded.unreached.values()],
        reachedNobody: () => !guarded.reached && guarded.blocked.size + guarded.unreached.size > 0,
      };
    },
    canAsk: () => [...commands].some(({ command }) => command.askHost !== undefined),
    ask: async (request) => {
      const key = request.git === undefined ? formatHostKey(request) : JSON.stringify(request.git);
      const asked = [...commands].findLast(({ command }) => command.askHost !== undefined);
      if (asked?.command.askHost === undefined) {
        if (request.git !== undefined) return isOrdinaryPush(request.git) && !isInBackground() ? true : NOBODY_FOR_GIT;
        tellOwner(key);
        return NOBODY;
      }
      const known = asked.answers.get(key);
      if (known !== undefined) return known;
      if (asked.answers.size >= MAX_QUESTIONS) return false;
      const { askHost } = asked.command;
      const answer = whileHeld(commands, Promise.try(askHost, request)).catch(() => false);
      asked.answers.set(key, answer);
      return answer;
    },
    tellBlocked: (block) => {
      const isWatched = [...commands].some(({ command }) => command.background !== true);
      if (block.type === 'port' && !isWatched) triedInBackground.add(block.port);
      for (const { command, blocked } of commands) {
        const isOther = block.type === 'port' && command.background !== true && triedInBackground.has(block.port);
        if (!isOther && blocked.size < MAX_QUESTIONS) blocked.set(JSON.stringify(block), block);
      }
    },
    tellReached: () => {
      for (const command of commands) command.reached = true;
    },
    tellUnreached: (host) => {
      for (const { unreached } of commands) if (unreached.size < MAX_QUESTIONS) unreached.set(formatHostKey(host), host);
    },
  };
}

/** Any of the commands may be the one that waits: none of them loses time to a question. */
async function whileHeld<Value>(commands: ReadonlySet<GuardedCommand>, work: Promise<Value>): Promise<Value> {
  const held = [...commands];
  for (const each of held) if (each.pending++ === 0) each.command.pause(true);
  try {
    return await work;
  } finally {
    for (const each of held) if (--each.pending === 0) each.command.pause(false);
  }
}
