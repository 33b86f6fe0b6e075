import { toErrorMessage } from '../../../../base/errors.ts';
import { waitAtMost } from '../../../../base/waits.ts';
import type { BackgroundProcess } from '../../../../contracts/services/processes.ts';
import type { Survivor, Survivors } from './processes.ts';

/** A process of the list as it stands now; nothing for one that nothing is left of. */
export async function describeProcess(record: Survivor, survivors: Pick<Survivors, 'adopt'>): Promise<readonly BackgroundProcess[]> {
  const { id, sessionId, trace } = record;
  const { command, backend, pid, startedAt } = trace;
  const facts = { id, sessionId, command, backend, pid, startedAt };
  try {
    const running = await survivors.adopt(record);
    return running === undefined ? [] : [{ ...facts, ...running.status() }];
  } catch (error) {
    return [{ ...facts, state: 'unreachable', why: toErrorMessage(error) }];
  }
}

export interface SessionEnd {
  readonly sessionId: string;
  /** Processes that were started before are not its own: the session may be open elsewhere. */
  readonly openedAt: number;
  /** The owner wants all of them to go on. */
  readonly outlives: boolean;
  /** What ran until the session's terminal was closed, and could not go on without it. */
  readonly closed?: readonly Survivor[];
}

/** Ends what a session left running, unless the owner wants it to go on. In words for the owner; `undefined` when there was nothing. */
export async function endSessionProcesses(
  { sessionId, openedAt, outlives, closed = [] }: SessionEnd,
  survivors: Survivors,
): Promise<string | undefined> {
  const own = (await survivors.list()).filter((record) => record.sessionId === sessionId);
  const ends = ({ kept, trace }: Survivor): boolean => !outlives && kept !== true && trace.startedAt >= openedAt;
  const ended = await namesOf(own.filter(ends), async (record) => {
    const running = await survivors.adopt(record).catch(() => undefined);
    if (running === undefined || running.status().state === 'exited') return false;
    await running.kill();
    return waitAtMost(running.exited, KILL_MS);
  });
  const alive = await namesOf(own, async (record) => (await describeProcess(record, survivors)).some(({ state }) => state !== 'exited'));
  return [...describeClosed(closed.map(nameProcess)), ...describeEnded(ended), ...describeAlive(alive)].join('\n') || undefined;
}
/** How long is waited for one that was ended. */
const KILL_MS = 3_000;

async function namesOf(records: readonly Survivor[], test: (record: Survivor) => Promise<boolean>): Promise<readonly string[]> {
  const found = await Promise.all(records.map(async (record) => ((await test(record)) ? [record] : [])));
  return found.flat().map(nameProcess);
}
const nameProcess = ({ id, trace }: Survivor): string => `${id} (${trace.command.replace(/\s+/g, ' ').slice(0, MAX_COMMAND)})`;
const MAX_COMMAND = 80;

function describeClosed(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const subject = names.length === 1 ? 'A background process was' : `${names.length} background processes were`;
  return [`${subject} ended with the session: ${names.join(', ')}. Processes in the sandbox cannot go on without their session.`];
}

function describeEnded(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const subject = names.length === 1 ? 'A background process was' : `${names.length} background processes were`;
  return [
    `${subject} ended with the session: ${names.join(', ')}. To let one go on, run hermes processes keep ID while it runs; to let all of them: hermes config set terminal.background_outlives true.`,
  ];
}

function describeAlive(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const [subject, them] = names.length === 1 ? ['A background process keeps', 'it'] : [`${names.length} background processes keep`, 'one'];
  return [
    `${subject} running: ${names.join(', ')}. To see the output of ${them}: hermes processes show ID. To end ${them}: hermes processes kill ID.`,
  ];
}
