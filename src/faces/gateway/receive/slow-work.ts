import type { Arrival, Taken } from '../../../contracts/gateway-store.ts';
import type { ChatCommandDeps } from '../commands/typed-command.ts';
import { readTypedCommand } from '../commands/typed-command.ts';
import { listMedia } from './foreign-parts.ts';

/** What of the handling of an arrival may take long. Its chat's urgent arrivals need not wait for any of it. */
export type SlowKind =
  /** Loading files and hearing what was spoken. */
  | 'reading'
  /** The end of a session, in which the model writes down what is worth remembering, and commands that ask a model or a server. */
  | 'command'
  /** A question beside the conversation: what is said meanwhile does not wait for it either. */
  | 'aside';

export interface SlowWork {
  /** Does it, or waits until it may: so many of a kind go on at once. */
  run<Value>(kind: SlowKind, taken: Taken, work: () => Promise<Value>, signal: AbortSignal): Promise<Value>;
}

type CommandNames = Pick<ChatCommandDeps['host'], 'commands'>;

/** A map: what is typed may be the name of something that every object has. */
const SLOW_COMMANDS: ReadonlyMap<string, SlowKind> = new Map([
  ['btw', 'aside'],
  ['new', 'command'],
  ['resume', 'command'],
  ['branch', 'command'],
  ['compress', 'command'],
  ['model', 'command'],
  ['switch-model', 'command'],
  ['reload-mcp', 'command'],
]);
export const findSlowKind = async (text: string, host: CommandNames): Promise<SlowKind | undefined> =>
  SLOW_COMMANDS.get((await findName(text, host)) ?? '');

/** What acts on the turn that runs, or tells of it. */
const URGENT: ReadonlySet<string> = new Set(['stop', 'status', 'approve', 'deny']);

/** Which of the arrivals behind one that takes long goes past it. Messages keep their order, and none goes past a command that changes something. */
export async function findPassing(kind: SlowKind, behind: readonly Arrival[], host: CommandNames): Promise<Arrival | undefined> {
  for (const row of behind) if (await isUrgent(row, host)) return row;
  const [next] = behind;
  return kind === 'aside' && next?.event.type === 'message' && readTypedCommand(next.event.text) === undefined ? next : undefined;
}

async function isUrgent({ event }: Arrival, host: CommandNames): Promise<boolean> {
  if (event.type === 'press') return true;
  if (event.type !== 'message' || event.isEdit === true || !event.isAddressed || event.task !== undefined) return false;
  // Words below a file are a message: what stands before it may be waiting for it as a part of its album.
  if (listMedia(event).length > 0 || event.group !== undefined) return false;
  return URGENT.has((await findName(event.text, host)) ?? '');
}

/** By whatever name or beginning of one it was typed. */
async function findName(text: string, { commands }: CommandNames): Promise<string | undefined> {
  const name = readTypedCommand(text)?.name;
  return name === undefined ? undefined : ((await commands.findBare(`/${name}`, 'chat')) ?? name);
}
