import { toErrorMessage } from '../../../../base/errors.ts';
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

/** What a session leaves running when it is closed, in words for its owner; `undefined` for nothing. */
export async function describeStillRunning(sessionId: string, survivors: Survivors): Promise<string | undefined> {
  const own = survivors.list().filter((record) => record.sessionId === sessionId);
  const found = (await Promise.all(own.map((record) => describeProcess(record, survivors)))).flat();
  const alive = found.filter(({ state }) => state !== 'exited');
  if (alive.length === 0) return undefined;
  const names = alive.map(({ id, command }) => `${id} (${command.replace(/\s+/g, ' ').slice(0, MAX_COMMAND)})`).join(', ');
  const [subject, them] = alive.length === 1 ? ['A background process keeps', 'it'] : [`${alive.length} background processes keep`, 'one'];
  return `${subject} running: ${names}. To see the output of ${them}: hermes processes show ID. To end ${them}: hermes processes kill ID.`;
}
const MAX_COMMAND = 80;
